import { join } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import type { Arrangement } from '../../domain/scenario/arrangement.js';
import { joinHeadAndTail } from '../../exec/process/capture.js';
import { ATTEMPT_MARKER } from '../../exec/process/markers.js';
import { type ProcessResult, runProcess } from '../../exec/process/run-process.js';
import { redactCommands, runInside } from '../../isolation/run-inside.js';
import type { Workbench } from '../../lane/workbench.js';
import { Typist } from './typist.js';

/** One call of `ralph run` in a workspace with ralph.yml and prompt.md. */
export interface RalphCall extends Workbench {
  readonly binary: string;
  /** The folder for the output, outside the workspace, so that the agent cannot reach it. */
  readonly artifacts: string;
  readonly extraArgs: readonly string[];
  readonly terminal: Terminal;
}

/** How Ralph is run; without a terminal if undefined. */
export type Terminal = Arrangement['terminal'];

/** Returns the command line of a call. The prompt is in a file for `-P`, because Ralph takes `-p @file` literally. */
export function ralphCommand(
  binary: string,
  extraArgs: readonly string[],
  terminal?: Terminal,
): readonly [string, ...string[]] {
  const mode = terminal === undefined ? ['--no-tui'] : terminal === 'rpc' ? ['--rpc'] : [];
  const command = [binary, 'run', '-c', 'ralph.yml', ...mode, '-P', 'prompt.md', ...extraArgs] as const;
  if (terminal !== 'tui') return command;
  const line = `stty rows 40 cols 120; exec ${command.map(quoteForShell).join(' ')}`;
  return ['script', '--quiet', '--return', '--flush', '--command', line, '/dev/null'];
}

/** The environment variables of every call. With diagnostics, Ralph logs the exact prompts that it sends. */
export const RALPH_VARIABLES = { RALPH_DIAGNOSTICS: '1' } as const;

/** Runs Ralph until it exits or its time is up. */
export async function runRalph(call: RalphCall): Promise<ProcessResult> {
  const { terminal, workspace } = call;
  const [command, ...args] = ralphCommand(call.binary, call.extraArgs, terminal);
  const typist = terminal === undefined ? null : new Typist(workspace, terminal);
  const { result, leftBehind } = await runInside(
    call.sandbox,
    { command, args, cwd: call.workspace, env: call.env },
    (launch) =>
      runProcess({
        ...launch,
        timeoutMs: call.timeoutSeconds * 1000,
        stdoutPath: join(call.artifacts, 'stdout.txt'),
        stderrPath: join(call.artifacts, 'stderr.txt'),
        secrets: call.secrets,
        signal: call.signal,
        onOutput: call.onOutput,
        scope: call.scope,
        marker: { name: ATTEMPT_MARKER, value: call.attemptId },
        ...(typist === null ? {} : { onStart: ({ stdin }) => typist.start(stdin) }),
      }).finally(() => typist?.stop()),
    ({ stderr }) => joinHeadAndTail(stderr),
  );
  if (result.spawnError !== undefined) {
    throw new KnownError(`Ralph could not be started: ${result.spawnError.message}.`);
  }
  // The same process can be visible inside and outside the sandbox, with different pids.
  const left = leftBehind.length === 0 ? result.leftBehind : redactCommands(leftBehind, call.secrets);
  return { ...result, leftBehind: left };
}

function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
