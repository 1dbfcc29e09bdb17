import { isMapping } from '../domain/common/json-lines.js';

/** Writes values as JavaScript source. Text from a folder is data: it must not end a string or a comment. */

const WIDTH = 110;

/** Invisible characters and line ends, which are written as escapes. */
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}/gu;

/** Writes a string literal on one line, with the quotes that need fewer escapes. */
export function quoteText(text: string): string {
  const quote = count(text, "'") > count(text, '"') ? '"' : "'";
  const escaped = text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`).replace(UNSEEN, escapeUnseen);
  return `${quote}${escaped}${quote}`;
}

/** Writes a value. A string of several lines becomes a join of its lines. */
export function writeValue(value: unknown, indent: string): string {
  if (typeof value === 'string') return writeText(value, indent);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => writeValue(item, inner));
    return value.some(isMapping) ? spread('[', items, ']', indent) : fitOrSpread('[', items, ']', indent);
  }
  if (!isMapping(value)) return String(value);
  const fields = Object.entries(value).map(([key, item]) => `${writeKey(key)}: ${writeValue(item, inner)}`);
  if (fields.length === 0) return '{}';
  const isFlat =
    fields.length <= 3 && !Object.values(value).some((item) => typeof item === 'object' && item !== null);
  return isFlat ? fitOrSpread('{ ', fields, ' }', indent) : spread('{', fields, '}', indent);
}

/** Writes a call with its arguments, on one line if it fits. */
export function writeCall(name: string, args: readonly unknown[], indent: string): string {
  const [only] = args;
  if (args.length === 1) return `${name}(${writeValue(only, indent)})`;
  return `${name}${fitOrSpread(
    '(',
    args.map((arg) => writeValue(arg, `${indent}  `)),
    ')',
    `${indent}${' '.repeat(name.length)}`,
    indent,
  )}`;
}

/** Writes a field whose value is an object; its fields are already source. */
export function writeFields(key: string, fields: readonly string[], indent: string): string {
  return `${indent}${key}: ${fitOrSpread('{ ', fields, ' }', `${indent}${' '.repeat(key.length + 3)}`, indent)}`;
}

/** Writes an import. */
export function writeImport(names: readonly string[], module: string): string {
  const from = ` from '${module}';`;
  return `import ${fitOrSpread('{ ', names, ' }', ' '.repeat(`import ${from}`.length), '')}${from}`;
}

/** Writes a comment, wrapped into lines. */
export function writeComment(text: string, indent: string): string[] {
  const prefix = `${indent}// `;
  const lines: string[] = [];
  for (const word of makeVisible(text).split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && `${line} ${word}`.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${prefix}${word}`);
  }
  return lines;
}

/** Names the constant of a scenario, avoiding the names in `taken`. */
export function nameConstant(id: string, taken: ReadonlySet<string>): string {
  const name = toCamelCase(id);
  return /^[a-z]/.test(name) && !taken.has(name) && !RESERVED.has(name) ? name : toCamelCase(`draft-${id}`);
}

/** Makes a unique key for a check from a topic or a path. */
export function nameCheck(text: string, taken: ReadonlySet<string>): string {
  const words = toCamelCase(text.replace(/[^A-Za-z0-9]+/g, '-').replace(/^[-0-9]+/, '')).slice(0, 40);
  const name = words === '' ? 'check' : words;
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

const RESERVED = new Set(
  `await break case catch class const continue debugger default delete do else enum export extends false finally for
  function if implements import in instanceof interface let new null package private protected public return static
  super switch this throw true try typeof undefined var void while with yield arguments eval`.split(/\s+/),
);

function writeText(text: string, indent: string): string {
  const lines = text.split('\n');
  if (lines.length === 1 || (lines.length === 2 && text.length <= 80)) return quoteText(text);
  const items = lines.map(quoteText);
  return `${text.length <= 60 ? fitOrSpread('[', items, ']', indent) : spread('[', items, ']', indent)}.join('\\n')`;
}

/** Writes items on one line if they fit, else one per line. `before` is what is already on the line. */
function fitOrSpread(
  open: string,
  items: readonly string[],
  close: string,
  before: string,
  indent = before,
): string {
  const line = `${open}${items.join(', ')}${close}`;
  const fits = before.length + line.length + 1 <= WIDTH && !line.includes('\n');
  return fits || items.length === 0 ? line : spread(open.trim(), items, close.trim(), indent);
}

function spread(open: string, items: readonly string[], close: string, indent: string): string {
  return [open, ...items.map((item) => `${indent}  ${item},`), `${indent}${close}`].join('\n');
}

function writeKey(key: string): string {
  // A plain key would set the prototype.
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoteText(key);
}

function makeVisible(text: string): string {
  return text.replace(/\s+/g, ' ').replace(UNSEEN, escapeUnseen).trim();
}

function escapeUnseen(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function toCamelCase(text: string): string {
  const words = text.split('-').filter((word) => word !== '');
  const cased = words.map((word) => (/^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : word));
  const joined = cased.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
  return `${joined.charAt(0).toLowerCase()}${joined.slice(1)}`;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
