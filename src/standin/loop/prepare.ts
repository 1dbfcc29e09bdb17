import { existsSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ParsedArgs, readOption } from '../argv.js';
import type { RalphConfig } from '../config/config.js';
import type { Diagnostics } from '../diagnostics.js';
import { CommandError, inContext, orElse } from '../failure.js';
import { faulty } from '../faults.js';
import { Hooks } from '../hooks/hooks.js';
import type { Log } from '../log.js';
import { readProjectSkills } from '../prompt/project-skills.js';
import { runConfiguredPreflight } from '../screen/preflight.js';
import { renderRefusal, renderSummary } from '../screen/preflight-summary.js';
import { layOutFiles, makeFolder, readEventsMarker, readTextFile, writeTextFile } from '../store/files.js';
import { acquireLoopLock } from '../store/loop-lock.js';
import { formatStamp } from '../time.js';
import type { LoopSetup } from './setup.js';

/** Creates `.ralph/` and removes what a new objective must not see. */
export async function prepareLoop(
  config: RalphConfig,
  args: ParsedArgs,
  workspace: string,
  records: { diagnostics: Diagnostics; log: Log },
): Promise<LoopSetup> {
  const { diagnostics, log } = records;
  const files = layOutFiles(workspace);
  const resumed = args.values.has('continue');
  const notes = dirname(resolve(workspace, config.core.scratchpad.path));
  if (!existsSync(notes)) {
    log.info('ralph', `Creating scratchpad directory: ${notes}`);
    makeFolder(notes);
  }
  await acquireLoopLock(files, summarizePrompt(config), {
    exclusive: args.values.has('exclusive'),
    parallel: config.parallelLoops,
    log,
  });
  inContext('Failed to create loop directories', () => makeFolder(files.agent));
  const preflight = args.values.has('skip-preflight') ? undefined : runConfiguredPreflight(config, workspace);
  if (preflight !== undefined) {
    process.stderr.write(renderSummary(preflight, 'Preflight: ', args.values.has('verbose')));
    if (!preflight.passed) throw new CommandError(renderRefusal(preflight, config.preflight.strict));
  }
  const objective = readObjective(config);

  if (config.hats.length === 0 && !config.core.scratchpad.enabled) {
    log.warn(
      'ralph_core::event_loop',
      'core.scratchpad.enabled is false but no hats are defined. A loop without hats has no other place for notes: it is on again.',
    );
    config.core.scratchpad = { ...config.core.scratchpad, enabled: true };
  }
  rmSync(files.urgentSteer, { force: true });
  const previousId = resumed
    ? (readOption(args, 'loop-id') ?? readTextFile(files.loopIdMarker)?.trim())
    : undefined;
  const stamp = formatStamp();
  const loopId = previousId === undefined || previousId === '' ? `primary-${stamp}` : previousId;
  inContext('Failed to write current-loop-id marker', () => writeTextFile(files.loopIdMarker, loopId));
  if (!resumed) {
    inContext('Failed to write current-events marker file', () =>
      writeTextFile(files.eventsMarker, `.ralph/events-${stamp}.jsonl`),
    );
    const pads = [config.core.scratchpad, ...config.hats.flatMap(({ scratchpad }) => scratchpad ?? [])];
    for (const { path } of pads) {
      const notes = resolve(workspace, path);
      if (existsSync(notes) && !faulty('inherit-scratchpad')) rmSync(notes, { force: true });
    }
    rmSync(files.loopState, { force: true });
    if (faulty('forget-memories-between-runs')) rmSync(files.memories, { force: true });
  }
  return {
    config,
    files,
    workspace,
    loopId,
    objective,
    resumed,
    remembered: !args.values.has('resume'),
    eventsPath: readEventsMarker(workspace) ?? join(files.ralph, 'events.jsonl'),
    extraArgs: args.trailing,
    program: resolve(process.argv[1] ?? ''),
    verbose: isVerbose(args),
    diagnostics,
    log,
    hooks: new Hooks({ config, files, workspace, loopId, diagnostics, log }),
    projectSkills: readProjectSkills(config, workspace, log),
    isShown: args.values.has('legacy-tui'),
    recording: readOption(args, 'record-session'),
  };
}

/** Summarizes the prompt for the lock file. */
function summarizePrompt({ eventLoop: { prompt, promptFile } }: RalphConfig): string {
  const content = promptFile === '' ? undefined : orElse(() => readTextFile(promptFile), undefined);
  return prompt ?? content ?? '[no prompt]';
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
  return (
    inContext(`Failed to read prompt file: ${eventLoop.promptFile}`, () =>
      readTextFile(eventLoop.promptFile),
    ) ?? ''
  );
}

/** Flags win over variables, and quiet over verbose. */
function isVerbose({ values }: ParsedArgs): boolean {
  if (values.has('quiet')) return false;
  if (values.has('verbose')) return true;
  return process.env.RALPH_QUIET === undefined && process.env.RALPH_VERBOSE !== undefined;
}
