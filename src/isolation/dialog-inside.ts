import { joinHeadAndTail } from '../exec/process/capture.js';
import { type Dialog, type DialogOptions, openDialog } from '../exec/process/dialog.js';
import type { ProcessResult } from '../exec/process/run-process.js';
import type { Passage } from './launch.js';
import { redactCommands, UNREPORTED } from './run-inside.js';

/** Opens a dialog with a program, inside a cell if there is one. Reports the end of the program, not of the sandbox. */
export function openDialogThrough(passage: Passage | undefined, options: DialogOptions): Dialog {
  if (passage === undefined) return openDialog(options);
  const dialog = openDialog({ ...options, ...passage.launch });
  const ended = dialog.ended.then((result) => translateEnd(result, passage, options.secrets));
  return {
    ...dialog,
    ended,
    end: async () => {
      await dialog.end();
      return ended;
    },
  };
}

async function translateEnd(
  result: ProcessResult,
  passage: Passage,
  secrets: readonly string[],
): Promise<ProcessResult> {
  if (result.timedOut || result.interrupted || result.spawnError !== undefined) return result;
  const report = await passage.settle(joinHeadAndTail(result.stderr));
  if (report === null) return { ...result, ...UNREPORTED };
  const { exitCode, signal, leftBehind } = report;
  const inside = redactCommands(leftBehind, secrets);
  return { ...result, exitCode, signal, leftBehind: [...result.leftBehind, ...inside] };
}
