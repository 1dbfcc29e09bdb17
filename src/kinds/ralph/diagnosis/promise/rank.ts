import type { HeldPromise } from '../../../../domain/contract.js';

/** What a promise can match. */
export interface Symptom {
  /** What was seen: the differences, and what was expected there. */
  readonly text: string;
  /** The commands behind it, with their arguments. */
  readonly commands?: readonly string[];
  /** A command that shows correctly what others wrote. Promises about it come last. */
  readonly shown?: string | undefined;
}

/**
 * Puts first what matches the symptom most closely: a promise about a flag, a topic or a setting that differs, then one
 * about a flag of the command, then what more checks are about and what shares more words with what was seen.
 */
export function rank(held: readonly HeldPromise[], symptom: Symptom): HeldPromise[] {
  const text = flatten(symptom.text);
  const score = ({ promise, about = [] }: HeldPromise) =>
    2 * held.filter((one) => one.promise === promise).length +
    wordsOf(promise).filter((word) => text.includes(word)).length +
    Math.max(0, ...about.map((part) => closeness(part, text, symptom))) -
    (about.some((part) => isShown(part, symptom)) ? SHOWN_LATER : 0);
  const unique = [...new Map(held.map((one) => [one.promise, one])).values()];
  return unique.sort((a, b) => score(b) - score(a));
}

const SHOWN_LATER = 100;

/** How closely a part of Ralph's surface, such as `flag emit --json`, matches what was seen. */
function closeness(part: string, text: string, { commands = [] }: Symptom): number {
  const [kind, ...words] = part.split(' ');
  const name = words.at(-1) ?? '';
  switch (kind) {
    case 'flag':
      if (commands.length > 0 && hasWord(text, flatten(name.replace(/^-+/, '')))) return 5;
      // How an answer is formatted says little about what is in it.
      if (name === '--format') return 0;
      return commands.some((command) => isCallOf(words.slice(0, -1), command) && hasFlag(name, command))
        ? 3
        : 0;
    case 'command':
      // How an answer is formatted says little about what is in it.
      if (name === '--format') return 0;
      return commands.some((command) => isCallOf(words, command)) ? 1 : 0;
    case 'config':
      return hasWord(text, flatten(name.split('.').at(-1) ?? '')) ? 4 : 0;
    case 'topic':
    case 'reason':
      return hasWord(text, flatten(name)) ? 4 : 0;
    default:
      return 0;
  }
}

function isShown(part: string, { shown }: Symptom): boolean {
  const [kind, ...words] = part.split(' ');
  if (shown === undefined || (kind !== 'flag' && kind !== 'command')) return false;
  const call = words.filter((word) => !word.startsWith('-'));
  return call.length > 0 && isCallOf(call, shown);
}

/** The short forms of flags, as `ralph --help` lists them. */
const SHORT: Readonly<Record<string, string>> = {
  '--config': '-c',
  '--hats': '-H',
  '--verbose': '-v',
  '--prompt': '-p',
  '--prompt-file': '-P',
  '--backend': '-b',
  '--autonomous': '-a',
  '--quiet': '-q',
  '--json': '-j',
};

function hasFlag(flag: string, command: string): boolean {
  const words = command.split(' ');
  return words.includes(flag) || words.includes(SHORT[flag] ?? flag);
}

/** Whether a command line calls this subcommand. Flags for all commands may stand before it. */
function isCallOf(words: readonly string[], command: string): boolean {
  return words.length === 0 || ` ${command} `.includes(` ${words.join(' ')} `);
}

function hasWord(text: string, word: string): boolean {
  return (
    word.length > 2 &&
    ` ${text} `
      .split(/[^a-z0-9_.]+/)
      .some((one) => one === word || one.endsWith(`.${word}`) || one === `${word}.`)
  );
}

/** Makes names comparable: a flag --max-iterations and a setting max_iterations. */
function flatten(text: string): string {
  return text.toLowerCase().replaceAll('-', '_');
}

/** The words that can tell one promise from another: names, and words of five letters or more. */
function wordsOf(text: string): string[] {
  const words = flatten(text).match(/[a-z][\w./]*[a-z]/g) ?? [];
  return [...new Set(words.filter((word) => word.length > 4 && !COMMON.has(word)))];
}

const COMMON: ReadonlySet<string> = new Set([
  'after',
  'before',
  'every',
  'expected',
  'expects',
  'first',
  'iteration',
  'iterations',
  'prompt',
  'ralph',
  'there',
  'which',
]);
