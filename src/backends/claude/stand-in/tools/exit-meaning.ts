import { parseCommandLine } from '../permissions/shell/parse.js';

/** Says what Claude Code reads into an exit code that is no failure, or returns null. It looks at the last command. */
export function meaningOfExit(command: string, exitCode: number | null): string | null {
  if (exitCode !== 1) return null;
  const line = parseCommandLine(command, { home: '/', cwd: '/' });
  const last = line.kind === 'commands' ? line.commands.at(-1) : undefined;
  const name = last?.words[0]?.raw;
  if (last === undefined || name === undefined || !last.source.startsWith(name)) return null;
  const start = command.lastIndexOf(last.source);
  const [before, after] = [command.slice(0, start), command.slice(start + last.source.length)];
  const standsAlone = /(?:^|[;&|\n])\s*$/.test(before) && /^\s*(?:\d*[<>][^;&|\n]*)?$/.test(after);
  return start >= 0 && standsAlone ? (MEANINGS.get(name) ?? null) : null;
}

/** What the exit code 1 means. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ...['grep', 'egrep', 'fgrep', 'rg'].map((name) => [name, 'No matches found'] as const),
  ['find', 'Some directories were inaccessible'],
  ['diff', 'Files differ'],
  ['test', 'Condition is false'],
  ['[', 'Condition is false'],
]);
