import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CommandSpec, type ParsedArgs, parseArgs, readCount, readOption } from '../argv.js';
import { UNSUPPORTED_BACKENDS } from '../backend.js';
import type { RalphConfig } from '../config.js';
import { loadConfig } from '../config-load.js';
import { validateConfig } from '../config-validate.js';
import { type Diagnostics, openDiagnostics } from '../diagnostics.js';
import { renderBanner, renderTermination } from '../display.js';
import { renderDryRun } from '../dry-run.js';
import { appendLoopRecord } from '../events-file.js';
import { CommandError } from '../failure.js';
import {
  appendHistory,
  type Files,
  layOutFiles,
  readEventsMarker,
  readTextFile,
  writeTextFile,
} from '../files.js';
import { land } from '../landing.js';
import { createLog, type Log } from '../log.js';
import { runLoop } from '../loop.js';
import type { LoopSetup } from '../loop-setup.js';
import { dieOnSignals, panicOnClosedStdout } from '../signals.js';
import { renderTerminatePayload, writeSummary } from '../summary.js';
import { describeTermination } from '../termination.js';
import { ellipsize } from '../text.js';
import { formatElapsed, formatLogTime, formatStamp } from '../time.js';

const SPEC: CommandSpec = {
  usage: 'ralph run [OPTIONS] [-- <CUSTOM_ARGS>...]',
  options: [
    { long: 'prompt', short: 'p', value: 'PROMPT_TEXT', conflicts: ['prompt-file'] },
    { long: 'prompt-file', short: 'P', value: 'PROMPT_FILE' },
    { long: 'backend', short: 'b', value: 'BACKEND' },
    { long: 'max-iterations', value: 'MAX_ITERATIONS' },
    { long: 'completion-promise', value: 'COMPLETION_PROMISE' },
    { long: 'dry-run' },
    { long: 'continue' },
    { long: 'loop-id', value: 'LOOP_ID', requires: 'continue' },
    { long: 'no-tui', conflicts: ['autonomous'] },
    { long: 'autonomous', short: 'a', conflicts: ['rpc'] },
    { long: 'rpc' },
    { long: 'idle-timeout', value: 'SECONDS' },
    { long: 'exclusive' },
    { long: 'no-auto-merge' },
    { long: 'skip-preflight' },
    { long: 'quiet', short: 'q', conflicts: ['verbose'] },
    { long: 'record-session', value: 'FILE' },
  ],
  trailing: true,
};

/** `ralph run`. */
export async function runCommand(words: readonly string[]): Promise<number> {
  const args = parseArgs(words, SPEC);
  if (args.values.has('help')) {
    const options = SPEC.options.map(({ short, long, value }) => {
      const flag = `${short === undefined ? '   ' : `-${short},`} --${long}`;
      return `  ${flag}${value === undefined ? '' : ` <${value}>`}`;
    });
    process.stdout.write(`Run the loop\n\nUsage: ${SPEC.usage}\n\nOptions:\n${options.join('\n')}\n`);
    return 0;
  }
  const workspace = process.cwd();
  const verbose = args.values.has('verbose');
  const headless = args.values.has('no-tui') || args.values.has('autonomous');
  const log = createLog({
    verbose,
    headless,
    workspace,
  });
  const diagnostics = openDiagnostics(layOutFiles(workspace));
  const config = await loadConfig(args.values.get('config') ?? [], readOption(args, 'hats'), log);
  const resumed = args.values.has('continue');
  if (resumed) checkContinuable(config, log);
  applyOverrides(config, args);
  validateConfig(config);
  checkBackend(config.cli.backend);
  if (args.values.has('dry-run')) {
    const idleTimeout = readOption(args, 'idle-timeout') ?? '30';
    process.stdout.write(renderDryRun(config, { headless, verbose, idleTimeout }));
    return 0;
  }
  panicOnClosedStdout();
  const setup = prepareLoop(config, args, workspace, { diagnostics, log });
  dieOnSignals();
  return runToEnd(setup);
}

function checkContinuable(config: RalphConfig, log: Log): void {
  const { path } = config.core.scratchpad;
  if (!existsSync(path)) {
    throw new CommandError(
      `Cannot continue: scratchpad not found at '${path}'. Start a fresh run with \`ralph run\`.`,
    );
  }
  log.info('ralph', `Found existing scratchpad at '${path}', continuing from previous state`);
}

function applyOverrides(config: RalphConfig, args: ParsedArgs): void {
  const { eventLoop, cli } = config;
  const text = readOption(args, 'prompt');
  const file = readOption(args, 'prompt-file');
  if (text !== undefined) [eventLoop.prompt, eventLoop.promptFile] = [text, ''];
  else if (file !== undefined) [eventLoop.prompt, eventLoop.promptFile] = [undefined, file];
  eventLoop.maxIterations = readCount(args, 'max-iterations', SPEC) ?? eventLoop.maxIterations;
  eventLoop.completionPromise = readOption(args, 'completion-promise') ?? eventLoop.completionPromise;
  cli.backend = readOption(args, 'backend') ?? cli.backend;
}

function checkBackend(name: string): void {
  if (name === 'auto' || UNSUPPORTED_BACKENDS.includes(name)) {
    throw new CommandError(
      `The stand-in ralph does not speak the backend '${name}' yet. Name claude, kiro, opencode, gemini, codex, forge, amp, roo or custom, or use a real ralph.`,
    );
  }
}

function readObjective({ eventLoop }: RalphConfig): string {
  if (eventLoop.prompt !== undefined) return eventLoop.prompt;
  if (eventLoop.promptFile === '') {
    throw new CommandError(
      'No prompt specified. Use -p "text" for inline prompt, -P path for file, or create PROMPT.md in the current directory.',
    );
  }
  if (!existsSync(eventLoop.promptFile)) {
    throw new CommandError(
      `Prompt file '${eventLoop.promptFile}' not found. Check the path or use -p "text" for inline prompt.`,
    );
  }
  return readFileSync(eventLoop.promptFile, 'utf8');
}

/** Lays out `.ralph/` and removes what a fresh objective must not see. */
function prepareLoop(
  config: RalphConfig,
  args: ParsedArgs,
  workspace: string,
  records: { diagnostics: Diagnostics; log: Log },
): LoopSetup {
  const { diagnostics, log } = records;
  const files = layOutFiles(workspace);
  const resumed = args.values.has('continue');
  if (!existsSync(files.agent)) log.info('ralph', `Creating scratchpad directory: ${files.agent}`);
  mkdirSync(files.agent, { recursive: true });
  writeLock(files, config);
  const objective = readObjective(config);

  rmSync(files.urgentSteer, { force: true });
  const previousId = resumed
    ? (readOption(args, 'loop-id') ?? readTextFile(files.loopIdMarker)?.trim())
    : undefined;
  const stamp = formatStamp();
  const loopId = previousId === undefined || previousId === '' ? `primary-${stamp}` : previousId;
  writeTextFile(files.loopIdMarker, loopId);
  if (!resumed) {
    writeTextFile(files.eventsMarker, `.ralph/events-${stamp}.jsonl`);
    const pads = [config.core.scratchpad, ...config.hats.flatMap(({ scratchpad }) => scratchpad ?? [])];
    for (const { path } of pads) rmSync(resolve(workspace, path), { force: true });
    rmSync(files.loopState, { force: true });
  }
  return {
    config,
    files,
    workspace,
    loopId,
    objective,
    resumed,
    eventsPath: readEventsMarker(workspace) ?? join(files.ralph, 'events.jsonl'),
    extraArgs: args.trailing,
    program: resolve(process.argv[1] ?? ''),
    verbose: args.values.has('verbose'),
    diagnostics,
    log,
  };
}

/** The file says who runs here; the real lock on it is the kernel's and cannot be had in Node. */
function writeLock(files: Files, config: RalphConfig): void {
  const { prompt, promptFile } = config.eventLoop;
  const text = prompt ?? (promptFile === '' ? undefined : readTextFile(promptFile)) ?? '[no prompt]';
  writeTextFile(
    files.lock,
    JSON.stringify({ pid: process.pid, started: formatLogTime(), prompt: ellipsize(text, 100) }, null, 2),
  );
}

async function runToEnd(setup: LoopSetup): Promise<number> {
  const { config, files, workspace, loopId, objective, eventsPath, log } = setup;
  appendHistory(
    files,
    setup.resumed ? { kind: 'loop_resumed' } : { kind: 'loop_started', prompt: objective },
  );
  process.stdout.write(
    renderBanner({
      loopId,
      resumed: setup.resumed,
      backend: config.cli.backend,
      promptFile: config.eventLoop.promptFile,
      eventsPath,
      scratchpadPath: resolve(workspace, config.core.scratchpad.path),
      maxIterations: config.eventLoop.maxIterations,
    }),
  );

  const { reason, state } = await runLoop(setup);

  const end = { reason, iterations: state.iteration, elapsedMs: state.elapsedMs() };
  const words = describeTermination(reason);
  const duration = formatElapsed(end.elapsedMs);
  log.info(
    'ralph_core::event_loop',
    `Wrapping up: ${reason}. ${end.iterations} iterations in ${duration}. reason=${reason} iterations=${end.iterations} duration=${duration}`,
  );
  if (reason !== 'workspace_gone') {
    appendLoopRecord(eventsPath, {
      iteration: end.iterations,
      hat: 'loop',
      topic: 'loop.terminate',
      payload: renderTerminatePayload(end),
    });
    writeSummary(end, files, workspace, config.core.scratchpad.path);
    appendHistory(files, { kind: 'loop_completed', reason: words.history ?? reason });
    writeTextFile(files.loops, JSON.stringify({ loops: [] }, null, 2));
  }
  if (reason === 'completed') land(workspace, files, objective, log);
  process.stdout.write(renderTermination(reason, end.iterations, end.elapsedMs, loopId));
  return words.exitCode;
}
