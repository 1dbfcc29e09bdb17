import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { orElse } from '../failure.js';
import { faulty } from '../faults.js';
import { describeTermination, type TerminationReason } from '../loop/termination.js';
import { type Files, readTextFile } from '../store/files.js';
import { formatElapsed } from '../time.js';

/** Facts about the end of a loop. */
export interface LoopEnd {
  readonly reason: TerminationReason;
  readonly iterations: number;
  readonly elapsedMs: number;
  readonly costUsd: number;
}

/** Renders the payload of `loop.terminate`, the only reliable record of how a loop ended. */
export function renderTerminatePayload({ reason, iterations, elapsedMs }: LoopEnd): string {
  const { status, exitCode } = describeTermination(reason);
  return `## Reason\n${reason}\n\n## Status\n${status}\n\n## Summary\n- Iterations: ${iterations}\n- Duration: ${formatElapsed(elapsedMs)}\n- Exit code: ${exitCode}`;
}

/** Writes summary.md. Its list of events is always empty, because the real Ralph reads the wrong file. */
export function writeSummary(end: LoopEnd, files: Files, workspace: string, scratchpad: string): void {
  // Notes without tasks also count as not found.
  const notes = orElse(() => readTextFile(resolve(workspace, scratchpad)), undefined) ?? '';
  const tasks = notes
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^- \[[ x~]\]/.test(line));
  // Do not create the folder: a removed workspace gets no summary.
  writeFileSync(
    files.summary,
    `# Loop Summary

**Status:** ${describeTermination(chooseReason(end.reason)).summary}
**Iterations:** ${end.iterations}
**Duration:** ${formatElapsed(end.elapsedMs)}${end.costUsd > 0 ? `\n**Est. cost:** $${end.costUsd.toFixed(2)}` : ''}

## Tasks

${tasks.length === 0 ? '_No scratchpad found._' : tasks.join('\n')}

## Events

_No events recorded._
${renderFinalCommit(workspace)}`,
  );
}

function chooseReason(reason: TerminationReason): TerminationReason {
  return reason !== 'completed' && faulty('praise-every-end') ? 'completed' : reason;
}

function renderFinalCommit(workspace: string): string {
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%h: %s'], {
    cwd: workspace,
    encoding: 'utf8',
  });
  return status === 0 && stdout.trim() !== '' ? `\n## Final Commit\n\n${stdout.trim()}\n` : '';
}
