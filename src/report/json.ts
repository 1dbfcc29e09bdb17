import type { Report } from '../domain/report/report.js';
import type { Pieces } from './text/pieces.js';

/** Renders the report for programs. */
export function renderJson(report: Report): Pieces {
  return printJson(report);
}

/**
 * Renders data as JSON. Escapes characters that a terminal would act on or that hide text: the data stays the same, and
 * the file is safe to print.
 */
export function printableJson(data: object): string {
  return [...printJson(data)].join('');
}

/** From this depth on a value is rendered at once: results of a report and tests of CTRF are above it. */
const DEPTH = 3;

/** Does the same in pieces, for large data. Lists can be lazy: any iterable is one. */
export function* printJson(data: object): Pieces {
  yield* printValue(data, 0);
  yield '\n';
}

function* printValue(value: unknown, depth: number): Pieces {
  if (depth === DEPTH || typeof value !== 'object' || value === null) {
    // JSON strings contain no raw line feeds: each line feed starts a line that must be indented.
    const json = JSON.stringify(value, null, 2) ?? 'null';
    yield escapeUnprintable(json).replaceAll('\n', lineAt(depth));
    return;
  }
  const isList = isWalkable(value);
  let isFirst = true;
  for (const [key, inner] of isList ? entriesOf(value) : Object.entries(value)) {
    if (!isList && inner === undefined) continue;
    const name = isList ? '' : `${escapeUnprintable(JSON.stringify(key))}: `;
    yield `${isFirst ? (isList ? '[' : '{') : ','}${lineAt(depth + 1)}${name}`;
    isFirst = false;
    yield* printValue(inner, depth + 1);
  }
  if (isFirst) yield isList ? '[]' : '{}';
  else yield `${lineAt(depth)}${isList ? ']' : '}'}`;
}

function isWalkable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}

function* entriesOf(items: Iterable<unknown>): Generator<[string, unknown]> {
  for (const item of items) yield ['', item];
}

function lineAt(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}

/** Escapes JSON so that it is safe to print and means the same. */
function escapeUnprintable(json: string): string {
  return json.replace(UNPRINTABLE, escapeUnits);
}

const UNPRINTABLE =
  /[\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|(?![\u200d\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
