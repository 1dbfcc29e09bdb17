import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KnownError } from '../../../domain/common/known-error.js';

/** Much larger than any text for a model, or any manifest. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Lists the markdown files below a folder as paths relative to it. Claude Code also takes hidden ones and `.MD`. The
 * folder may be a link, but Claude Code follows none below it.
 */
export function listMarkdown(folder: string): string[] {
  if (!isFolder(folder)) return [];
  const list = (below: string): string[] =>
    readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return list(path);
      return entry.isFile() && /\.md$/i.test(entry.name) ? [path] : [];
    });
  return list('').sort();
}

/** Lists the folders directly in a folder. */
export function listFolders(folder: string): string[] {
  if (!isFolder(folder)) return [];
  return readdirSync(folder)
    .filter((name) => isFolder(join(folder, name)))
    .sort();
}

export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

export function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** Reads a text file of a plugin. */
export function readText(path: string): string {
  const { size } = statSync(path);
  if (size <= MAX_BYTES) return readFileSync(path, 'utf8');
  throw new KnownError(`Expected at most ${MAX_BYTES} bytes in ${path}, found ${size}.`, {
    hint: 'Shorten the file, or remove it from the plugin.',
  });
}

/** Reads a JSON file. Null if there is none. */
export function readJsonFile(
  path: string,
): { readonly value: unknown } | { readonly mistake: string } | null {
  if (!isFile(path)) return null;
  try {
    return { value: JSON.parse(readText(path).replace(/^\uFEFF/, '')) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { mistake: `JSON Parse error: ${error.message}` };
  }
}

/** Returns a value or a list of values as a list. */
export function asList(value: unknown): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}
