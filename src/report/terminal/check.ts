import type { ChalkInstance } from 'chalk';
import type { About, Sentence } from '../../domain/check.js';
import { cleanText, linePair, oneLine } from '../text/safe-text.js';
import { labelled, type Place, wrap, wrapTo } from './layout.js';

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
