import { dirname, extname, resolve } from 'node:path';
import { isMapping, isTooDeep } from '../../domain/common/json-lines.js';
import { KnownError } from '../../domain/common/known-error.js';
import { mapTexts } from '../../domain/common/map-texts.js';
import { messageOf } from '../../domain/common/message-of.js';
import { quoteTemplate } from '../engine/template.js';
import { readTextFile } from './read-text.js';

/**
 * Replaces every `{ $file: path }` in a script with the file's text, escaped so that it is not filled as a template. In
 * the input of a tool, a `.json` file is data. Paths are relative to the script.
 */
export function readReferences(value: unknown, script: string, asData = false): unknown {
  if (Array.isArray(value)) return value.map((item) => readReferences(item, script, asData));
  if (!isMapping(value)) return value;
  const { $file: path, ...others } = value;
  if (typeof path === 'string' && Object.keys(others).length === 0) {
    const text = read(path, script);
    const content = asData && extname(path) === '.json' ? parseJson(text, `${script}: ${path}`) : text;
    return mapTexts(content, quoteTemplate);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isInput = !asData && key === 'input';
      const found = readReferences(item, script, asData || isInput);
      if (isInput && isMapping(item) && !isMapping(found))
        throw new KnownError(
          `${script}: expected the file ${String(item.$file)} to contain a JSON mapping, because it is a tool's input`,
        );
      return [key, found];
    }),
  );
}

function read(path: string, script: string): string {
  const target = resolve(dirname(script), path);
  try {
    return readTextFile(target);
  } catch (error) {
    throw new KnownError(`${script}: $file needs a text file at ${target}: ${messageOf(error)}`, {
      hint: "$file paths are relative to the script's folder.",
    });
  }
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
