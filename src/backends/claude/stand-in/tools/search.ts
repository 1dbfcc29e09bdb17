import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { ToolOutcome } from './outcome.js';

type Input = Readonly<Record<string, unknown>>;

/** Finds files by name. */
export function glob(input: Input, cwd: string): ToolOutcome {
  const root = resolve(cwd, typeof input.path === 'string' ? input.path : '.');
  const pattern = globToRegex(String(input.pattern));
  const filenames = listFiles(root)
    .filter((path) => pattern.test(relative(root, path)))
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
export function grep(input: Input, cwd: string): ToolOutcome {
  const root = resolve(cwd, typeof input.path === 'string' ? input.path : '.');
  const pattern = new RegExp(String(input.pattern), input['-i'] === true ? 'i' : '');
  const names = typeof input.glob === 'string' ? globToRegex(input.glob) : null;
  const found = listFiles(root)
    .filter(
      (path) =>
        names === null || names.test(relative(root, path)) || names.test(path.split('/').at(-1) ?? ''),
    )
    .map((path) => {
      const lines = readFileSync(path, 'utf8').split('\n');
      const hits = lines.flatMap((line, index) => (pattern.test(line) ? [`${index + 1}:${line}`] : []));
      return { name: relative(cwd, path), hits };
    })
    .filter(({ hits }) => hits.length > 0);
  switch (input.output_mode) {
    case 'content':
      return listHits(found);
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

type Found = readonly { readonly name: string; readonly hits: readonly string[] }[];

function listHits(found: Found): ToolOutcome {
  const lines = found.flatMap(({ name, hits }) => hits.map((hit) => `${name}:${hit}`));
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

/** `**` crosses folders, `*` and `?` do not, `{a,b}` matches either. */
function globToRegex(pattern: string): RegExp {
  const source = pattern
    .split(/(\*\*\/|\*\*|\*|\?|\{[^}]*\})/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?';
      if (part === '**') return '.*';
      if (part === '*') return '[^/]*';
      if (part === '?') return '[^/]';
      const either = /^\{(.*)\}$/.exec(part)?.[1];
      if (either !== undefined) return `(?:${either.split(',').map(escapeRegex).join('|')})`;
      return escapeRegex(part);
    })
    .join('');
  return new RegExp(`^${source}$`);
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.|?*+(){}[\]]/g, '\\$&');
}
