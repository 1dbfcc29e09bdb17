import type { Sentence } from '../../domain/check.js';
import type { ReportCheck, ReportResult } from '../../domain/report/result.js';
import type { Standing } from '../../domain/vocabulary.js';

/**
 * What a report says, without its look: lines and blocks, of which one writer makes Markdown and another one HTML. A plain
 * string may come from a program under test, so the writers clean, escape and cut it; only `own` and the literal parts of
 * `words` are ours.
 */
export type Line = string | number | null | false | Span | readonly Line[];

type Span =
  | { readonly kind: 'own'; readonly text: string }
  | { readonly kind: 'text' | 'code'; readonly text: Sentence; readonly limit: number }
  | { readonly kind: 'strong' | 'quiet'; readonly line: Line }
  | { readonly kind: 'time' | 'file'; readonly text: string }
  | { readonly kind: 'badge'; readonly outcome: Standing }
  /** The name of a test, such as `hooks-run [claude]`. */
  | { readonly kind: 'test'; readonly label: string }
  /** Names, and how many more there are. */
  | Names
  /** Words that lead to the page or the card of a test. */
  | { readonly kind: 'page'; readonly test: ReportResult; readonly line: Line };

export interface Names {
  readonly kind: 'names';
  readonly names: readonly Line[];
  readonly left: number;
}

/** A name and its value, perhaps with lines below it. A value that is null or empty has no place in a list of facts. */
export type Fact = readonly [name: string, value: Line, below?: readonly Line[]];

/** An entry of a list, perhaps with lines below it. */
export type Item = Line | { readonly line: Line; readonly below: readonly Line[] };

/** The maximum length of a text, and the file that has the whole. */
interface QuoteLimit {
  readonly limit: number;
  readonly whole: string | null;
}

/**
 * How much a page shows: its texts in characters, its lists in lines, its iterations, and the names of passed checks if
 * they are more than a list has lines.
 */
export interface Detail {
  readonly text: number;
  readonly rows: number;
  readonly iterations: number;
  readonly checks?: number;
}

/** The checks of a test: those that failed in the order in which the run went wrong. */
export interface Checks {
  readonly failed: readonly ReportCheck[];
  readonly failedLeft: number;
  readonly consequences: readonly ReportCheck[];
  readonly passed: readonly string[];
  readonly passedLeft: number;
  readonly detail: Detail;
}

export type ReportBlock =
  | { readonly kind: 'heading'; readonly level: 3 | 4 | 5; readonly line: Line }
  | { readonly kind: 'paragraph'; readonly line: Line }
  | ({ readonly kind: 'list' } & List)
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly Line[])[] }
  | ({
      readonly kind: 'quote';
      readonly name: string;
      readonly text: string;
      readonly language: string;
    } & QuoteLimit)
  | { readonly kind: 'command'; readonly command: string }
  | ({ readonly kind: 'checks' } & Checks)
  | {
      readonly kind: 'fold';
      readonly mark: string;
      readonly name: string;
      readonly note: string;
      readonly body: readonly ReportBlock[];
    };

/** A part of a page. Parts with a low rank get their space first. */
export interface ReportSection {
  readonly id: string;
  readonly mark: string;
  readonly title: string;
  readonly rank: number;
  readonly body: readonly ReportBlock[];
}

interface List {
  readonly items: readonly Item[];
  readonly isNumbered?: boolean;
  /** The most bytes; the last entry says how many more there are. */
  readonly limit?: number;
  readonly more?: (left: number) => string;
}

/** Makes a line of our own words with foreign ones in them: words`Done on ${backend}.` */
export function words(literals: TemplateStringsArray, ...values: readonly Line[]): Line {
  return literals.map((literal, index): Line => [own(literal), values[index] ?? null]);
}

/** Our own words, which nobody else can choose. */
export function own(text: string): Line {
  return { kind: 'own', text };
}

/** A foreign text, cut to `limit` characters. */
export function cut(text: Sentence, limit: number): Line {
  return { kind: 'text', text, limit };
}

/** Code on one line. */
export function inCode(text: Sentence, limit = 200): Line {
  return { kind: 'code', text, limit };
}

export function strong(line: Line): Line {
  return { kind: 'strong', line };
}

export function quiet(line: Line): Line {
  return { kind: 'quiet', line };
}

export function testName(label: string): Line {
  return { kind: 'test', label };
}

/** Puts a separator between lines. */
export function joined(lines: readonly Line[], separator = ', '): Line {
  return lines.map((line, index): Line => [index > 0 && own(separator), line]);
}

/** Names what is kept, and says how many more there are. */
export function listed({ kept, left }: { readonly kept: readonly Line[]; readonly left: number }): Names {
  return { kind: 'names', names: kept, left };
}

/** Puts commas between names. */
export function joinNames({ names, left }: Names): Line {
  return joined(left > 0 ? [...names, own(`${left} more`)] : names);
}

export function heading(level: 3 | 4 | 5, line: Line): ReportBlock {
  return { kind: 'heading', level, line };
}

export function paragraph(line: Line): ReportBlock {
  return { kind: 'paragraph', line };
}

/** A list; nothing if it has no items. */
export function bulleted(items: readonly Item[], options: Omit<List, 'items'> = {}): ReportBlock[] {
  return items.length === 0 ? [] : [{ kind: 'list', items, ...options }];
}

/** A part below its title; nothing if there is nothing in it. */
export function titled(title: Line, body: readonly ReportBlock[]): ReportBlock[] {
  return body.length === 0 ? [] : [heading(4, title), ...body];
}

/** A list below its name; nothing if it has no items. */
export function namedList(
  name: string,
  items: readonly Item[],
  options: Omit<List, 'items'> = {},
): ReportBlock[] {
  return items.length === 0 ? [] : [heading(5, own(name)), ...bulleted(items, options)];
}

/** Names and values; nothing if no value is known. */
export function facts(all: readonly Fact[]): ReportBlock[] {
  const known = all.filter(([, value]) => value !== null && value !== false && value !== '');
  return known.length === 0 ? [] : [{ kind: 'facts', facts: known }];
}

/** A table of at most `most` rows; nothing if it has none. */
export function table(
  head: readonly string[],
  rows: readonly (readonly Line[])[],
  { most = Number.POSITIVE_INFINITY, more = 'more in report.json.' } = {},
): ReportBlock[] {
  if (rows.length === 0) return [];
  const left = rows.length - most;
  return [
    { kind: 'table', head, rows: rows.slice(0, most) },
    ...(left > 0 ? [paragraph(own(`${left} ${more}`))] : []),
  ];
}

/** A foreign text in its own box. */
export function quoteBlock(
  name: string,
  text: string,
  options: QuoteLimit & { readonly language?: string },
): ReportBlock {
  return { kind: 'quote', name, text, language: '', ...options };
}

/** A command to paste; nothing if there is none. */
export function command(text: string): ReportBlock[] {
  return text === '' ? [] : [{ kind: 'command', command: text }];
}

/** A part that opens on demand; nothing if there is nothing in it. */
export function fold(mark: string, name: string, body: readonly ReportBlock[], note = ''): ReportBlock[] {
  return body.length === 0 ? [] : [{ kind: 'fold', mark, name, note, body }];
}
