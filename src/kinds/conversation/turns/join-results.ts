import { join } from 'node:path';
import { joinCaptures } from '../../../exec/process/capture.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';

/**
 * Joins the results of all processes of a conversation. The end is that of the last process that was not interrupted; the
 * output and the processes left behind are those of all.
 */
export async function joinResults(results: readonly ProcessResult[], folder: string): Promise<ProcessResult> {
  const last = results.findLast(({ interrupted }) => !interrupted);
  return {
    pid: last?.pid ?? null,
    // If no process ran, nothing went wrong.
    exitCode: last === undefined ? 0 : last.exitCode,
    signal: last?.signal ?? null,
    timedOut: last?.timedOut ?? false,
    interrupted: false,
    ...(last?.spawnError === undefined ? {} : { spawnError: last.spawnError }),
    durationMs: results.reduce((sum, { durationMs }) => sum + durationMs, 0),
    stdout: await joinCaptures(
      results.map(({ stdout }) => stdout),
      join(folder, 'stdout.txt'),
    ),
    stderr: await joinCaptures(
      results.map(({ stderr }) => stderr),
      join(folder, 'stderr.txt'),
    ),
    leftBehind: results.flatMap(({ leftBehind }) => leftBehind),
    survivors: results.flatMap(({ survivors }) => survivors),
  };
}
