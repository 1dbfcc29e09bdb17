import { splitShellLine } from '../../../../domain/text/shell-line.js';

/**
 * Says what Claude Code reads into an exit code that is no failure; null if it is one. It looks at the last command.
 * Undefined if the line has such a command and cannot be read.
 */
export function meaningOfExit(command: string, exitCode: number | null): string | null | undefined {
  if (exitCode !== 1) return null;
  const parts = splitShellLine(command);
  if (parts === null)
    return /(?:^|[\s;&|(])(?:[ef]?grep|rg|find|diff|test|\[)\s/.test(command) ? undefined : null;
  return MEANINGS.get(parts.at(-1)?.words[0] ?? '') ?? null;
}

/** What the exit code 1 means. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ...['grep', 'egrep', 'fgrep', 'rg'].map((name) => [name, 'No matches found'] as const),
  ['find', 'Some directories were inaccessible'],
  ['diff', 'Files differ'],
  ['test', 'Condition is false'],
]);
