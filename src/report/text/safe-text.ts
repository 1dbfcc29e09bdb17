import type { Sentence } from '../../domain/check.js';
import { shortenPair } from '../../domain/common/shorten-pair.js';

/**
 * All text from an agent or a target is hostile: it may try to leave its fence or table cell, paint the terminal, hide
 * text from people, or address the agent that reads the report. Every renderer passes such text through here.
 */

/** ANSI and VT sequences: CSI, strings (OSC, DCS, SOS, PM, APC) up to their end or the end of the line, two-byte escapes. */
const ESCAPE_SEQUENCES =
  /(?:\u001b\[|\u009b)[\u0030-\u003f]*[\u0020-\u002f]*[\u0040-\u007e]?|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b[\u0020-\u002f]*[\u0030-\u007e]?/g;
/** Controls except tab and newline. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/**
 * Characters that reorder or hide text: bidi marks and overrides, zero-width ones, tags, invisible operators, selectors.
 * What belongs to an emoji stays: one selector after it, and a joiner between two. The class comes first: it fails at once.
 */
export const INVISIBLE =
  /(?=\p{Default_Ignorable_Code_Point})(?!(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[#*\d])\ufe0f\u20e3|(?<=\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d\p{Extended_Pictographic})\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu;
const LONE_SURROGATES = /\p{Cs}/gu;

/** A fast path: most texts need no cleaning, and ten thousand tests have many. */
const PLAIN = /^[\n\t -~]*$/;

/** Removes control sequences, and characters that hide or reorder text. */
export function cleanText(sentence: Sentence): string {
  const text = `${sentence}`;
  if (PLAIN.test(text)) return text;
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(ESCAPE_SEQUENCES, '')
    .replace(CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(LONE_SURROGATES, '\ufffd');
}

/** What GitHub, Azure and TeamCity take for a command anywhere in a line: `##[name]`, `##vso[name]`, `##teamcity[name]`. */
export const CI_COMMANDS = /##(?=[a-z]{0,20}\[)/gi;

/** Breaks what a CI system takes for a command on the screen; `::name` is one for GitHub at the start of a line. */
export function breakCommands(text: string): string {
  // The colon comes first: few lines have one in that place.
  return text.replace(CI_COMMANDS, '# #').replace(/:(?=:)(?<=^[^\S\n]*:)/gm, ': ');
}

/** Returns clean text on one line, cut to `limit` characters. */
export function oneLine(text: Sentence, limit = 200): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  return line.length <= limit ? line : `${cutHead(line, limit - 1)}…`;
}

/** Returns clean text on one line; what is too long loses its middle, because both ends tell texts apart. */
export function cutMiddle(text: Sentence, limit: number): string {
  const line = oneLine(text, text.length);
  if (line.length <= limit) return line;
  return `${cutHead(line, Math.ceil((limit - 1) / 2))}…${cutTail(line, Math.floor((limit - 1) / 2))}`;
}

/** Returns two texts that are compared, each on one clean line; long ones are cut around their first difference. */
export function linePair(expected: Sentence, actual: Sentence, limit = 200): [string, string] {
  return shortenPair(
    oneLine(expected, Number.POSITIVE_INFINITY),
    oneLine(actual, Number.POSITIVE_INFINITY),
    limit,
  );
}

/** Words of which GitHub makes a link, a mention, or a reference that can close an issue. In code it makes none. */
const BETWEEN_WORDS = /([\s"'()<>,;]+)/;
const LINKED = /:\/\/|www\.|@[\w-]|#\d|\bGH-\d|\b(?:CVE|GHSA)-/i;

/** Returns one clean line without a meaning in Markdown or HTML: for table cells, list items, sentences. */
export function inlineText(text: Sentence, limit = 200): string {
  return oneLine(text, limit)
    .split(BETWEEN_WORDS)
    .map((word) => (LINKED.test(word) ? codeSpan(word, word.length) : escapeMarkdown(word)))
    .join('')
    .replace(/^(?:#{1,6}|[-+])(?=\s|$)|^(?:-+|=+)$/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

function escapeMarkdown(word: string): string {
  const escaped = word
    .replace(/[\\`*[\]|~$]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_');
  return escapeHtml(escaped);
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Renders a code span that its content cannot end, even in a table, where `|` must be escaped in code too. */
export function codeSpan(text: string, limit = 200): string {
  const line = oneLine(text, limit)
    .replace(/\\(?=\|)/g, '\\ ')
    .replace(/\|/g, '\\|');
  if (line === '') return '(empty)';
  const ticks = '`'.repeat(longestRun(line) + 1);
  const pad = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** The maximum length of a text, and where to find the whole. */
interface CapOptions {
  readonly limit: number;
  readonly whole: string | null;
}

/** Cleans a text; if it is too long, keeps its beginning and end. */
export function capText(text: string, { limit, whole }: CapOptions): string {
  const clean = cleanText(text);
  if (clean.length <= limit) return clean;
  const head = cutHead(clean, Math.ceil(limit * 0.6));
  const tail = cutTail(clean, Math.floor(limit * 0.4));
  const left = clean.length - head.length - tail.length;
  const where = whole === null ? '' : `; the whole is in ${oneLine(whole, 400)}`;
  const gap = `\n[… ${left} characters left out${where} …]\n`;
  // A gap that is longer than what it leaves out only hides something.
  return left > gap.length ? `${head}${gap}${tail}` : clean;
}

/** Renders a fenced block that its content cannot end: the fence is longer than any run of backticks inside. */
export function fencedBlock(text: string, options: CapOptions & { readonly language?: string }): string {
  const body = capText(text, options).replace(/(?<!\n)\n+$/, '');
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1));
  return `${fence}${options.language ?? ''}\n${body === '' ? '(empty)' : body}\n${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Cuts a text without splitting a surrogate pair. */
function cutHead(text: string, length: number): string {
  const cut = text.slice(0, Math.max(0, length));
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

function cutTail(text: string, length: number): string {
  const cut = length <= 0 ? '' : text.slice(-length);
  return /^[\udc00-\udfff]/.test(cut) ? cut.slice(1) : cut;
}

/** Returns one clean line for HTML contexts, such as a `<summary>`. */
export function htmlText(text: string, limit = 200): string {
  return oneLine(text, limit)
    .split(BETWEEN_WORDS)
    .map((word) => (LINKED.test(word) ? `<code>${escapeHtml(word)}</code>` : escapeHtml(word)))
    .join('');
}

/** Quotes a command for a POSIX shell. */
export function quoteCommand(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
