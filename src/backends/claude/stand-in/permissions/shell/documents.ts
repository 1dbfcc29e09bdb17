import { Opaque } from './words.js';

/** A here-document whose text starts in the next line. */
export interface PendingDocument {
  readonly delimiter: string;
  /** `<<-` ignores tabs before the delimiter. */
  readonly ignoresTabs: boolean;
}

/** Reads a delimiter. Only one that is quoted as a whole, without variables, makes the text plain data. */
export function pendingDocument(raw: string, ignoresTabs: boolean): PendingDocument {
  if (!/['"\\]/.test(raw)) throw new Opaque('Heredoc with unquoted delimiter undergoes shell expansion');
  const [, single, double, escaped] = /^(?:'([\w ]+)'|"([\w ]+)"|\\(\w+))$/.exec(raw) ?? [];
  const delimiter = single ?? double ?? escaped;
  if (delimiter === undefined) throw new Opaque(ABORTED);
  return { delimiter, ignoresTabs };
}

/** Returns where the last of the documents that start at `at` ends. */
export function afterDocuments(source: string, at: number, pending: readonly PendingDocument[]): number {
  return pending.reduce((start, { delimiter, ignoresTabs }) => {
    for (let from = source[start] === '\n' && start !== at ? start + 1 : start; from < source.length; ) {
      const found = source.indexOf('\n', from);
      const end = found < 0 ? source.length : found;
      const line = source.slice(from, end);
      if (line.endsWith('\\')) throw new Opaque('Contains backslash-escaped whitespace');
      const text = ignoresTabs ? line.replace(/^\t+/, '') : line;
      if (text === delimiter) return end;
      if (text.startsWith(`${delimiter})`)) throw new Opaque(ABORTED);
      from = end + 1;
    }
    throw new Opaque('Parse error');
  }, at);
}

/** Whether a sum beside a quoted here-document keeps Claude Code from knowing what the shell makes of the line. */
export function hidesSum(source: string): boolean {
  if (!/<<-?[ \t]*['"\\]/.test(source)) return false;
  const open: string[] = [];
  const others = source.split('\n').filter((line) => {
    if (open[0] !== undefined) {
      if (line.replace(/^\t+/, '') === open[0]) open.shift();
      return false;
    }
    open.push(...[...line.matchAll(/<<-?[ \t]*(?:'([\w ]+)'|"([\w ]+)")/g)].map(([, a, b]) => a ?? b ?? ''));
    return true;
  });
  return SUM.test(open.length > 0 ? source : others.join('\n'));
}

const SUM = /\$(?:\(\(|\[)/;
const ABORTED = 'Parser aborted (timeout, resource limit, or over-length)';

/** Claude Code asks about this in every mode. */
export const UNCHECKED_REMOVAL =
  'This command could not be checked for dangerous rm operations: the shell may read it differently than it was parsed. This requires explicit approval.';
