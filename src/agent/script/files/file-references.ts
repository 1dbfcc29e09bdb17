import { dirname, extname, resolve } from 'node:path';
import { isTooDeep } from '../../../domain/common/json-lines.js';
import { KnownError } from '../../../domain/common/known-error.js';
import { mapTexts } from '../../../domain/common/map-texts.js';
import { messageOf } from '../../../domain/common/message-of.js';
import { isMapping } from '../../../domain/common/strict.js';
import { quoteTemplate } from '../../engine/template.js';
import { readTextFile } from './read-text.js';

/** Reads the files that a script refers to with `{ $file: path }`; paths are relative to the script. */
export interface FileReferences {
  /** Reads a file and escapes it, so that it is not filled as a template. */
  readText(path: string): string;
  /** Replaces every reference in a tool's input: with data for a `.json` file, otherwise with the file's text. */
  replaceIn(input: Input): Input;
}

type Input = Record<string, unknown>;

/** Opens the references of the script at this path. */
export function openReferences(script: string): FileReferences {
  const read = (path: string): string => {
    const target = resolve(dirname(script), path);
    try {
      return readTextFile(target);
    } catch (error) {
      throw new KnownError(`${script}: $file needs a text file at ${target}: ${messageOf(error)}`, {
        hint: "$file paths are relative to the script's folder.",
      });
    }
  };
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (!isMapping(value)) return value;
    const { $file: path, ...others } = value;
    if (typeof path === 'string' && Object.keys(others).length === 0) return content(path);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replace(item)]));
  };
  const content = (path: string): unknown =>
    mapTexts(
      extname(path) === '.json' ? parseJson(read(path), `${script}: ${path}`) : read(path),
      quoteTemplate,
    );
  const replaceIn = (input: Input): Input => {
    const replaced = replace(input);
    if (isMapping(replaced)) return replaced;
    throw new KnownError(
      `${script}: expected the file ${String(input.$file)} to contain a JSON mapping, because it is a tool's input`,
    );
  };
  return { readText: (path) => quoteTemplate(read(path)), replaceIn };
}

function parseJson(text: string, where: string): unknown {
  if (isTooDeep(text)) throw new KnownError(`${where}: expected JSON, found data that is nested too deep`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KnownError(
      `${where}: expected JSON because of the file's name, but it cannot be parsed: ${messageOf(error)}`,
    );
  }
}
