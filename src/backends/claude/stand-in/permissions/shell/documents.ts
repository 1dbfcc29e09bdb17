import { Opaque } from './words.js';

/** A here-document whose text starts in the next line. */
export interface PendingDocument {
  readonly delimiter: string;
  /** `<<-` ignores tabs before the delimiter. */
  readonly ignoresTabs: boolean;
  /** A delimiter like `\EOF`: the real program does not know what the shell makes of sums in the text. */
  readonly isEscaped: boolean;
}

/** Reads a delimiter. Only one that is quoted as a whole, without variables, makes the text plain data. */
export function pendingDocument(raw: string, ignoresTabs: boolean): PendingDocument {
  if (!/['"\\]/.test(raw)) throw new Opaque('Heredoc with unquoted delimiter undergoes shell expansion');
  const [, single, double, escaped] = /^(?:'([\w ]+)'|"([\w ]+)"|\\(\w+))$/.exec(raw) ?? [];
  const delimiter = single ?? double ?? escaped;
  if (delimiter === undefined) throw new Opaque('Parser aborted (timeout, resource limit, or over-length)');
  return { delimiter, ignoresTabs, isEscaped: escaped !== undefined };
}

/** Returns where the last of the documents that start at `at` ends. */
export function afterDocuments(source: string, at: number, pending: readonly PendingDocument[]): number {
  return pending.reduce((start, { delimiter, ignoresTabs, isEscaped }) => {
    for (let from = source[start] === '\n' && start !== at ? start + 1 : start; from < source.length; ) {
      const found = source.indexOf('\n', from);
      const end = found < 0 ? source.length : found;
      const line = source.slice(from, end);
      if (isEscaped && /\$(?:\(\(|\[)/.test(line)) throw new Opaque(UNCHECKED_REMOVAL);
      if (line.endsWith('\\')) throw new Opaque('Contains backslash-escaped whitespace');
      if ((ignoresTabs ? line.replace(/^\t+/, '') : line) === delimiter) return end;
      from = end + 1;
    }
    throw new Opaque('Parse error');
  }, at);
}

/** Claude Code asks about this in every mode. */
export const UNCHECKED_REMOVAL =
  'This command could not be checked for dangerous rm operations: the shell may read it differently than it was parsed. This requires explicit approval.';
