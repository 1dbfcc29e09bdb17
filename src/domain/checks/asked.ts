import type { About, Sentence } from '../check.js';

/** A check as far as its demands go. */
interface Demanding {
  readonly kind: string;
  readonly name: Sentence;
  readonly about?: About;
}

/** What each kind of check demands of the agent. Kinds that are not here judge ralph, a hook or the harness. */
const DEMANDS: Readonly<Record<string, (about: About) => readonly (readonly string[])[]>> = {
  agentSaid: wording,
  saidInOrder: wording,
  turnSays: wording,
  turnMentions: ({ texts = [], limit = 1 }) => (limit > 1 ? texts.map((text) => [text]) : [texts]),
  turnSuggests: ({ names = [] }) => [names],
  eventEmitted: (about) => [[about.topic ?? ''], ...wording(about)],
  eventsInOrder: ({ topics = [] }) => topics.map((topic) => [topic]),
  fileContains: fileDemands,
  fileAfterTurn: fileDemands,
  fileSeen: ({ path = '' }) => [[path]],
  fileEquals: fileDemands,
  scratchpadContains: wording,
  commitIs: wording,
  taskIs: ({ task = '' }) => [[task]],
  toolUsed: ({ text, texts = [] }) => [text, ...texts].flatMap((one) => (one === undefined ? [] : [[one]])),
};

function wording({ text, texts = [], pattern }: About): string[][] {
  return [
    ...[text, ...texts].flatMap((one) => (one === undefined ? [] : [[one]])),
    ...(pattern === undefined ? [] : [literalsOf(pattern)]),
  ];
}

function fileDemands(about: About): string[][] {
  return [[about.path ?? ''], ...wording(about)];
}

/** Finds what checks want from the agent although no text that it is sent asks for it. */
export function listUnasked(checks: readonly Demanding[], sent: readonly string[]): string[] {
  const asked = readRequests(sent.join('\n'));
  return checks
    .filter(({ about = {} }) => !isCommandOutput(about, asked.text))
    .flatMap((check) =>
      findMissing(check, asked).map(
        (words) => `${check.name}: nothing asks for ${words.map((word) => JSON.stringify(word)).join(', ')}`,
      ),
    );
}

/**
 * Whether these texts ask for everything that a check wants from the agent. The output of a command is not the agent's
 * to give, and a check that wants nothing from the agent asks for nothing.
 */
export function isAskedIn(sent: readonly string[], check: Demanding): boolean {
  const asked = readRequests(sent.join('\n'));
  const { kind, about = {} } = check;
  return (
    DEMANDS[kind] !== undefined &&
    !isCommandOutput(about, asked.text) &&
    findMissing(check, asked).length === 0
  );
}

/** The words that nothing asks for, one list for each demand that is not met. */
function findMissing({ kind, about }: Demanding, asked: Requests): string[][] {
  const demands = about === undefined ? [] : (DEMANDS[kind]?.(about) ?? []);
  return demands.flatMap((oneOf) => {
    const missing = oneOf.map((text) => [
      ...wordsOf(text).filter((word) => !isAsked(word, asked)),
      ...(SPOKEN.has(kind) ? phrasesOf(text).filter((phrase) => !asked.plain.includes(phrase)) : []),
    ]);
    const [first] = missing.toSorted((a, b) => a.length - b.length);
    return first === undefined || first.length === 0 ? [] : [first];
  });
}

/** The texts that the agent is sent, and what they ask it to do with words and numbers. */
interface Requests {
  readonly text: string;
  readonly lower: string;
  /** Its words alone, in lower case. */
  readonly plain: string;
  readonly numbers: readonly number[];
  readonly capitals: boolean;
  readonly backwards: boolean;
  readonly arithmetic: boolean;
}

function readRequests(text: string): Requests {
  const lower = text.toLowerCase();
  return {
    text,
    lower,
    plain: plainWords(text),
    numbers: [...new Set((text.match(/(?<![\p{L}\d])\d+/gu) ?? []).map(Number))],
    capitals: /uppercase|upper case|capital/.test(lower),
    backwards: /backward|revers/.test(lower),
    arithmetic: /\bsum|\badd|\+|\btotal|together|count|how many|number of|power|times|digits/.test(lower),
  };
}

/** What is said is demanded word for word, so the words must be asked for in that order. */
const SPOKEN: ReadonlySet<string> = new Set(['agentSaid', 'saidInOrder', 'turnSays']);

/** Runs of three words and more that hold no number and no code. */
function phrasesOf(text: string): string[] {
  return text
    .split(/[^\p{L}\s']+|\S*\d\S*/u)
    .map(plainWords)
    .filter((phrase) => phrase.split(' ').length >= 3);
}

function plainWords(text: string): string {
  return (text.toLowerCase().match(WORD) ?? []).join(' ');
}

const WORD = /[\p{L}\p{N}]+/gu;

function wordsOf(text: string): string[] {
  return [...new Set(text.match(WORD))];
}

/** Whether a word is in the texts, or is what they ask to make of a word or of numbers. */
function isAsked(word: string, asked: Requests): boolean {
  const isCode = /\d/.test(word) && /\p{L}/u.test(word);
  if (/^\d+$/.test(word) && asked.numbers.includes(Number(word))) return true;
  if (isCode ? asked.text.includes(word) : /\D/.test(word) && asked.lower.includes(word.toLowerCase()))
    return true;
  if (isCode && asked.capitals && asked.lower.includes(word.toLowerCase())) return true;
  if (isCode && joinsTwo(word, asked)) return true;
  const reversed = [...word].reverse().join('');
  if (asked.backwards && asked.lower.includes(reversed.toLowerCase())) return true;
  return /^\d+$/.test(word) && asked.arithmetic && isSum(Number(word), asked.numbers);
}

/** Whether a code is two codes that are asked for, one right after the other. */
function joinsTwo(word: string, asked: Requests): boolean {
  return [...word].some((_, at) => {
    const parts = [word.slice(0, at), word.slice(at)];
    return parts.every((part) => part.length >= 6 && isAsked(part, asked));
  });
}

/** Whether a number is the sum of two or three of these, or a small count. */
function isSum(wanted: number, numbers: readonly number[]): boolean {
  if (wanted < 20) return true;
  return numbers.some((a) =>
    numbers.some((b) => a + b === wanted || a * b === wanted || numbers.some((c) => a + b + c === wanted)),
  );
}

/** A file that the agent is asked to fill with the output of a command holds what that command prints. */
function isCommandOutput({ path }: About, text: string): boolean {
  if (path === undefined) return false;
  const literal = path.replaceAll(/[^\w]/g, '\\$&');
  return new RegExp(`(?<![-=<\\w])>>?\\s*["'\`]?${literal}(?![\\w./-])`).test(text);
}

/** The literal texts in a regular expression: one for each of its alternatives at the top. */
function literalsOf(pattern: string): string[] {
  const source = pattern.replace(/^\//, '').replace(/\/[a-z]*$/, '');
  return splitAlternatives(source).map((branch) =>
    branch
      .replaceAll(/\(\?[:=!<][^)]*\)[?*+]?|\[[^\]]*\][?*+]?(?:\{[^}]*\})?|\\[dwsbSWD][?*+]?|\{[^}]*\}/g, ' ')
      .replaceAll(/.\?/g, ' ')
      .replaceAll(/\\(.)/g, '$1')
      .replaceAll(/[\^$.*+?()|]/g, ' '),
  );
}

function splitAlternatives(source: string): string[] {
  let depth = 0;
  const branches = [''];
  for (const sign of source) {
    if (sign === '(' || sign === '[') depth++;
    if (sign === ')' || sign === ']') depth--;
    if (sign === '|' && depth === 0) branches.push('');
    else branches.push(`${branches.pop() ?? ''}${sign}`);
  }
  return branches;
}
