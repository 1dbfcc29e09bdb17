import { resolve } from 'node:path';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { catalogue } from '../../../scenarios/index.js';
import { KnownError } from '../../domain/common/known-error.js';
import type { Isolation } from '../../domain/evidence/isolation.js';
import { DEFAULT_OUTPUT } from '../../domain/run-call.js';
import { LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';
import { Harness } from '../../mcp/harness.js';
import { MAX_MESSAGE_BYTES, serveOverHttp } from '../../mcp/http.js';
import { createHarnessServer } from '../../mcp/server.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { RunFlags } from '../input/run-flags.js';
import { readVariableNames } from '../input/values.js';
import { type Interrupt, listenForInterrupt, untilInterrupted } from '../interrupt.js';
import { describeProgram } from '../program-name.js';

/** The flags of `mcp` as commander passes them. */
export interface McpFlags extends Pick<RunFlags, 'model' | 'passEnv' | 'ralph' | 'output'> {
  readonly root: string;
  readonly lane: Lane;
  readonly isolation: Isolation;
  readonly script?: string;
  readonly executable?: string;
  readonly allow?: string[];
  readonly http?: boolean;
  readonly port?: number;
}

/** Runs `ralph-e2e mcp`: offers the harness as MCP tools until the caller disconnects or interrupts it. */
export async function mcpCommand(flags: McpFlags): Promise<ExitCode> {
  if (flags.port !== undefined && flags.http !== true) {
    throw new KnownError('--port needs --http: without it, the server uses stdin and stdout.');
  }
  const { lane } = flags;
  const interrupt = listenForInterrupt();
  const over = new AbortController();
  const harness = await Harness.open({
    root: resolve(flags.root),
    output: resolve(flags.root, flags.output ?? DEFAULT_OUTPUT),
    lane,
    isolation: flags.isolation,
    script: flags.script === undefined ? null : resolve(flags.script),
    executable: flags.executable === undefined ? null : resolve(flags.executable),
    // Offline, the agent only does what a script says. Live it is a model, which may do less.
    allowedTools: flags.allow ?? (LANE_TRAITS[lane].hasScript ? ['Bash'] : ['Bash(git *)']),
    model: flags.model ?? null,
    ralph: flags.ralph?.at(-1),
    passEnv: readVariableNames(flags.passEnv),
    env: process.env,
    program: describeProgram(process.argv[1] ?? '', process.env.PATH),
    catalogue,
    signal: over.signal,
  });
  try {
    await (flags.http === true
      ? serveHttp(harness, interrupt, flags.port ?? 0)
      : serveStreams(harness, interrupt));
  } finally {
    over.abort();
    await harness.close();
    interrupt.stop();
  }
  return EXIT.passed;
}

/** Serves on stdio. Stdout belongs to the protocol: nothing else may be printed there. */
async function serveStreams(harness: Harness, interrupt: Interrupt): Promise<void> {
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: MAX_MESSAGE_BYTES,
  });
  const left = new Promise<void>((done) => {
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => done());
  });
  const handle = serveStdio(() => createHarnessServer(harness), { transport });
  await Promise.race([left, untilInterrupted(interrupt)]);
  await handle.close();
  // An open stdin would keep the process alive.
  process.stdin.destroy();
}

async function serveHttp(harness: Harness, interrupt: Interrupt, port: number): Promise<void> {
  const { url, token, close } = await serveOverHttp(harness, port);
  process.stdout.write(`${url}\nAuthorization: Bearer ${token}\n`);
  await untilInterrupted(interrupt);
  await close();
}
