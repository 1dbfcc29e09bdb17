import { isAlphanumeric, isRunCharacter, LONGEST_RUN } from './characters.js';
import { listShown } from './hidden.js';
import { findKeyRows, findOpenRows, type KeyMark } from './key-rows.js';
import type { Shape } from './shape.js';
import { KEY_BEGIN, KEY_END, SHAPES } from './shapes.js';
import { buildTriggers, type Triggers } from './triggers.js';
import { matchSpelling, spellValues, stepBack } from './values.js';

/** A credential in a text. */
export interface Found {
  readonly start: number;
  readonly end: number;
  /** The family, or `known value`. */
  readonly kind: string;
  /** Where the words begin by which it is recognized, which stay readable. */
  readonly known: number;
}

interface ScanResult {
  /** In order, and without overlaps. */
  readonly found: readonly Found[];
  /** Where the first credential begins that more text could complete or extend; the length of the text if none does. */
  readonly undecided: number;
}

/** What to look at when a trigger is found. */
type Hunted = { readonly trigger: string } & (
  | { readonly spelling: string }
  | { readonly shape: Shape; readonly number: number }
);

/** The scan stops at this many characters of a value, and then compares the rest. */
const TRIGGER_LENGTH = 12;
/** How many characters of a value before a line break are held back. Fewer are too often only the end of a line. */
const MIN_BROKEN = 4;
/** What is refused is looked at again if it is no longer than this, in which little can be nested. */
const LONGEST_LABEL = 100;

/** Finds credentials in a text of bytes (one character for each), in linear time. */
export class Scanner {
  readonly #hunted: readonly Hunted[];
  readonly #triggers: Triggers;

  constructor(values: readonly string[]) {
    this.#hunted = [
      ...spellValues(values).map((spelling) => ({ spelling, trigger: triggerOf(spelling) })),
      ...SHAPES.flatMap((shape, number) => shape.starts.map((trigger) => ({ trigger, shape, number }))),
    ];
    this.#triggers = buildTriggers(this.#hunted.map(({ trigger }) => trigger));
  }

  /** Scans a text from an index on and only looks back at what comes before. `last`: no more text follows. */
  scan(text: string, from: number, last: boolean): ScanResult {
    const seen = [this.#look(text, from, last)];
    for (const { text: shown, places } of listShown(text)) {
      const place = (at: number) => places[at] ?? text.length;
      const { found, undecided } = this.#look(
        shown,
        places.findIndex((at) => at >= from),
        last,
      );
      seen.push({
        found: found.map(({ start, end, kind, known }) => {
          return { start: place(start), end: place(end - 1) + 1, kind, known: place(known) };
        }),
        undecided: place(undecided),
      });
    }
    const merged = merge(seen.flatMap(({ found }) => found));
    let undecided = Math.min(...seen.map((view) => view.undecided));
    for (const { known, end } of merged.toReversed())
      if (end > undecided) undecided = Math.min(undecided, known);
    return { found: merged, undecided };
  }

  /** Scans a text as it is. */
  #look(text: string, from: number, last: boolean): ScanResult {
    const found: Found[] = [];
    const marks: KeyMark[] = [];
    // No family is tried again inside what it matched last, so a text of nothing but beginnings stays linear.
    const done = new Int32Array(SHAPES.length);
    let undecided = text.length;
    const begun = this.#triggers.scan(text, from, (number, at) => {
      const hunted = this.#hunted[number];
      if (hunted === undefined) return;
      if ('number' in hunted && at + 1 - hunted.trigger.length < Math.max(from, done[hunted.number] ?? 0))
        return;
      const seen =
        'spelling' in hunted
          ? findValue(text, stepBack(text, from, at, hunted.trigger.length), hunted.spelling)
          : findShape(text, at + 1 - hunted.trigger.length, hunted.shape, last);
      if (seen === null) return;
      if ('number' in hunted) done[hunted.number] = seen.end;
      if (seen.hidden?.kind === KEY_BEGIN || seen.hidden?.kind === KEY_END)
        marks.push({ start: seen.start, end: seen.end, opens: seen.hidden.kind === KEY_BEGIN });
      else if (seen.hidden !== null) found.push(seen.hidden);
      if (seen.open && seen.start < undecided) undecided = seen.start;
    });
    const rows = findKeyRows(text, from, marks);
    found.push(...rows.map((row) => ({ ...row, kind: 'private key', known: row.start })));
    if (last) return { found, undecided: text.length };
    undecided = Math.min(undecided, findOpenRows(text, from, marks));
    for (const length of begun) {
      const start = stepBack(text, from, text.length - 1, length);
      const isBroken = text.length - start > length;
      if (!isBroken || this.#isValueBegun(text.slice(start))) undecided = Math.min(undecided, start);
    }
    return { found, undecided };
  }

  /** Whether a text with line breaks is the beginning of a value. Nothing else goes on after a line break. */
  #isValueBegun(text: string): boolean {
    const begun = text.replace(/[\r\n]/g, '').toLowerCase();
    return (
      begun.length >= MIN_BROKEN &&
      this.#hunted.some((hunted) => 'spelling' in hunted && hunted.trigger.toLowerCase().startsWith(begun))
    );
  }
}

/** What a trigger led to. */
interface Seen {
  readonly start: number;
  /** Where the search for the same family goes on. */
  readonly end: number;
  readonly hidden: Found | null;
  /** Whether more text could change this. */
  readonly open: boolean;
}

function findValue(text: string, start: number, spelling: string): Seen | null {
  const end = matchSpelling(text, start, spelling);
  if (end === null) return null;
  if (end === 'begun') return { start, end: text.length, hidden: null, open: true };
  return { start, end, hidden: { start, end, kind: 'known value', known: start }, open: false };
}

function findShape(text: string, start: number, shape: Shape, last: boolean): Seen | null {
  if (!shape.insideWords && !beginsWord(text, start)) return null;
  const { pattern } = shape;
  pattern.lastIndex = start;
  if (!pattern.test(text)) {
    const open = !last && isBegun(text, start, shape);
    return open ? { start, end: start + 1, hidden: null, open } : null;
  }
  const end = extendRun(text, start, pattern.lastIndex);
  pattern.lastIndex = start;
  const shown = shape.keeps ? (pattern.exec(text)?.[1]?.length ?? 0) : 0;
  const accepted = shape.accept(text.slice(start + shown, end));
  return {
    start,
    // A label is no value, and its own value comes next.
    end: accepted || end - start > LONGEST_LABEL ? end : start + Math.max(1, shown),
    hidden: accepted ? { start: start + shown, end, kind: shape.kind, known: start } : null,
    open: !last && (end === text.length || isBegun(text, start, shape)),
  };
}

/** Patterns end after `LONGEST_RUN` characters of one kind, so that they need no stack. A longer run goes on here. */
function extendRun(text: string, start: number, end: number): number {
  if (end - start < LONGEST_RUN) return end;
  let at = end;
  while (at < text.length && isRunCharacter(text.charCodeAt(at))) at += 1;
  return at;
}

function isBegun(text: string, start: number, { begun }: Shape): boolean {
  begun.lastIndex = start;
  return begun.test(text);
}

/** What looks like the end of a word, and is an escape or a color. */
const ESCAPE_BEFORE =
  /(?:\\[nrtbfv0]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|(?:\u001b|\\u001b|\\x1b|\\033|\\e)\[[\d;]{0,12}m)$/;
const LOOK_BACK = 24;

function beginsWord(text: string, start: number): boolean {
  if (start === 0 || !isAlphanumeric(text.charCodeAt(start - 1))) return true;
  return ESCAPE_BEFORE.test(text.slice(Math.max(0, start - LOOK_BACK), start));
}

function triggerOf(text: string): string {
  const lineEnd = text.search(/[\r\n]/);
  return text.slice(0, lineEnd < 0 ? TRIGGER_LENGTH : Math.min(TRIGGER_LENGTH, lineEnd));
}

/** Joins what overlaps: one text can be several kinds of credential. */
function merge(found: readonly Found[]): Found[] {
  const merged: Found[] = [];
  for (const next of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const previous = merged.at(-1);
    if (previous === undefined || next.start >= previous.end) merged.push(next);
    else {
      const [end, known] = [Math.max(previous.end, next.end), Math.min(previous.known, next.known)];
      merged[merged.length - 1] = { ...previous, end, known };
    }
  }
  return merged;
}
