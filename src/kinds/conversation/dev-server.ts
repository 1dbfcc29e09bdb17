import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import type { DevServerRecord } from '../../domain/evidence/conversation.js';
import type { DevServer, PlannedTurn } from '../../domain/scenario/conversation-arrangement.js';
import { awaitAnswer } from '../../exec/await-answer.js';
import { hasErrorCode } from '../../exec/error-code.js';
import type { ProcessScope } from '../../exec/process/containment/process-scope.js';
import { openDialog } from '../../exec/process/dialog.js';
import type { ProcessResult } from '../../exec/process/run-process.js';
import type { Sandbox, SandboxEntry } from '../../isolation/launch.js';
import { explainEnd } from './session/outcome.js';

/** Where a server runs, and with what. */
interface DevServerSite {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder for its output. */
  readonly artifacts: string;
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** Where its processes live. Not the scope of the agent: they are not what the agent leaves behind. */
  readonly scope?: ProcessScope | undefined;
}

/** A server that answers. */
interface RunningDevServer {
  /** Its address, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** What ran, and how it ended by itself. */
  readonly record: () => DevServerRecord;
  /** Ends it and everything that it started. A second call does nothing. */
  readonly end: () => Promise<void>;
}

const SECONDS = 30;

/** Starts a server and waits until it answers. Throws, and leaves nothing running, if it does not. */
export async function startServer(request: DevServer, site: DevServerSite): Promise<RunningDevServer> {
  const plan = await planServer(request);
  const { command, url, limitMs } = plan;
  const [program, ...args] = command;
  const folder = join(site.artifacts, 'dev-server');
  let result: ProcessResult | null = null;
  let over = false;
  const dialog = openDialog({
    command: program,
    args,
    cwd: site.cwd,
    env: { ...site.env, ...plan.env },
    timeoutMs: Number.POSITIVE_INFINITY,
    stdoutPath: join(folder, 'stdout.txt'),
    stderrPath: join(folder, 'stderr.txt'),
    secrets: site.secrets,
    marker: { name: 'RALPH_E2E_DEV_SERVER', value: randomUUID() },
    scope: site.scope,
    ...(site.signal === undefined ? {} : { signal: site.signal }),
    // Its input stays open: some servers end with it.
    onLine: () => {},
  });
  const gone = new AbortController();
  void dialog.ended.then((ended) => {
    if (!over) result = ended;
    gone.abort();
  });
  const end = async () => {
    over = true;
    await dialog.end();
  };
  const answered = await awaitAnswer(plan.readyUrl, { limitMs, signal: gone.signal }).catch(
    async (cause: unknown) => {
      await end();
      throw cause;
    },
  );
  if (!answered) {
    const why =
      result === null ? `no answer at ${plan.readyUrl} within ${limitMs / 1000} s` : explainEnd(result, 0);
    await end();
    const printed = await readPrinted(folder);
    throw new KnownError(`The dev server ${command.join(' ')} did not get ready: ${why}.`, {
      hint: `It must listen on the port in the variable PORT. ${printed === '' ? 'It printed nothing.' : `It printed at the end:\n${printed}`}`,
    });
  }
  const endedEarly = () => (result === null ? null : explainEnd(result, 0));
  return {
    url,
    port: plan.port,
    record: () => ({ command: [...command], url, endedEarly: endedEarly() }),
    end,
  };
}

const MAX_PRINTED = 1000;

/** The end of what a server printed. The folder may be gone when somebody reads the error. */
async function readPrinted(folder: string): Promise<string> {
  const texts = await Promise.all(
    ['stdout.txt', 'stderr.txt'].map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  );
  return texts
    .map((text) => text.trim().slice(-MAX_PRINTED))
    .filter((text) => text !== '')
    .join('\n');
}

/** What a server runs with, once its port is known. */
async function planServer({ run, port: wanted, path = '/', seconds = SECONDS }: DevServer) {
  const port = await findFreePort(wanted);
  const [program, ...args] = run;
  const fill = (text: string) => text.replaceAll('{{port}}', String(port));
  const command: readonly [string, ...string[]] = [fill(program), ...args.map(fill)];
  // Not an address: some servers listen on IPv4 alone, some on IPv6 alone.
  const url = `http://localhost:${port}`;
  return {
    command,
    port,
    url,
    readyUrl: `${url}${path}`,
    limitMs: seconds * 1000,
    env: { PORT: String(port) },
  };
}

/** Finds a free port, or makes sure that the wanted one is free. Another program's answer would count as the server's. */
async function findFreePort(wanted: number | undefined): Promise<number> {
  try {
    const port = await tryPort(wanted ?? 0, '127.0.0.1');
    await tryPort(port, '::1').catch((error: unknown) => {
      // A machine without IPv6.
      if (!hasErrorCode(error, 'EADDRNOTAVAIL', 'EAFNOSUPPORT')) throw error;
    });
    return port;
  } catch (error) {
    if (!hasErrorCode(error, 'EADDRINUSE', 'EACCES')) throw error;
    throw new KnownError(`Expected port ${wanted} to be free for the dev server, but it cannot be used.`, {
      hint: 'End the program that uses it, or leave out `port`: then a free one is chosen.',
    });
  }
}

/** Listens on a port for a moment, and returns its number. */
async function tryPort(port: number, host: string): Promise<number> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening');
  const address = probe.address();
  const closed = once(probe, 'close');
  probe.close();
  await closed;
  if (address === null || typeof address === 'string') throw new Error('a listening socket has no port');
  return address.port;
}

/** The server of a conversation, as the conversation sees it. */
interface ServedConversation {
  readonly url: string;
  /** The sandbox for the agent, with the server in it; undefined on the host. */
  readonly sandbox: Sandbox | undefined;
  readonly record: () => DevServerRecord;
}

/** Runs a server while a conversation is held: beside the agent in its sandbox, or on the host in a scope of its own. */
export async function serveWhile<Result>(
  request: DevServer,
  site: Omit<DevServerSite, 'scope'> & {
    readonly sandbox: Sandbox | undefined;
    readonly openScope: () => Promise<ProcessScope>;
  },
  hold: (served: ServedConversation) => Promise<Result>,
): Promise<Result> {
  if (site.sandbox !== undefined) return hold(await serveInside(request, site.sandbox));
  const scope = await site.openScope();
  try {
    const server = await startServer(request, { ...site, scope });
    try {
      return await hold({ ...server, sandbox: undefined });
    } finally {
      await server.end();
    }
  } finally {
    await scope.close();
  }
}

/** Has the server start with every program that enters the sandbox. A sandbox has a network of its own, so only there can it be reached. */
async function serveInside(request: DevServer, sandbox: Sandbox): Promise<ServedConversation> {
  const plan = await planServer(request);
  const [command, ...args] = plan.command;
  const { env, limitMs, url } = plan;
  const entries: SandboxEntry[] = [];
  return {
    url,
    sandbox: {
      ...sandbox,
      enter: async (launch) => {
        const entry = await sandbox.enter(launch, { command, args, env, url: plan.readyUrl, limitMs });
        entries.push(entry);
        return entry;
      },
    },
    record: () => ({
      command: [...plan.command],
      url,
      endedEarly: entries.map(({ companionEnd }) => companionEnd()).find((how) => how !== null) ?? null,
    }),
  };
}

/** Fills the address of the server into what the user says. */
export function fillAddress(
  turns: readonly (string | PlannedTurn)[],
  url: string,
): readonly (string | PlannedTurn)[] {
  const fill = (text: string) => text.replaceAll('{{devServer}}', url);
  return turns.map((turn) =>
    typeof turn === 'string' ? fill(turn) : { ...turn, prompt: fill(turn.prompt) },
  );
}
