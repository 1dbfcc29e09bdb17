import { joinHeadAndTail } from '../exec/process/capture.js';
import { type Dialog, type DialogOptions, openDialog } from '../exec/process/dialog.js';
import { type ProcessInfo, shortenCommand } from '../exec/process/tree.js';
import { redactText } from '../exec/redact.js';
import type { InsideReport, Launch, Sandbox, SandboxEntry } from './launch.js';

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

/** Runs a program, inside a sandbox if there is one. Reports the end of the program, not of the sandbox. */
export async function runInside<Result extends Ended>(
  sandbox: Sandbox | undefined,
  launch: Launch,
  start: (launch: Launch) => Promise<Result>,
  stderrOf: (result: Result) => string,
): Promise<{ readonly result: Result; readonly leftBehind: readonly ProcessInfo[] }> {
  if (sandbox === undefined) return { result: await start(launch), leftBehind: [] };
  const entry = await sandbox.enter(launch);
  const result = await start(entry.launch);
  return translateEnd(result, entry, stderrOf(result));
}

/** Opens a dialog with a program, inside a sandbox if there is one. Reports the end of the program, not of the sandbox. */
export function openDialogThrough(entry: SandboxEntry | undefined, options: DialogOptions): Dialog {
  if (entry === undefined) return openDialog(options);
  const dialog = openDialog({ ...options, ...entry.launch });
  const ended = dialog.ended.then(async (outside) => {
    const { result, leftBehind } = await translateEnd(outside, entry, joinHeadAndTail(outside.stderr));
    const inside = redactCommands(leftBehind, options.secrets);
    return { ...result, leftBehind: [...result.leftBehind, ...inside] };
  });
  return {
    ...dialog,
    ended,
    end: async () => {
      await dialog.end();
      return ended;
    },
  };
}

/** The end of a program if its warden was killed. What the sandbox itself says could be the word of an agent. */
const UNREPORTED: InsideReport = { exitCode: null, signal: 'SIGKILL', leftBehind: [] };

async function translateEnd<Result extends Ended>(result: Result, entry: SandboxEntry, stderr: string) {
  if (result.timedOut || result.interrupted === true || result.spawnError !== undefined)
    return { result, leftBehind: [] };
  const { exitCode, signal, leftBehind } = (await entry.settle(stderr)) ?? UNREPORTED;
  return { result: { ...result, exitCode, signal }, leftBehind };
}
