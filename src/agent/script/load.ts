import { extname } from 'node:path';
import type { AgentScript } from '../../domain/agent-script.js';
import { isMapping } from '../../domain/common/json-lines.js';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { hasErrorCode } from '../../exec/error-code.js';
import type { RuleBuilder } from '../builder.js';
import type { LoadedScript } from './compiled-script.js';
import type { ScriptContent } from './native/schema.js';
import { readTextFile } from './read-text.js';

/** Loads a script file. Imports the parsers on demand, because stand-ins start hundreds of times in a run. */
export async function loadScriptFile(path: string): Promise<LoadedScript> {
  const format = syntaxOf(path);
  const text = readScriptText(path);
  const { parseScript } = await import('./parse.js');
  return parseScript(text, { format, file: path });
}

/** Where a program gets a script from: the path of a file, its content as an object, or rules from the builder. */
export type ScriptSource = string | ScriptContent | AgentScript | readonly RuleBuilder[];

/** Loads a script from any source. Errors name the key of each mistake. */
export async function loadScriptSource(source: ScriptSource): Promise<LoadedScript> {
  if (typeof source === 'string') return loadScriptFile(source);
  if (Array.isArray(source)) return loadScriptObject({ format: 1, rules: source.map(toRule) });
  if (isMapping(source)) return loadScriptObject(source);
  throw new KnownError(`Expected a script, found ${source === null ? 'null' : typeof source}.`, {
    hint: 'Pass the path of a script file, an object with `rules`, or rules such as `onPrompt("hi").says("Hello")`.',
  });
}

function toRule(builder: unknown, index: number): unknown {
  if (isMapping(builder) && isMapping(builder.rule)) return builder.rule;
  throw new KnownError(`rules[${index}]: expected a rule from the builder, found ${typeof builder}.`, {
    hint: 'Rules start with `onPrompt`, `onAnyPrompt`, `onHat`, `onEvent` or `onObjective`.',
  });
}

/** Loads the content of a file, or a compiled script. */
async function loadScriptObject(data: unknown): Promise<LoadedScript> {
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
