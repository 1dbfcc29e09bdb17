import { Opaque } from './words.js';

/** A here-document whose text starts in the next line. */
export interface PendingDocument {
  readonly delimiter: string;
  /** `<<-` ignores tabs before the delimiter. */
  readonly ignoresTabs: boolean;
  /** Nothing in the text may look like code: the real program does not trust a delimiter like `\EOF` for more. */
  readonly isPlain: boolean;
}

/** Reads a delimiter. Only one that is quoted as a whole, without variables, makes the text plain data. */
export function pendingDocument(raw: string, ignoresTabs: boolean): PendingDocument {
  if (!/['"\\]/.test(raw)) throw new Opaque('Heredoc with unquoted delimiter undergoes shell expansion');
  const [, single, double, escaped] = /^(?:'([\w ]+)'|"([\w ]+)"|\\(\w+))$/.exec(raw) ?? [];
  const delimiter = single ?? double ?? escaped;
  if (delimiter === undefined) throw new Opaque('Parser aborted (timeout, resource limit, or over-length)');
  return { delimiter, ignoresTabs, isPlain: escaped !== undefined };
}

/** Returns where the last of the documents that start at `at` ends. */
export function afterDocuments(source: string, at: number, pending: readonly PendingDocument[]): number {
  return pending.reduce((start, { delimiter, ignoresTabs, isPlain }) => {
    for (let from = source[start] === '\n' && start !== at ? start + 1 : start; from < source.length; ) {
      const found = source.indexOf('\n', from);
      const end = found < 0 ? source.length : found;
      const line = source.slice(from, end);
      if (isPlain && /[$`]/.test(line)) throw new Opaque('Parse error');
      if (line.endsWith('\\')) throw new Opaque('Contains backslash-escaped whitespace');
      if ((ignoresTabs ? line.replace(/^\t+/, '') : line) === delimiter) return end;
      from = end + 1;
    }
    throw new Opaque('Parse error');
  }, at);
}
