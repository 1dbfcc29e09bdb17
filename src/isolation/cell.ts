import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { KnownError } from '../domain/common/known-error.js';
import type { IsolationRecord, Stopped } from '../domain/evidence/isolation.js';
import { packageRoot } from '../exec/files/package-root.js';
import { type Exchange, openExchange } from './exchange.js';
import type { Cell, InsideReport, Launch, Passage, Site } from './launch.js';
import type { Companion, WardenNews, WardenOrders } from './protocol.js';

/** How a kind of isolation starts a program inside. */
export interface CellGate {
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
  started: boolean;
  unreachable: number;
  notStarted: string | null;
  companionFailed: string | null;
  companionEnd: string | null;
  report: InsideReport | null;
  gone: boolean;
  onGone: () => void;
}

/** A warden that is killed with its sandbox disconnects at once. After this time we stop waiting for it. */
const HANG_UP_MS = 2000;
const MAX_NAMES = 200;

/** Opens the inside of one attempt. */
export async function openCell(site: Pick<Site, 'ports'>, gate: CellGate): Promise<Cell> {
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
      const session = newSession();
      sessions.set(token, session);
      exchange.due.add(token);
      const start = startWarden(launch, exchange, token, gate.passSignals, companion ?? null);
      const warden = await gate.wrap(start, exchange, launch);
      return {
        launch: warden,
        settle: (stderr) => settle(session, gate.kind, launch, stderr),
        companionEnd: () => session.companionEnd,
      } satisfies Passage;
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

function newSession(): Session {
  return {
    started: false,
    unreachable: 0,
    notStarted: null,
    companionFailed: null,
    companionEnd: null,
    report: null,
    gone: false,
    onGone: () => {},
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
  switch (news.type) {
    case 'started':
      session.started = true;
      return;
    case 'lookup':
      if (lookups.has(news.name) || lookups.size < MAX_NAMES)
        lookups.set(news.name, (lookups.get(news.name) ?? 0) + 1);
      return;
    case 'unreachable':
      session.unreachable = news.total;
      return;
    case 'not-started':
      session.notStarted = news.message;
      return;
    case 'companion-failed':
      session.companionFailed = news.message;
      return;
    case 'companion-ended':
      session.companionEnd = news.how;
      return;
    case 'ended':
      session.report = news;
      return;
    default:
      news satisfies never;
  }
}

async function settle(
  session: Session,
  kind: string,
  { command }: Launch,
  stderr: string,
): Promise<InsideReport | null> {
  if (!session.started) {
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
  if (session.companionFailed !== null) {
    throw new KnownError(`The dev server failed inside the ${kind} sandbox: ${session.companionFailed}.`);
  }
  if (session.notStarted !== null) {
    throw new KnownError(
      `${command} could not be started inside the ${kind} sandbox: ${session.notStarted}.`,
    );
  }
  return session.report;
}

/** Lists the names that were looked up. The count says little: programs ask once for each kind of address. */
function listLookups(lookups: ReadonlyMap<string, number>): Stopped[] {
  return [...lookups].map(([name, times]) => ({ kind: 'lookup', name, times }));
}

function countConnections(sessions: readonly Session[]): Stopped[] {
  const times = sessions.reduce((sum, { unreachable }) => sum + unreachable, 0);
  return times === 0 ? [] : [{ kind: 'connection', times }];
}
