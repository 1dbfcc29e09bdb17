import { isRowCharacter, LONGEST_RUN } from './characters.js';
import { looksRandom } from './shape.js';

/** A part of a text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

interface Row extends Span {
  /** As long as in a file, and nothing but a key looks like it. */
  readonly isLong: boolean;
}

/** The words that a private key begins or ends with. */
export interface KeyMark extends Span {
  readonly opens: boolean;
}

/** Between two marks a row may be as short as a narrow box shows it. With one mark it must be as long as in a file. */
const MIN_FILED_ROW = 40;
/** How much may be between two rows: numbers, names, dates, frames, JSON. */
const GAP = 500;

/** Base64, or an escape or color before it, which must stay whole. JSON of PHP escapes the slash. */
const RUNS = /\\+(?:u[0-9a-fA-F]{4}|[^/])|\[[\d;]{0,12}m|((?:[A-Za-z0-9+/]|\\{1,16}\/){8,}={0,2})/gs;

/** Finds the rows of private keys, whatever is before each row: after a mark, before one, and all between two. */
export function findKeyRows(text: string, from: number, marks: readonly KeyMark[]): Span[] {
  const found: Span[] = [];
  let opened: KeyMark | null = null;
  let start = from;
  for (const mark of marks) {
    const closed = mark.opens ? null : mark;
    found.push(...rowsBetween(text, { start, end: mark.start }, opened, closed));
    opened = mark.opens ? mark : null;
    start = mark.end;
  }
  return [...found, ...rowsBetween(text, { start, end: text.length }, opened, null)];
}

function rowsBetween(text: string, span: Span, opened: KeyMark | null, closed: KeyMark | null): Span[] {
  if (opened === null && closed === null) return [];
  const rows = listRows(text, span.start, span.end);
  if (opened !== null && closed !== null) {
    const between = chain(opened, rows);
    if (isNear(between.at(-1) ?? opened, closed)) return between;
  }
  const filed = rows.filter(isFiled);
  const after = opened === null ? [] : chain(opened, filed);
  return closed === null ? after : [...after, ...chain(closed, filed.toReversed())];
}

/** Returns where the rows begin that a mark in the text to come could make part of a key. */
export function findOpenRows(text: string, from: number, marks: readonly KeyMark[]): number {
  const tail = { start: findTail(text, from), end: text.length };
  const mark = marks.at(-1);
  const start = mark?.end ?? from;
  if (mark?.opens) {
    const last = chain(mark, listRows(text, start, tail.start)).at(-1) ?? mark;
    return isNear(last, tail) ? mark.start : tail.start;
  }
  const near = Math.max(start, tail.start - GAP - MIN_FILED_ROW);
  if (!listRows(text, near, tail.start).some(isFiled)) return tail.start;
  return (
    chain(tail, listRows(text, start, tail.start).filter(isFiled).toReversed()).at(-1)?.start ?? tail.start
  );
}

/** Returns where the last word begins, because more of it may follow. */
function findTail(text: string, from: number): number {
  const first = Math.max(from, text.length - LONGEST_RUN);
  let start = text.length;
  while (start > first && isRowCharacter(text.charCodeAt(start - 1))) start -= 1;
  return start > text.length - LONGEST_RUN ? start : text.length;
}

function listRows(text: string, start: number, end: number): Row[] {
  const rows: Row[] = [];
  if (end - start < MIN_FILED_ROW) return rows;
  for (const { 1: run = '', index } of text.slice(start, end).matchAll(RUNS)) {
    const isKey = run.length < LONGEST_RUN && looksRandom(run);
    const isLong = run.length >= MIN_FILED_ROW && /\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run);
    if (isKey) rows.push({ start: start + index, end: start + index + run.length, isLong });
  }
  return rows;
}

/** Whether a row is as long as in a file, or comes after such a row: the last row of a key is shorter. */
function isFiled(row: Row, index: number, rows: readonly Row[]): boolean {
  return row.isLong || rows[index - 1]?.isLong === true;
}

function isNear(one: Span, other: Span): boolean {
  return Math.max(other.start - one.end, one.start - other.end) <= GAP;
}

/** Returns the rows that follow the first span, each near the one before. */
function chain(first: Span, rows: Span[]): Span[] {
  const far = rows.findIndex((row, index) => !isNear(rows[index - 1] ?? first, row));
  return far < 0 ? rows : rows.slice(0, far);
}
