import type { Report } from '../domain/report/report.js';
import type { Pieces } from './text/pieces.js';

/** The report for programs. */
export function renderJson(report: Report): Pieces {
  return printJson(report);
}

/**
 * Data for programs. Characters that a terminal would act on, or that hide text, are written as escapes: the data stay
 * what they were, and the file can be printed safely.
 */
export function printableJson(data: object): string {
  return [...printJson(data)].join('');
}

/** From this depth on a value is told at once: a report's results lie above it, and the tests of CTRF. */
const DEPTH = 3;

/** The same in pieces, for data that are long. Lists may be lazy: whatever can be walked through is one. */
export function* printJson(data: object): Pieces {
  yield* printValue(data, 0);
  yield '\n';
}

function* printValue(value: unknown, depth: number): Pieces {
  if (depth === DEPTH || typeof value !== 'object' || value === null) {
    // No line feed stands in a JSON string as itself: each one begins a line, which is to be indented.
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

/** JSON that says the same and can be printed safely. */
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
