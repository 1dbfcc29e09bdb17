import type { ChalkInstance } from 'chalk';
import { labelled, type Place, wrapTo } from './layout.js';

/** A failed check, of an attempt or of a report. */
interface BrokenCheck {
  readonly name: string;
  readonly expected: string;
  readonly actual: string;
}

interface CheckStyle extends Place {
  readonly chalk: ChalkInstance;
  /** The most lines for what was expected, and for what was received. */
  readonly most: number;
}

/** Renders a failed check: its claim, then what was expected and what was received on lines of their own. */
export function renderBrokenCheck(
  { name, expected, actual }: BrokenCheck,
  { chalk, columns, indent, most }: CheckStyle,
): string[] {
  const [first = '', ...rest] = wrapTo(2, name, { columns, indent: indent + 2 });
  const place = { columns, indent: indent + 2, most };
  return [
    `${' '.repeat(indent)}${chalk.red('✗')} ${first.trimStart()}`,
    ...rest,
    ...labelled('Expected:', expected, place).map((line) => chalk.green(line)),
    ...labelled('Received:', actual, place).map((line) => chalk.red(line)),
  ];
}
