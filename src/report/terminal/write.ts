import { Chalk, type ChalkInstance } from 'chalk';
import type { About, Sentence } from '../../domain/check.js';
import {
  type Fact,
  type Item,
  joinNames,
  type Line,
  listed,
  type Names,
  type ReportBlock,
} from '../content/content.js';
import { cleanText, linePair, oneLine } from '../text/safe-text.js';
import { describeConsequences, nameStanding } from '../words/outcomes.js';
import { countOf } from '../words/words.js';
import { labelled, oneLineAt, type Place, unbroken, wrap, wrapTo } from './layout.js';

/** How blocks are written on a screen. */
interface ScreenStyle {
  readonly columns: number;
  readonly chalk?: ChalkInstance;
  readonly indent?: number;
  /** The most lines of an entry or a value. */
  readonly lines?: number;
  /** The most entries of a list, and rows of a table. */
  readonly rows?: number;
}

const PLAIN = new Chalk({ level: 0 });

/** Writes blocks as lines of a terminal, none of them wider than it. */
export function writeTerminal(body: readonly ReportBlock[], style: ScreenStyle): string[] {
  return body.flatMap((block) =>
    writeBlock(block, {
      ...{ chalk: PLAIN, indent: 0, lines: 3, rows: Number.POSITIVE_INFINITY },
      ...style,
    }),
  );
}

function writeBlock(block: ReportBlock, style: Required<ScreenStyle>): string[] {
  const { chalk, columns, indent, lines, rows } = style;
  const place = { columns, indent };
  switch (block.kind) {
    case 'heading':
      return [chalk.bold(oneLineAt(indent, textOf(block.line), columns))];
    case 'paragraph':
      return wrapTo(lines, textOf(block.line), place);
    case 'list': {
      const { items, more = (left: number) => `${left} more` } = block;
      const left = items.length - rows;
      return [
        ...items.slice(0, rows).flatMap((item) => writeItem(item, style)),
        ...(left > 0 ? [oneLineAt(indent, `… and ${more(left)}`, columns)] : []),
      ];
    }
    case 'facts':
      return block.facts.flatMap((fact) => writeFact(fact, style));
    case 'table':
      return writeTable(block, style);
    case 'checks':
      return [
        ...block.failed.flatMap((check) => renderBrokenCheck(check, { ...place, chalk, most: lines })),
        ...(block.failedLeft > 0
          ? [chalk.dim(oneLineAt(indent, `and ${countOf(block.failedLeft, 'more failed check')}`, columns))]
          : []),
        ...(block.consequences.length > 0
          ? [chalk.dim(oneLineAt(indent, describeConsequences(block.consequences), columns))]
          : []),
      ];
    // A command is never cut: it is there to be pasted.
    case 'command':
      return [`${' '.repeat(indent)}${unbroken(cleanText(block.command))}`];
    // What is long is in the files.
    case 'quote':
    case 'fold':
      return [chalk.dim(oneLineAt(indent, `${block.name}: see the report`, columns))];
    default:
      return block satisfies never;
  }
}

/** Writes an entry; its further lines and what is below it begin two columns later. */
function writeItem(item: Item, { columns, indent, lines }: Required<ScreenStyle>): string[] {
  const [line, below] =
    typeof item === 'object' && item !== null && 'below' in item ? [item.line, item.below] : [item, []];
  const place = { columns, indent: indent + 2 };
  const [first = '', ...rest] = wrapTo(lines, textOf(line), place);
  return [
    `${' '.repeat(indent)}${first.trimStart()}`,
    ...rest,
    ...below.flatMap((one) =>
      isNames(one)
        ? fitNames(one, { ...place, most: Math.min(lines, 2) })
        : wrapTo(Math.min(lines, 2), textOf(one), place),
    ),
  ];
}

function isNames(line: Line): line is Names {
  return typeof line === 'object' && line !== null && 'kind' in line && line.kind === 'names';
}

/** Writes as many names as so many lines have room for, and says how many more there are. */
export function fitNames(
  { names, left }: Names,
  { most, lead = '', ...place }: Place & { readonly most: number; readonly lead?: string },
): string[] {
  // A name and its comma take their columns, or a line of their own that cuts them.
  const width = Math.max(1, place.columns - place.indent);
  let room = most * width + 1;
  const over = names.findIndex((name) => {
    room -= Math.min(textOf(name).length + 1, width);
    return room < 0;
  });
  for (let shown = over < 0 ? names.length : Math.max(1, over); shown > 0; shown -= 1) {
    const text = textOf(listed({ kept: names.slice(0, shown), left: left + names.length - shown }));
    const lines = wrap(`${lead}${text}`, place);
    if (lines.length <= most || shown === 1) return lines.slice(0, most);
  }
  return [];
}

function writeFact([name, value, below = []]: Fact, style: Required<ScreenStyle>): string[] {
  const { columns, indent, lines: most } = style;
  return [
    ...labelled(`${name}:`, textOf(value), { columns, indent, most }),
    ...below.flatMap((one) => wrapTo(most, textOf(one), { columns, indent: indent + 2 })),
  ];
}

const GAP = '  ';

/** Writes a table with its columns side by side; if they do not fit, each row as a name with facts. */
function writeTable(
  { head, rows: all }: Extract<ReportBlock, { kind: 'table' }>,
  style: Required<ScreenStyle>,
): string[] {
  const { columns, indent, chalk } = style;
  const rows = all.slice(0, style.rows).map((row) => row.map(textOf));
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const width = widths.reduce((sum, one) => sum + one + GAP.length, indent - GAP.length);
  const left = all.length - rows.length;
  const rest = left > 0 ? [oneLineAt(indent, `… and ${left} more`, columns)] : [];
  if (width > columns) return [...rows.flatMap((row) => writeRecord(head, row, style)), ...rest];
  const write = (cells: readonly string[]) =>
    `${' '.repeat(indent)}${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(GAP)}`.trimEnd();
  return [chalk.dim(write(head)), ...rows.map(write), ...rest];
}

function writeRecord(
  head: readonly string[],
  [name = '', ...values]: readonly string[],
  { columns, indent, lines: most }: Required<ScreenStyle>,
): string[] {
  return [
    ...wrapTo(most, name, { columns, indent }),
    ...values.flatMap((value, index) =>
      value === '' ? [] : labelled(`${head[index + 1]}:`, value, { columns, indent: indent + 3, most }),
    ),
  ];
}

/** Writes one line as plain text. */
function textOf(line: Line): string {
  if (line === null || line === false) return '';
  if (typeof line === 'number') return String(line);
  if (typeof line === 'string') return oneLine(line, 400);
  if (!('kind' in line)) return line.map(textOf).join('');
  switch (line.kind) {
    case 'own':
      return line.text;
    case 'text':
    case 'code':
      return oneLine(line.text, line.limit);
    case 'names':
      return textOf(joinNames(line));
    case 'strong':
    case 'quiet':
    case 'page':
      return textOf(line.line);
    case 'time':
    case 'file':
      return oneLine(line.text, 400);
    case 'badge':
      return nameStanding(line.outcome);
    case 'test':
      return oneLine(line.label, 120);
    default:
      return line satisfies never;
  }
}

/** A failed check, of an attempt or of a report. */
interface BrokenCheck {
  readonly name: Sentence;
  readonly expected: Sentence;
  readonly actual: Sentence;
  readonly about?: About | undefined;
}

/** The most lines at the beginning and at the end of a text about a prompt without an answer. */
const UNANSWERED_LINES = { first: 26, last: 14 } as const;

interface CheckStyle extends Place {
  readonly chalk: ChalkInstance;
  /** The most lines for what was expected, and for what was received. */
  readonly most: number;
}

/** Renders a failed check: its claim, then what was expected and what was received on lines of their own. */
export function renderBrokenCheck(
  { name, expected, actual, about }: BrokenCheck,
  { chalk, columns, indent, most }: CheckStyle,
): string[] {
  const [first = '', ...rest] = wrapTo(2, `${name}`, { columns, indent: indent + 2 });
  const place = { columns, indent: indent + 2, most };
  // Lines break between words, so a part of each stays empty.
  const room = Math.floor(most * (columns - place.indent - 'Expected: '.length) * 0.85);
  const [wanted, found] = linePair(expected, actual, room);
  return [
    `${' '.repeat(indent)}${chalk.red('✗')} ${first.trimStart()}`,
    ...rest,
    ...labelled('Expected:', wanted, place).map((line) => chalk.green(line)),
    ...(about?.unanswered === undefined
      ? labelled('Received:', found, place).map((line) => chalk.red(line))
      : renderText(`Received: ${actual}`, place)),
  ];
}

/** Renders a text with its own lines: all of a short one, else its beginning and its end. */
function renderText(text: string, { columns, indent }: Place): string[] {
  const lines = cleanText(text)
    .split('\n')
    .flatMap((line) => wrap(oneLine(line, 4_000), { columns, indent }));
  const { first, last } = UNANSWERED_LINES;
  const left = lines.length - first - last;
  if (left <= 1) return lines;
  return [
    ...lines.slice(0, first),
    `${' '.repeat(indent)}[… ${left} lines left out …]`,
    ...lines.slice(-last),
  ];
}
