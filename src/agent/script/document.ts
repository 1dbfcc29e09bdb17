import { parse as parseToml, TomlError } from 'smol-toml';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLError,
} from 'yaml';
import type * as z from 'zod';
import { explainIssues, type KeyPath, valueAt } from '../../domain/common/issues.js';
import { isTooDeep } from '../../domain/common/json-lines.js';
import type { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { type Problem, scriptError } from './problems.js';

/** The syntaxes of script files. */
export type ScriptSyntax = 'yaml' | 'toml' | 'json';

/** A parsed file that still knows the line of each key. */
export interface ScriptDocument {
  readonly data: unknown;
  /** The line of a key, or of its nearest ancestor; undefined if the parser does not know. */
  lineOf(path: KeyPath): number | undefined;
}

/** Parses the syntax of a file; reports a mistake with its line. */
export function readDocument(text: string, syntax: ScriptSyntax, file: string): ScriptDocument {
  // The parsers call themselves for each level, and at the end of the stack V8 may end the process.
  const isDeep = syntax === 'json' ? isTooDeep(text) : OPENS_MANY.test(text);
  if (isDeep) throw scriptError(file, [{ message: TOO_DEEP }]);
  try {
    return READERS[syntax](text.replace(/^\uFEFF/, ''), file);
  } catch (error) {
    if (error instanceof RangeError) throw scriptError(file, [{ message: TOO_DEEP }]);
    throw error;
  }
}

/** In YAML and TOML only what opens at once can be told from brackets in a text. */
const OPENS_MANY = /(?:[[{]\s{0,50}|[-?] ){200}/;

const READERS: Readonly<Record<ScriptSyntax, (text: string, file: string) => ScriptDocument>> = {
  yaml: readYaml,
  toml: readToml,
  json: readJson,
};

/** Parses a document with a schema, or throws an error that lists its problems. */
export function parseDocumentAs<T>(
  schema: z.ZodType<T>,
  document: ScriptDocument,
  file: string,
  hint?: string,
): T {
  const parsed = schema.safeParse(document.data);
  if (parsed.success) return parsed.data;
  const problems = explainIssues(parsed.error.issues, document.data);
  throw scriptError(
    file,
    problems.map(({ path, message }) => {
      // A missing key has no line, but its parent has one.
      const missing = valueAt(document.data, path) === undefined;
      return { path, message, line: document.lineOf(missing ? path.slice(0, -1) : path) };
    }),
    hint,
  );
}

function readYaml(text: string, file: string): ScriptDocument {
  const { document, lineOf } = parseYaml(text);
  const [mistake] = [...document.errors, ...document.warnings];
  if (mistake !== undefined) throw syntaxError('YAML', mistake, file);
  return { data: toPlainData(document, file), lineOf };
}

function parseYaml(text: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true });
  const lineOf = (path: KeyPath): number | undefined => {
    const offset = findOffset(document, path);
    return offset === undefined ? undefined : lines.linePos(offset).line;
  };
  return { document, lineOf };
}

function syntaxError(syntax: string, { message, linePos }: YAMLError, file: string): KnownError {
  const [reason = ''] = message.split(/ at line \d+|\n/);
  return scriptError(file, [{ line: linePos?.[0].line, message: `this is not ${syntax}: ${reason}` }]);
}

function toPlainData(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // An alias without an anchor, or so many aliases that they look like an attack.
    throw scriptError(file, [{ message: messageOf(error) }]);
  }
}

function findOffset(document: Document, path: KeyPath): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (pair === undefined) return offset;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node satisfies Node) : null)
    ?.range?.[0];
}

/** JSON is valid YAML, so YAML's parser finds the lines, and duplicate keys. */
function readJson(text: string, file: string): ScriptDocument {
  const data = parseJson(text, file);
  const { document, lineOf } = parseYaml(text);
  const twice = document.errors.find(({ code }) => code === 'DUPLICATE_KEY');
  if (twice !== undefined) throw syntaxError('JSON', twice, file);
  return { data, lineOf };
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = messageOf(error);
    const position = /at position (\d+)/.exec(message)?.[1];
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
    throw scriptError(file, [{ line, message: `this is not JSON: ${message}` }]);
  }
}

function readToml(text: string, file: string): ScriptDocument {
  try {
    return { data: parseToml(text), lineOf: (path) => findTomlKey(text, path) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw scriptError(file, [{ line: error.line, message: `this is not TOML: ${message}` }]);
  }
}

/** The TOML parser keeps no positions of valid keys; a key that occurs on one line only can still be found. */
function findTomlKey(text: string, path: KeyPath): number | undefined {
  const key = path.findLast((part) => typeof part === 'string');
  if (key === undefined) return undefined;
  const escaped = String(key).replace(/[\\^$.|?*+(){}[\]]/g, '\\$&');
  const asKey = new RegExp(`(?:^|[\\s{,.["'])${escaped}["']?(?:\\s*=|[.\\]])`);
  const lines = text.split('\n').flatMap((line, index) => (asKey.test(line) ? [index + 1] : []));
  return lines.length === 1 ? lines[0] : undefined;
}

/** Far deeper than any script, and shallow enough for whatever walks through one. */
const MAX_DEPTH = 200;

/** What a script says that is nested too deep. */
const TOO_DEEP = `this is nested more than ${MAX_DEPTH} levels deep, or contains itself`;

/** Finds a value that no script file could have: one that contains itself, a number too large for JSON, code. */
export function findUnplain(data: unknown): (Problem & { readonly path: KeyPath }) | null {
  // YAML's aliases share values, so each is walked through only as often as it is deeper than before.
  const depths = new Map<object, number>();
  const walk = (value: unknown, path: KeyPath): (Problem & { readonly path: KeyPath }) | null => {
    const message = refuse(value);
    if (message !== null) return { path, message };
    if (typeof value !== 'object' || value === null) return null;
    if (path.length > MAX_DEPTH) return { path: path.slice(0, 4), message: TOO_DEEP };
    if ((depths.get(value) ?? -1) >= path.length) return null;
    depths.set(value, path.length);
    const entries: Iterable<readonly [PropertyKey, unknown]> = Array.isArray(value)
      ? value.entries()
      : Object.entries(value);
    for (const [key, item] of entries) {
      const found = walk(item, [...path, key]);
      if (found !== null) return found;
    }
    return null;
  };
  return walk(data, []);
}

function refuse(value: unknown): string | null {
  if (value instanceof RegExp)
    return `expected a text, found a regular expression: write it in quotes, as in '${value}'`;
  if (typeof value === 'bigint') return `expected a number, found the bigint ${value}n`;
  if (typeof value === 'function' || typeof value === 'symbol')
    return `expected data, found a ${typeof value}`;
  return null;
}
