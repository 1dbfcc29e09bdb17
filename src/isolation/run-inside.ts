import { type ProcessInfo, shortenCommand } from '../exec/process/tree.js';
import { redactText } from '../exec/redact.js';
import type { Cell, Launch } from './launch.js';

/** The common part of the results of `runProcess` and `runCommand`. */
interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly interrupted?: boolean;
  readonly spawnError?: unknown;
}

/** Makes command lines from a sandbox fit for reports. */
export function redactCommands(processes: readonly ProcessInfo[], secrets: readonly string[]): ProcessInfo[] {
  return processes.map(({ pid, command }) => ({
    pid,
    command: shortenCommand(redactText(command, secrets)),
  }));
}

/** The end of a program if its warden was killed. What the sandbox itself says could be the word of an agent. */
export const UNREPORTED = { exitCode: null, signal: 'SIGKILL' };

/** Runs a program, inside a cell if there is one. Reports the end of the program, not of the sandbox. */
export async function runInside<Result extends Ended>(
  cell: Cell | undefined,
  launch: Launch,
  start: (launch: Launch) => Promise<Result>,
  stderrOf: (result: Result) => string,
): Promise<{ readonly result: Result; readonly leftBehind: readonly ProcessInfo[] }> {
  if (cell === undefined) return { result: await start(launch), leftBehind: [] };
  const passage = await cell.enter(launch);
  const result = await start(passage.launch);
  if (result.timedOut || result.interrupted === true || result.spawnError !== undefined)
    return { result, leftBehind: [] };
  const report = await passage.settle(stderrOf(result));
  if (report === null) return { result: { ...result, ...UNREPORTED }, leftBehind: [] };
  const { exitCode, signal, leftBehind } = report;
  return { result: { ...result, exitCode, signal }, leftBehind };
}
