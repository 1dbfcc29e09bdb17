import { join } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { joinHeadAndTail } from '../../exec/process/capture.js';
import { ATTEMPT_MARKER } from '../../exec/process/markers.js';
import { type ProcessResult, runProcess } from '../../exec/process/run-process.js';
import type { ProcessInfo } from '../../exec/process/tree.js';
import { redactText } from '../../exec/redact.js';
import { runInside } from '../../isolation/run-inside.js';
import type { Workbench } from '../../lane/workbench.js';

/** One call of `ralph run` in a workspace that holds ralph.yml and prompt.md. */
export interface RalphCall extends Workbench {
  readonly binary: string;
  /** Where the output goes: outside the workspace, so that the agent cannot reach it. */
  readonly artifacts: string;
  readonly extraArgs: readonly string[];
}

/** The command line of a call. Headless, and the prompt from its file: `-p @file` is taken literally by ralph. */
export function ralphCommand(binary: string, extraArgs: readonly string[]): string[] {
  return [binary, 'run', '-c', 'ralph.yml', '--no-tui', '-P', 'prompt.md', ...extraArgs];
}

/** What every call of ralph adds to its environment: diagnostics make it log the exact prompts that it sends. */
export const RALPH_VARIABLES = { RALPH_DIAGNOSTICS: '1' } as const;

/** Runs ralph to its end or to the end of its time. */
export async function runRalph(call: RalphCall): Promise<ProcessResult> {
  const [command = call.binary, ...args] = ralphCommand(call.binary, call.extraArgs);
  const { result, leftBehind } = await runInside(
    call.cell,
    { command, args, cwd: call.workspace, env: call.env },
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
