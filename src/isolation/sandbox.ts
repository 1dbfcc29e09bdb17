import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { KnownError } from '../domain/common/known-error.js';
import type { IsolationRecord, Stopped } from '../domain/evidence/isolation.js';
import { packageRoot } from '../exec/files/package-root.js';
import { type Exchange, openExchange } from './exchange.js';
import type { InsideReport, Launch, Sandbox, SandboxEntry, Site } from './launch.js';
import type { Companion, WardenNews, WardenOrders } from './protocol.js';

/** How a kind of isolation starts a program inside. */
export interface SandboxGate {
  readonly kind: IsolationRecord['kind'];
  readonly passSignals: boolean;
  /** The place of the exchange folder, if not the default. */
  readonly place?: string;
  /** Turns a launch of the warden inside into a launch on this machine. */
  readonly wrap: (warden: Launch, exchange: Exchange, program: Launch) => Promise<Launch> | Launch;
  /** Lists what programs inside wrote outside the folders of the attempt, if that can be seen. */
  readonly written?: () => Stopped[];
  readonly close?: () => Promise<void>;
}

/** What is known about one launch. */
interface Session {
  /** The last message of each type. */
  readonly told: { [News in WardenNews as News['type']]?: News };
  gone: boolean;
  onGone: () => void;
}

/** A warden that is killed with its sandbox disconnects at once. After this time we stop waiting for it. */
const HANG_UP_MS = 2000;
const MAX_NAMES = 200;

/** Opens the inside of one attempt. */
export async function openSandbox(site: Pick<Site, 'ports'>, gate: SandboxGate): Promise<Sandbox> {
  const sessions = new Map<string, Session>();
  const lookups = new Map<string, number>();
  const exchange = await openExchange(
    site.ports,
    (token, news) => {
      const session = sessions.get(token);
      if (session !== undefined) note(news, session, lookups);
    },
    gate.place,
  );
  return {
    kind: gate.kind,
    enter: async (launch, companion) => {
      const token = randomUUID();
      const session: Session = { told: {}, gone: false, onGone: () => {} };
      sessions.set(token, session);
      exchange.due.add(token);
      const start = startWarden(launch, exchange, token, gate.passSignals, companion ?? null);
      const warden = await gate.wrap(start, exchange, launch);
      return {
        launch: warden,
        settle: (stderr) => settle(session, gate.kind, launch, stderr),
        companionEnd: () => session.told['companion-ended']?.how ?? null,
      } satisfies SandboxEntry;
    },
    stopped: () => [
      ...listLookups(lookups),
      ...countConnections([...sessions.values()]),
      ...(gate.written?.() ?? []),
    ],
    close: async () => {
      await exchange.close();
      await gate.close?.();
    },
  };
}

function startWarden(
  { command, args, cwd, env }: Launch,
  { control, bridges, starter }: Exchange,
  token: string,
  passSignals: boolean,
  companion: Companion | null,
): Launch {
  // This folder does not exist inside.
  const { XDG_RUNTIME_DIR: _closed, ...rest } = env;
  const orders: WardenOrders = { control, bridges, token, passSignals, companion };
  const [first = process.execPath, ...others] = [...starter, process.execPath, wardenPath()];
  return {
    command: first,
    args: [...others, JSON.stringify(orders), command, ...args],
    cwd,
    env: { ...rest, TMPDIR: '/tmp' },
  };
}

/** Returns the path of the program that starts inside; see inside/warden.ts. */
function wardenPath(): string {
  return join(packageRoot(), 'dist', 'isolation', 'warden.cjs');
}

function note(news: WardenNews | 'gone', session: Session, lookups: Map<string, number>): void {
  if (news === 'gone') {
    session.gone = true;
    session.onGone();
    return;
  }
  Object.assign(session.told, { [news.type]: news });
  if (news.type === 'lookup' && (lookups.has(news.name) || lookups.size < MAX_NAMES))
    lookups.set(news.name, (lookups.get(news.name) ?? 0) + 1);
}

async function settle(
  session: Session,
  kind: string,
  { command }: Launch,
  stderr: string,
): Promise<InsideReport | null> {
  const { told } = session;
  if (told.started === undefined) {
    const why = stderr.trim().split('\n').at(-1)?.slice(0, 300);
    throw new KnownError(
      `The ${kind} sandbox did not start: ${why === undefined || why === '' ? 'no output' : why}.`,
      { hint: '`ralph-e2e doctor` shows what is missing.' },
    );
  }
  if (!session.gone) {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      session.onGone = resolve;
      timer = setTimeout(resolve, HANG_UP_MS);
    });
    clearTimeout(timer);
  }
  const { 'companion-failed': companion, 'not-started': program } = told;
  if (companion !== undefined)
    throw new KnownError(`The dev server failed inside the ${kind} sandbox: ${companion.message}.`);
  if (program !== undefined)
    throw new KnownError(`${command} could not be started inside the ${kind} sandbox: ${program.message}.`);
  return told.ended ?? null;
}

/** Lists the names that were looked up. The count says little: programs ask once for each kind of address. */
function listLookups(lookups: ReadonlyMap<string, number>): Stopped[] {
  return [...lookups].map(([name, times]) => ({ kind: 'lookup', name, times }));
}

function countConnections(sessions: readonly Session[]): Stopped[] {
  const times = sessions.reduce((sum, { told }) => sum + (told.unreachable?.total ?? 0), 0);
  return times === 0 ? [] : [{ kind: 'connection', times }];
}
