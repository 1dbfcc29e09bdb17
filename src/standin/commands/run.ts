import { existsSync, rmSync } from 'node:fs';
import { type CommandSpec, type ParsedArgs, parseArgs, readCount, readOption } from '../argv.js';
import type { RalphConfig } from '../config/config.js';
import { detectBackend } from '../config/detect-backend.js';
import { loadConfig } from '../config/load.js';
import { validateConfig } from '../config/validate.js';
import { openDiagnostics } from '../diagnostics.js';
import { CommandError } from '../failure.js';
import { createLog, type Log } from '../log.js';
import { prepareLoop } from '../loop/prepare.js';
import { runToEnd } from '../loop/run-to-end.js';
import { renderDryRun } from '../screen/dry-run.js';
import { runConfiguredPreflight } from '../screen/preflight.js';
import { renderSummary } from '../screen/preflight-summary.js';
import { outliveLostLogLines, print } from '../screen/screen.js';
import { dieOnSignals } from '../signals.js';
import { layOutFiles } from '../store/files.js';

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
    { long: 'legacy-tui', conflicts: ['rpc', 'no-tui'] },
    { long: 'idle-timeout', value: 'SECONDS' },
    { long: 'exclusive' },
    { long: 'no-auto-merge' },
    { long: 'skip-preflight' },
    { long: 'quiet', short: 'q' },
    { long: 'record-session', value: 'FILE' },
  ],
  trailing: true,
};

const RESUME_SPEC: CommandSpec = {
  usage: 'ralph resume [OPTIONS]',
  options: [
    { long: 'max-iterations', value: 'MAX_ITERATIONS' },
    { long: 'no-tui', conflicts: ['autonomous'] },
    { long: 'autonomous', short: 'a', conflicts: ['rpc'] },
    { long: 'rpc' },
    { long: 'idle-timeout', value: 'IDLE_TIMEOUT' },
    { long: 'quiet', short: 'q' },
    { long: 'record-session', value: 'FILE' },
  ],
};

/** `ralph resume`, the old name of `ralph run --continue`. It has fewer options, no preflight and no landing. */
export async function resumeCommand(words: readonly string[]): Promise<number> {
  const args = parseArgs(words, RESUME_SPEC);
  if (args.values.has('help')) {
    print(`DEPRECATED: Use \`ralph run --continue\` instead.\n\nUsage: ${RESUME_SPEC.usage}\n`);
    return 0;
  }
  process.stderr.write(
    '\u001b[33mwarning:\u001b[0m `ralph resume` is deprecated. Use `ralph run --continue` instead.\n',
  );
  const implied = ['continue', 'skip-preflight', 'resume'].map((name) => [name, ['true']] as const);
  return runLoop({ ...args, values: new Map([...args.values, ...implied]) });
}

/** `ralph run`. */
export async function runCommand(words: readonly string[]): Promise<number> {
  const args = parseArgs(words, SPEC);
  if (args.values.has('help')) {
    const options = SPEC.options.map(({ short, long, value }) => {
      const flag = `${short === undefined ? '   ' : `-${short},`} --${long}`;
      return `  ${flag}${value === undefined ? '' : ` <${value}>`}`;
    });
    print(`Run the loop\n\nUsage: ${SPEC.usage}\n\nOptions:\n${options.join('\n')}\n`);
    return 0;
  }
  return runLoop(args);
}

async function runLoop(args: ParsedArgs): Promise<number> {
  outliveLostLogLines();
  const workspace = process.cwd();
  const verbose = args.values.has('verbose');
  const headless = args.values.has('no-tui') || args.values.has('autonomous');
  const diagnostics = openDiagnostics(layOutFiles(workspace));
  const log = createLog({ verbose, headless, workspace, trace: diagnostics.trace });
  const config = await loadConfig(args.values.get('config') ?? [], readOption(args, 'hats'), log);
  const resumed = args.values.has('continue');
  if (resumed) checkContinuable(config, log);
  applyOverrides(config, args);
  const warnings = validateConfig(config);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  refuseUnplayable(config, args);
  if (config.cli.backend === 'auto') {
    config.cli.backend = detectBackend(config);
    log.info('ralph', `Auto-detected backend: ${config.cli.backend}`);
  }
  if (args.values.has('dry-run')) {
    const report = args.values.has('skip-preflight') ? undefined : runConfiguredPreflight(config, workspace);
    print(renderDryRun(config, { verbose: verbose || config.verbose, warnings: warnings.length }));
    if (report !== undefined) print(renderSummary(report, '  Preflight: ', verbose));
    return 0;
  }
  const setup = await prepareLoop(config, args, workspace, { diagnostics, log });
  dieOnSignals(log);
  try {
    return await runToEnd(setup);
  } finally {
    rmSync(setup.files.urgentSteer, { force: true });
  }
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
  if (args.values.has('autonomous')) cli.defaultMode = 'autonomous';
  else if (!args.values.has('no-tui')) cli.defaultMode = 'interactive';
  cli.idleTimeoutSeconds = readCount(args, 'idle-timeout', SPEC) ?? cli.idleTimeoutSeconds;
}

/** Refuses at once what the stand-in could only pretend to do. */
function refuseUnplayable({ cli, hats, robot }: RalphConfig, args: ParsedArgs): void {
  const backends = [
    cli.backend,
    ...hats.map(({ backend }) => (backend?.kind === 'named' ? backend.name : '')),
  ];
  const found = backends.includes('kiro-acp')
    ? "the backend 'kiro-acp'"
    : robot.enabled
      ? "'RObot'"
      : args.values.has('rpc')
        ? '--rpc'
        : undefined;
  if (found === undefined) return;
  throw new CommandError(`The stand-in ralph does not support ${found}. Remove it, or use a real ralph.`);
}
