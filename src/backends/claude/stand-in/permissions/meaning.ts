import { FILE_WRITERS, UNACCEPTED_WRITERS } from './commands.js';
import { readsOnly } from './readers/operands.js';
import type { ShellCommand } from './shell/parse.js';
import type { ShellWord } from './shell/words.js';
import { AROUND_EDITS, AROUND_READERS, unwrap } from './wrappers.js';

/** A command as Claude Code takes it. */
export interface MeantCommand extends ShellCommand {
  /** The programs that only start it. */
  readonly wrappers: readonly string[];
}

/** Edits are found behind more wrappers than commands that only read. */
export function meaningOf(command: ShellCommand): MeantCommand {
  const edit = unwrap(command.words, [AROUND_EDITS]);
  const [head, ...rest] = edit.words;
  return isWriter(head?.text ?? '', rest)
    ? { ...command, ...edit }
    : { ...command, ...unwrap(command.words, AROUND_READERS) };
}

function isWriter(name: string, rest: readonly ShellWord[]): boolean {
  if (name === 'sed') return !readsOnly(name, rest);
  return FILE_WRITERS.includes(name) || UNACCEPTED_WRITERS.includes(name);
}
