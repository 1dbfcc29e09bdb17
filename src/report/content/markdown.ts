import { shortenPair } from '../../domain/common/shorten-pair.js';
import { failurePagePath, needsPage, testPagePath } from '../../domain/report/failure-pages.js';
import type { ReportCheck, ReportResult } from '../../domain/report/result.js';
import { fitLines } from '../../domain/text/fit.js';
import { cleanText, codeSpan, fencedBlock, htmlText, inlineText } from '../text/safe-text.js';
import { describeConsequences, nameStanding, UNANSWERED_TEXT } from '../words/outcomes.js';
import { countOf } from '../words/words.js';
import { type Checks, type Item, joinNames, type Line, type ReportBlock } from './content.js';

/** Where links lead. */
export interface MarkdownPlace {
  /** The folder of the reports, as a link begins with it; null where links would lead nowhere. */
  readonly base: string | null;
}

const NO_LINKS: MarkdownPlace = { base: null };

/** Joins blocks of finished Markdown with empty lines; skips empty ones. */
export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Writes a part of a page as Markdown: nothing if there are no blocks. */
export function writeSection(
  title: Line,
  body: readonly ReportBlock[],
  place = NO_LINKS,
  level: 2 | 4 = 2,
): string {
  return body.length === 0
    ? ''
    : blocks(`${'#'.repeat(level)} ${writeLine(title)}`, writeMarkdown(body, place));
}

/** Writes blocks as Markdown. */
export function writeMarkdown(body: readonly ReportBlock[], place = NO_LINKS): string {
  return blocks(...body.map((block) => writeBlock(block, place)));
}

function writeBlock(block: ReportBlock, place: MarkdownPlace): string {
  switch (block.kind) {
    case 'heading':
      return block.level === 5
        ? `**${writeLine(block.line, place)}:**`
        : `${'#'.repeat(block.level)} ${writeLine(block.line, place)}`;
    case 'paragraph':
      return writeLine(block.line, place);
    case 'list': {
      const { items, isNumbered = false, limit = Number.POSITIVE_INFINITY, more = moreInReport } = block;
      const lines = items.map((item, index) => writeItem(item, isNumbered ? `${index + 1}. ` : '- ', place));
      return fitLines(lines, limit, (left) => `- ${more(left)}`);
    }
    case 'facts':
      return block.facts
        .map(([name, value, below = []]) =>
          writeItem({ line: [{ kind: 'own', text: `**${name}:** ` }, value], below }, '- ', place),
        )
        .join('\n');
    case 'table':
      return tableOf(
        block.head,
        block.rows.map((row) => row.map((cell) => writeLine(cell, place))),
      );
    case 'quote':
      return fencedBlock(block.text, block);
    case 'command':
      return fencedBlock(block.command, { limit: 4_000, whole: 'report.json', language: 'bash' });
    case 'checks':
      return writeChecks(block);
    case 'fold':
      return details(`${block.mark} ${block.name}`.trim(), writeMarkdown(block.body, place));
    default:
      return block satisfies never;
  }
}

/** Says how many entries of a list are left out. */
export function moreInReport(left: number): string {
  return `${left} more in report.json`;
}

function writeItem(item: Item, mark: string, place: MarkdownPlace): string {
  const [line, below] =
    typeof item === 'object' && item !== null && 'below' in item ? [item.line, item.below] : [item, []];
  const indent = ' '.repeat(mark.length);
  return [
    `${mark}${writeLine(line, place)}`,
    ...below.map((one) => `${indent}- ${writeLine(one, place)}`),
  ].join('\n');
}

/** Writes one line as Markdown. */
export function writeLine(line: Line, place = NO_LINKS): string {
  if (line === null || line === false) return '';
  if (typeof line === 'number') return String(line);
  if (typeof line === 'string') return inlineText(line, LINE_LIMIT);
  if (!('kind' in line)) return line.map((part) => writeLine(part, place)).join('');
  switch (line.kind) {
    case 'own':
      return line.text;
    case 'text':
      return inlineText(line.text, line.limit);
    case 'code':
      return codeSpan(`${line.text}`, line.limit);
    case 'strong':
      return `**${writeLine(line.line, place)}**`;
    case 'quiet':
      return writeLine(line.line, place);
    case 'time':
      return inlineText(line.text, 40);
    case 'file':
      return codeSpan(line.text, 400);
    case 'badge':
      return nameStanding(line.outcome);
    case 'test':
      return codeSpan(line.label, 100);
    case 'names':
      return writeLine(joinNames(line), place);
    case 'page': {
      const words = writeLine(line.line, place);
      return place.base === null ? words : `[${words}](${place.base}${pageOf(line.test)})`;
    }
    default:
      return line satisfies never;
  }
}

const LINE_LIMIT = 400;

/** Returns the page of a test: the short one about a failure, or else the one with everything. */
function pageOf(result: ReportResult): string {
  return needsPage(result) ? failurePagePath(result) : testPagePath(result);
}

/** Writes the failed checks with what each expected and received, and the names of those that passed. */
function writeChecks({ failed, failedLeft, consequences, passed, passedLeft, detail }: Checks): string {
  const names = passed.map((name) => inlineText(name, 100));
  return blocks(
    ...failed.map((check) => writeCheck(check, detail.text)),
    failedLeft > 0 ? `${countOf(failedLeft, 'more check')} failed: see report.json.` : '',
    consequences.length === 0 ? '' : `${describeConsequences(consequences)}: see report.json.`,
    names.length === 0
      ? ''
      : `✅ Passed: ${[...names, ...(passedLeft > 0 ? [moreInReport(passedLeft)] : [])].join('; ')}.`,
  );
}

const PAIR_LIMIT = 600;

/** Writes a failed check: its claim, then what was expected and what was received. */
function writeCheck(check: ReportCheck, limit: number): string {
  const { name, category, expected, actual, diff, suggestion, about } = check;
  // A prompt that no rule answered is compared with nothing.
  const isPair = about?.unanswered === undefined;
  const most = isPair ? Math.min(PAIR_LIMIT, limit) : Math.min(UNANSWERED_TEXT, limit * 3);
  const whole = [cleanText(expected), cleanText(actual)] as const;
  const [wanted, received] = isPair ? shortenPair(...whole, most) : whole;
  const isCut = isPair && wanted.length + received.length < whole.join('').length;
  const sides = Object.entries({ Expected: wanted, Received: received });
  const isShort = sides.every(([, text]) => isPlainLine(text, most));
  return blocks(
    `❌ **${inlineText(name, 200)}** (${category})`,
    sides
      .map(([side, text]) =>
        isShort
          ? `- ${side}: ${codeSpan(text, most)}`
          : `${side}:\n\n${fencedBlock(text, { limit: most, whole: 'report.json' })}`,
      )
      .join(isShort ? '\n' : '\n\n'),
    isCut ? 'Cut around the first difference: report.json has the whole.' : '',
    diff === null
      ? ''
      : `Difference:\n\n${fencedBlock(diff, { limit: Math.min(limit, 1_200), whole: 'report.json', language: 'diff' })}`,
    suggestion === null ? '' : `💡 ${inlineText(suggestion, Math.min(limit, 400))}`,
  );
}

/** Whether a code span shows the text unchanged: it would collapse white space, and escape the bars of tables. */
function isPlainLine(text: string, limit: number): boolean {
  return text.length <= limit && /^\S(?:[^|\n]*\S)?$/.test(text) && !/\s{2}|\|/.test(text);
}

/** Renders a table; cells must already be safe. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Renders a folded part. `summary` is plain text, `body` is finished Markdown. */
function details(summary: string, body: string): string {
  return `<details>\n<summary>${htmlText(summary)}</summary>\n\n${body}\n\n</details>`;
}
