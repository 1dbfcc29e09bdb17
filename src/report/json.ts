import type { Report } from '../domain/report/report.js';
import type { Pieces } from './text/pieces.js';
import { CI_COMMANDS, INVISIBLE } from './text/safe-text.js';

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

/** From this depth on a value is rendered at once: each result of a report is one. */
const DEPTH = 2;

/** Does the same in pieces, for large data. Lists can be lazy: any iterable is one. */
export function* printJson(data: object): Pieces {
  yield* printValue(data, 0);
  yield '\n';
}

function* printValue(value: unknown, depth: number): Pieces {
  if (depth === DEPTH || typeof value !== 'object' || value === null) {
    yield escapeUnprintable(printIndented(value, depth));
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

/**
 * Renders a value with the indentation of its depth: it is put into as many lists, which are then cut off. To indent the
 * lines afterwards takes longer.
 */
function printIndented(value: unknown, depth: number): string {
  let nested: unknown = value ?? null;
  let before = 0;
  let after = 0;
  for (let level = 0; level < depth; level += 1) {
    nested = [nested];
    before += `[${lineAt(level + 1)}`.length;
    after += `${lineAt(level)}]`.length;
  }
  const json = JSON.stringify(nested, null, 2);
  return json.slice(before, json.length - after);
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
  const escaped = (found: string) => found.replace(UNPRINTABLE, escapeUnits).replace(INVISIBLE, escapeUnits);
  return json.replace(UNUSUAL, escaped).replace(CI_COMMANDS, '#\\u0023');
}

/** What there may be to escape, with the character before it. To look for it everywhere would take much longer. */
const UNUSUAL = /[\n -~]?[^\n -~]+/g;

const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029]/g;

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
