import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import picomatch from 'picomatch';
import { failed, onlyReal, type ToolOutcome } from './outcome.js';

type Input = Readonly<Record<string, unknown>>;

/** Whether a search must not show a file. */
type IsHidden = (path: string) => boolean;

/** Finds files by name. */
export function glob(input: Input, cwd: string, isHidden: IsHidden): ToolOutcome {
  if (/^[/~]/.test(String(input.pattern)))
    return onlyReal('Glob with a pattern that starts outside the folder');
  const { path: given = '.' } = input;
  const root = resolve(cwd, String(given));
  const kind = kindOf(root);
  if (kind === null) return failed(`Directory does not exist: ${String(given)}. ${whereIs(cwd)}`);
  if (kind === 'file') return failed(`Path is not a directory: ${String(given)}`);
  const fits = picomatch(String(input.pattern), { dot: true });
  const filenames = listFiles(root)
    .filter((path) => fits(relative(root, path)) && !isHidden(path))
    .map((path) => relative(cwd, path));
  const count = filenames.length;
  return {
    content: count === 0 ? 'No files found' : filenames.join('\n'),
    details: {
      filenames,
      durationMs: 1,
      numFiles: count,
      truncated: false,
      totalMatches: count,
      countIsComplete: true,
    },
    isError: false,
  };
}

/** Finds files by their content. */
export function grep(input: Input, cwd: string, isHidden: IsHidden): ToolOutcome {
  const unplayed = Object.keys(input).find((key) => !PLAYED.includes(key));
  if (unplayed !== undefined) return onlyReal(`Grep with ${unplayed}`);
  const { path: given = '.' } = input;
  const root = resolve(cwd, String(given));
  const kind = kindOf(root);
  if (kind === null) return failed(`Path does not exist: ${String(given)}. ${whereIs(cwd)}`);
  const pattern = compile(String(input.pattern), input['-i'] === true ? 'i' : '');
  if (pattern === null) return onlyReal(`Grep with the pattern ${String(input.pattern)}`);
  const numbered = input['-n'] !== false;
  const fits = typeof input.glob === 'string' ? picomatch(input.glob, { dot: true }) : () => true;
  const found = (kind === 'file' ? [root] : listFiles(root))
    .filter((path) => !isHidden(path))
    .filter((path) => fits(relative(root, path)) || fits(basename(path)))
    .map((path) => {
      const lines = readFileSync(path, 'utf8').split('\n');
      const hits = lines.flatMap((line, index) =>
        pattern.test(line) ? [numbered ? `${index + 1}:${line}` : line] : [],
      );
      return { name: relative(cwd, path), hits };
    })
    .filter(({ hits }) => hits.length > 0);
  switch (input.output_mode) {
    case 'content':
      return listHits(found, kind === 'folder');
    case 'count':
      return countHits(found);
    default: {
      const filenames = found.map(({ name }) => name);
      const count = filenames.length;
      return {
        content:
          count === 0
            ? 'No files found'
            : [`Found ${count} file${count === 1 ? '' : 's'}`, ...filenames].join('\n'),
        details: { mode: 'files_with_matches', filenames, numFiles: count, totalFiles: count },
        isError: false,
      };
    }
  }
}

const PLAYED = ['pattern', 'path', 'glob', 'output_mode', '-n', '-i'];

function kindOf(path: string): 'file' | 'folder' | null {
  if (!existsSync(path)) return null;
  return statSync(path).isDirectory() ? 'folder' : 'file';
}

function whereIs(cwd: string): string {
  return `Note: your current working directory is ${cwd}.`;
}

/** Null if it is not an expression here; the real program has another syntax and its own words for mistakes. */
function compile(source: string, flags: string): RegExp | null {
  try {
    return new RegExp(source, flags);
  } catch {
    return null;
  }
}

type Found = readonly { readonly name: string; readonly hits: readonly string[] }[];

/** A search in one file does not repeat its name. */
function listHits(found: Found, isNamed: boolean): ToolOutcome {
  const lines = found.flatMap(({ name, hits }) => hits.map((hit) => (isNamed ? `${name}:${hit}` : hit)));
  const content = lines.join('\n');
  const details = { mode: 'content', numFiles: 0, filenames: [], content };
  return {
    content: content === '' ? 'No matches found' : content,
    details: { ...details, numLines: lines.length, totalLines: lines.length },
    isError: false,
  };
}

function countHits(found: Found): ToolOutcome {
  const content = found.map(({ name, hits }) => `${name}:${hits.length}`).join('\n');
  const numMatches = found.reduce((sum, { hits }) => sum + hits.length, 0);
  const total = `Found ${numMatches} total occurrence${numMatches === 1 ? '' : 's'} across ${found.length} file${found.length === 1 ? '' : 's'}.`;
  return {
    content: found.length === 0 ? 'No matches found' : `${content}\n\n${total}`,
    details: { mode: 'count', numFiles: found.length, filenames: [], content, numMatches },
    isError: false,
  };
}

/** Lists every file below a folder, except in .git and node_modules. */
function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  return entries.flatMap((entry) => {
    if (entry.name === '.git' || entry.name === 'node_modules') return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : entry.isFile() ? [path] : [];
  });
}
