import { dirname, resolve } from 'node:path';
import { readCalls } from '../../agent/stand-in/call-log.js';
import { loadScript } from '../../agent/stand-in/load-script.js';
import { processSurroundings, runStandIn, SCRIPT_MISTAKE } from '../../agent/stand-in/run-stand-in.js';
import { BACKENDS } from '../../backends/index.js';
import type { Invocation } from '../../domain/agent-script.js';
import { BACKEND_IDS, isBackendId } from '../../domain/backends.js';
import { KnownError } from '../../domain/common/known-error.js';
import { makeChosenFolder } from '../../exec/files/make-folder.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { openScreen } from '../screen.js';

/** The flags of `sim` as commander passes them. */
export interface SimFlags {
  readonly script?: string;
  readonly log?: string;
  readonly strict?: boolean;
}

/** Runs `ralph-e2e sim`: plays a script as an agent CLI, in this process, and returns the CLI's exit code. */
export async function simCommand(backend: string, argv: readonly string[], flags: SimFlags): Promise<number> {
  if (!isBackendId(backend)) {
    throw new KnownError(
      `sim ${backend}: expected one of ${BACKEND_IDS.join(', ')}, or check, explain or convert.`,
      {
        hint: 'Put the arguments for the CLI after `--`: ralph-e2e sim claude --script agent.yaml -- -p "hello"',
      },
    );
  }
  if (flags.log !== undefined) {
    await makeChosenFolder(
      dirname(resolve(flags.log)),
      'Name a file in a writable folder with --log <file>.',
    );
  }
  const env = {
    ...process.env,
    ...(flags.script === undefined ? {} : { RALPH_E2E_AGENT_SCRIPT: resolve(flags.script) }),
    ...(flags.log === undefined ? {} : { RALPH_E2E_AGENT_LOG: resolve(flags.log) }),
  };
  const calls: Invocation[] = [];
  const around = { ...processSurroundings(argv, env), onCall: (call: Invocation) => void calls.push(call) };
  const exitCode = await runStandIn(await BACKENDS[backend].standIn(), around);
  if (flags.strict !== true || exitCode === SCRIPT_MISTAKE) return exitCode;
  const { RALPH_E2E_AGENT_LOG: log, RALPH_E2E_AGENT_SCRIPT: script } = env;
  const all = log === undefined ? calls : readCalls(log).filter((call) => call.script === script);
  return (await reportUnused(script, all)) ? SCRIPT_MISTAKE : exitCode;
}

/** Runs `ralph-e2e sim convert`: prints a script in the current format. */
export async function convertCommand(file: string, flags: { readonly ours?: boolean }): Promise<number> {
  const { convertScriptFile } = await import('../../agent/script/load.js');
  openScreen({ json: false }).print(await convertScriptFile(file, flags.ours === true ? { to: 'ours' } : {}));
  return 0;
}

/** Runs `ralph-e2e sim check`: loads a script and reports what has no effect. */
export async function checkCommand(file: string): Promise<ExitCode> {
  const { loadScriptFile } = await import('../../agent/script/load.js');
  const { findUnreachable, summarizeScript } = await import('../../agent/script/review.js');
  const { script, notes } = await loadScriptFile(file);
  const unreachable = findUnreachable(script);
  const lines = [...notes.map((note) => `note: ${note}`), ...unreachable];
  openScreen({ json: false }).print([`${file}: ${summarizeScript(script)}`, ...lines].join('\n'));
  return unreachable.length === 0 ? EXIT.passed : EXIT.failed;
}

/** The flags of `sim explain` as commander passes them. */
export interface ExplainFlags {
  readonly prompt?: readonly string[];
  readonly model?: string;
  readonly systemPrompt?: string;
  readonly flag?: readonly string[];
  readonly session?: string;
  readonly cwd?: string;
}

/** Runs `ralph-e2e sim explain`: which rule answers each prompt, and why the others do not. */
export async function explainCommand(file: string, flags: ExplainFlags): Promise<ExitCode> {
  const { prompt: prompts = [], model, systemPrompt, flag, session, cwd } = flags;
  if (prompts.length === 0) {
    throw new KnownError('sim explain needs --prompt <text>, which was not given.', {
      hint: 'Repeat --prompt for the next prompts of the same conversation.',
    });
  }
  const { loadScriptFile } = await import('../../agent/script/load.js');
  const { explainPrompts } = await import('../../agent/script/review.js');
  const { script } = await loadScriptFile(file);
  const { lines, unanswered } = explainPrompts(script, prompts, {
    cwd: resolve(cwd ?? '.'),
    ...(session === undefined ? {} : { session }),
    ...(model === undefined ? {} : { model }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(flag === undefined ? {} : { flags: flag }),
  });
  openScreen({ json: false }).print(lines.join('\n'));
  return unanswered === 0 ? EXIT.passed : EXIT.failed;
}

/** Reports on stderr which rules and turns were never used; stdout belongs to the CLI. */
async function reportUnused(path: string | undefined, calls: readonly Invocation[]): Promise<boolean> {
  const { coverage } = await import('../../agent/engine/coverage.js');
  const { unused } = coverage(await loadScript(path), calls);
  for (const { where, rule } of unused) {
    process.stderr.write(`ralph-e2e: never used: ${where} (${rule})\n`);
  }
  return unused.length > 0;
}

/** The flags of `sim mcp` as commander passes them. */
export interface McpStubFlags {
  readonly script?: string;
  readonly mocks?: string;
  readonly calls?: string;
}

/** Runs `ralph-e2e sim mcp`: plays a script as an MCP server on stdio until its client closes the input. */
export async function mcpStubCommand(flags: McpStubFlags): Promise<ExitCode> {
  if (flags.script === undefined) {
    throw new KnownError('sim mcp needs --script <file>, which was not given.', {
      hint: 'Example: `ralph-e2e sim mcp --script server.json`. See docs/plugins.md#a-scripted-mcp-server.',
    });
  }
  const path = (value: string | undefined) => (value === undefined ? undefined : resolve(value));
  const { readStubScript } = await import('../../mcp-stub/script.js');
  const { serveStub } = await import('../../mcp-stub/server.js');
  const ended = await serveStub(
    {
      script: readStubScript(flags.script),
      mocks: path(flags.mocks ?? process.env.RALPH_E2E_MCP_MOCKS),
      calls: path(flags.calls ?? process.env.RALPH_E2E_MCP_CALLS),
      cwd: process.cwd(),
    },
    process.stdin,
    process.stdout,
  );
  return ended === 'closed' ? EXIT.passed : EXIT.failed;
}
