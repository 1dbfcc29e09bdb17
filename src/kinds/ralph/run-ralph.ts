import { join } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { joinHeadAndTail } from '../../exec/process/capture.js';
import { ATTEMPT_MARKER, FOLDER_MARKER } from '../../exec/process/markers.js';
import { type ProcessResult, runProcess } from '../../exec/process/run-process.js';
import type { ProcessInfo } from '../../exec/process/tree.js';
import { redactText } from '../../exec/redact.js';
import type { Cell } from '../../isolation/launch.js';
import { runInside } from '../../isolation/run-inside.js';

/** One call of `ralph run` in a workspace that holds ralph.yml and prompt.md. */
export interface RalphCall {
  readonly binary: string;
  readonly workspace: string;
  /** Where the output goes: outside the workspace, so that the agent cannot reach it. */
  readonly artifacts: string;
  readonly extraArgs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly timeoutSeconds: number;
  readonly attemptId: string;
  /** The folder of the run: see FOLDER_MARKER. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Where it runs isolated; without it on the host. */
  readonly cell?: Cell | undefined;
}

/** The command line of a call. Headless, and the prompt from its file: `-p @file` is taken literally by ralph. */
export function ralphCommand(binary: string, extraArgs: readonly string[]): string[] {
  return [binary, 'run', '-c', 'ralph.yml', '--no-tui', '-P', 'prompt.md', ...extraArgs];
}

/** What every call of ralph adds to the environment of its lane. */
export function ralphEnvironment(
  env: Readonly<Record<string, string>>,
  folder: string,
): Readonly<Record<string, string>> {
  return {
    ...env,
    // Diagnostics make ralph log the exact prompts that it sends.
    RALPH_DIAGNOSTICS: '1',
    // When a loop succeeds ralph commits and clears stashes in the repo it finds: it must not look above the
    // workspace, even if the agent removed the repo there.
    GIT_CEILING_DIRECTORIES: folder,
    [FOLDER_MARKER]: folder,
  };
}

/** Runs ralph to its end or to the end of its time. */
export async function runRalph(call: RalphCall): Promise<ProcessResult> {
  const [command = call.binary, ...args] = ralphCommand(call.binary, call.extraArgs);
  const { result, leftBehind } = await runInside(
    call.cell,
    { command, args, cwd: call.workspace, env: ralphEnvironment(call.env, call.folder) },
    (launch) =>
      runProcess({
        ...launch,
        timeoutMs: call.timeoutSeconds * 1000,
        stdoutPath: join(call.artifacts, 'stdout.txt'),
        stderrPath: join(call.artifacts, 'stderr.txt'),
        secrets: call.secrets,
        signal: call.signal,
        marker: { name: ATTEMPT_MARKER, value: call.attemptId },
      }),
    ({ stderr }) => joinHeadAndTail(stderr),
  );
  if (result.spawnError !== undefined) {
    throw new KnownError(`ralph could not be started: ${result.spawnError.message}.`);
  }
  // What is seen inside may be seen from here as well, under another number.
  const left = leftBehind.length === 0 ? result.leftBehind : redactCommands(leftBehind, call.secrets);
  return { ...result, leftBehind: left };
}

function redactCommands(processes: readonly ProcessInfo[], secrets: readonly string[]): ProcessInfo[] {
  return processes.map(({ pid, command }) => ({ pid, command: redactText(command, secrets) }));
}
