import { extname } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { hasErrorCode } from '../../exec/error-code.js';
import type { LoadedScript } from './compiled-script.js';
import { readTextFile } from './read-text.js';

/** Loads a script file. Imports the parsers on demand, because stand-ins start hundreds of times in a run. */
export async function loadScriptFile(path: string): Promise<LoadedScript> {
  const format = syntaxOf(path);
  const text = readScriptText(path);
  const { parseScript } = await import('./parse.js');
  return parseScript(text, { format, file: path });
}

/** Loads a script that a program passes as an object: the content of a file, or a compiled script. */
export async function loadScriptObject(data: unknown): Promise<LoadedScript> {
  const { parseScriptObject } = await import('./parse.js');
  return parseScriptObject(data);
}

/** Converts a script file to the next claudeless format, or to our own. */
export async function convertScriptFile(
  path: string,
  options: { readonly to?: 'ours' } = {},
): Promise<string> {
  const format = syntaxOf(path);
  const text = readScriptText(path);
  const { convertScript } = await import('./convert.js');
  return convertScript(text, format, { ...options, file: path });
}

/** Derives the syntax from the name of a script file. */
function syntaxOf(path: string): 'yaml' | 'toml' | 'json' {
  const extension = extname(path).toLowerCase();
  switch (extension) {
    case '.yaml':
    case '.yml':
      return 'yaml';
    case '.toml':
      return 'toml';
    case '.json':
      return 'json';
    default:
      throw new KnownError(
        `${path}: expected a file name that ends in .yaml, .yml, .toml or .json, found ${extension === '' ? 'no extension' : `"${extension}"`}`,
        { hint: 'Rename the file to match its syntax.' },
      );
  }
}

/** Reads a script file; throws a KnownError if it cannot. */
function readScriptText(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    const reason = hasErrorCode(error, 'ENOENT', 'ENOTDIR')
      ? 'this file does not exist.'
      : `the file cannot be read: ${messageOf(error)}`;
    throw new KnownError(`${path}: expected an agent script, but ${reason}`, {
      hint: 'Check the path. It is relative to the current folder.',
    });
  }
}
