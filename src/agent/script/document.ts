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
import { describePath, explainIssues, type KeyPath, valueAt } from '../../domain/common/issues.js';
import { isTooDeep } from '../../domain/common/json-lines.js';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { escapeRegex } from '../../domain/text/escape-regex.js';

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
  const asKey = new RegExp(`(?:^|[\\s{,.["'])${escapeRegex(String(key))}["']?(?:\\s*=|[.\\]])`);
  const lines = text.split('\n').flatMap((line, index) => (asKey.test(line) ? [index + 1] : []));
  return lines.length === 1 ? lines[0] : undefined;
}

const TOO_DEEP = 'this is nested too many levels deep, or contains itself';

/** Far deeper than any script, and shallow enough for whatever walks through one. As for JSON. */
const MAX_DEPTH = 500;

/** Refuses what no script file could have: code in an object that a program passes, a value that contains itself. */
export function requirePlainData({ data, lineOf }: ScriptDocument, file: string): void {
  const fail = (path: KeyPath, message: string) => scriptError(file, [{ path, message, line: lineOf(path) }]);
  // The place where each value is being walked through; one that occurs twice is walked through twice.
  const paths = new Map<unknown, KeyPath>();
  // JSON.stringify calls a function with the holder of each value as `this`.
  function visit(this: unknown, key: string, value: unknown): unknown {
    const above = paths.get(this);
    const path = above === undefined ? [] : [...above, Array.isArray(this) ? Number(key) : key];
    const message = refuseValue(value);
    if (message !== null) throw fail(path, message);
    if (path.length > MAX_DEPTH) throw fail(path.slice(0, 4), TOO_DEEP);
    if (typeof value === 'object' && value !== null) paths.set(value, path);
    return value;
  }
  try {
    JSON.stringify(data, visit);
  } catch (error) {
    // A getter may throw anything, which is its author's to read.
    const isOurs =
      error instanceof RangeError || (error instanceof TypeError && CIRCULAR.test(error.message));
    throw isOurs ? fail([], TOO_DEEP) : error;
  }
}

/** What V8 says of a value that contains itself. */
const CIRCULAR = /^Converting circular structure/;

function refuseValue(value: unknown): string | null {
  if (value instanceof RegExp)
    return `expected a text, found a regular expression: write it in quotes, as in '${value}'`;
  if (typeof value === 'bigint') return `expected a number, found the bigint ${value}n`;
  const isData = typeof value !== 'function' && typeof value !== 'symbol';
  return isData ? null : `expected data, found a ${typeof value}`;
}

/** One problem in a script file. */
export interface Problem {
  readonly message: string;
  readonly path?: KeyPath;
  readonly line?: number | undefined;
}

const SHOWN = 10;
const HINT = 'See docs/agent-script.md for the format.';

/** Makes the error about a script file: each problem with file, line and key. */
export function scriptError(file: string, problems: readonly Problem[], hint = HINT): KnownError {
  const lines = problems.slice(0, SHOWN).map(({ path = [], line, message }) => {
    const where = line === undefined ? file : `${file}:${line}`;
    return path.length === 0 ? `${where}: ${message}` : `${where}: ${describePath(path)}: ${message}`;
  });
  if (problems.length > SHOWN) lines.push(`… and ${problems.length - SHOWN} more`);
  return new KnownError(lines.join('\n'), { hint });
}
