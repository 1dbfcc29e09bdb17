import { resolve } from 'node:path';
import {
  FILE_READERS,
  FILE_WRITERS,
  LONE_READERS,
  PATTERN_FIRST,
  READERS,
  READERS_BY_OPTION,
  READERS_BY_SHAPE,
  UNACCEPTED_WRITERS,
} from '../commands.js';
import type { JudgeContext } from '../judgement.js';
import { lookUp } from '../look-up.js';
import type { ShellWord } from '../shell/words.js';
import { CONDITIONS, readsWithCondition } from './conditions.js';
import { readsWithGit } from './git-readers.js';
import { readsWithSed } from './sed.js';

/** The files that a command reads and changes, for the rules about files. */
export function filesOf([head, ...rest]: readonly ShellWord[]) {
  const name = head?.text ?? '';
  const operands = operandsOf(name, rest);
  const isReader =
    lookUp(FILE_READERS, name) !== undefined ||
    ['cp', 'mv', 'sed'].includes(name) ||
    (name === 'git' && ['diff', 'grep'].includes(rest[0]?.text ?? ''));
  const isWriter =
    (FILE_WRITERS.includes(name) && !(name === 'sed' && readsOnly(name, rest))) ||
    UNACCEPTED_WRITERS.includes(name);
  const named = optionFiles(name, rest);
  return { read: isReader ? [...named, ...operands] : named, written: isWriter ? operands : [] };
}

/** The files that options name: `-f FILE`, `-fFILE`, `--file FILE` and `--file=FILE`. */
export function optionFiles(name: string, rest: readonly ShellWord[]): readonly ShellWord[] {
  const options = lookUp(FILE_OPTIONS, name) ?? [];
  return rest.flatMap((word, index) => {
    const option = options.find((known) =>
      known.startsWith('--') ? word.text.split('=')[0] === known : hasLetter(word.text, known.slice(1)),
    );
    if (option === undefined) return [];
    const after = option.startsWith('--') ? '=' : option.slice(1);
    const attached = word.text.slice(word.text.indexOf(after) + 1);
    const isAttached = word.text.includes(after) && attached !== '';
    const next = rest[index + 1];
    if (isAttached) return [{ ...word, text: attached, raw: attached }];
    return next === undefined ? [] : [next];
  });
}

function hasLetter(text: string, letter: string): boolean {
  return /^-[a-zA-Z]/.test(text) && text.includes(letter);
}

/** Options whose value is a file to read. */
const FILE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  grep: ['-f', '--file'],
  rg: ['-f', '--file'],
  awk: ['-f', '--file'],
  sed: ['-f', '--file'],
  jq: ['-f', '--from-file'],
  wc: ['--files0-from'],
  sort: ['--files0-from'],
  date: ['-f', '-r', '--file', '--reference'],
  file: ['-f', '--files-from'],
};

/** The operands of a command that are files. */
export function operandsOf(name: string, rest: readonly ShellWord[]): readonly ShellWord[] {
  const dashes = rest.findIndex(({ text }) => text === '--');
  const before = (dashes < 0 ? rest : rest.slice(0, dashes)).filter(({ text }) => !/^-./.test(text));
  const all = dashes < 0 ? before : [...before, ...rest.slice(dashes + 1)];
  // Tests like `-newer` look at files, too. Other values of tests are no paths that lead anywhere else.
  if (name === 'find') {
    return rest.filter(
      ({ text }, index) =>
        !/^[-(!]/.test(text) && !/^-(?:i?name|printf|perm|i?regex)$/.test(rest[index - 1]?.text ?? ''),
    );
  }
  if (name === 'git') {
    const isSearch = rest[0]?.text === 'grep' && !rest.some(({ text }) => /^-[a-zA-Z]*[ef]/.test(text));
    return all.slice(isSearch ? 2 : 1);
  }
  if (PATTERN_FIRST.includes(name)) {
    const hasPattern = rest.some(({ text }) => /^(?:-[ef].|--(?:regexp|file|from-file)=)/.test(text));
    return hasPattern ? all : all.slice(1);
  }
  if (name === 'sed') {
    const hasScript = rest.some(({ text }) => /^(?:-[ef]|--(?:expression|file)(?:=|$))/.test(text));
    return hasScript ? all : all.slice(1);
  }
  return all;
}

/** Whether a command only reads, by its name and its options. */
export function readsOnly(name: string, rest: readonly ShellWord[]): boolean {
  if (name === 'cd') return rest.every(({ text }) => !/^-./.test(text));
  if (READERS.includes(name) && name !== 'find') return true;
  // What a command makes may be an option.
  if (rest.some(({ computed }) => computed)) return false;
  if (READERS.includes(name)) return true;
  if (name === 'jq') return readsWithJq(rest);
  if (CONDITIONS.includes(name)) return readsWithCondition(name, rest);
  if (rest.some((word) => isExpanding(word, name))) return false;
  if (LONE_READERS.includes(name) && rest.length === 0) return true;
  if (name === 'git') return readsWithGit(rest);
  if (name === 'sed') return readsWithSed(rest);
  const shape = lookUp(READERS_BY_SHAPE, name);
  // A space inside a word must not look like one between words.
  if (shape !== undefined) return shape.test(rest.map(({ text }) => text.replace(/\s/g, '\0')).join(' '));
  const options = lookUp(READERS_BY_OPTION, name);
  if (options === undefined) return false;
  return rest.every(({ text }) => {
    if (!/^-./.test(text) || options.words.includes(text.replace(/=.*$/s, '='))) return true;
    return (
      /^-[a-zA-Z]+\d*$/.test(text) &&
      [...text.slice(1).replace(/\d+$/, '')].every(
        (letter) =>
          options.letters.includes(letter) && (options.apart?.includes(letter) !== true || text.length === 2),
      )
    );
  });
}

/** The real program does not look for options among words that a shell could expand, whatever their quotes. */
function isExpanding({ text, globs }: ShellWord, name: string): boolean {
  return (
    (globs && !['grep', 'md5sum', 'sha1sum', 'sha256sum'].includes(name)) ||
    /[$`\n]|\{.*(?:,|\.\.)/s.test(text)
  );
}

/** Options come before the filter. A filter can print every variable of the environment. */
function readsWithJq(rest: readonly ShellWord[]): boolean {
  if (rest.some(({ globs }) => globs)) return false;
  const words = rest.map(({ text }) => text);
  const filter = words.findIndex((text) => !text.startsWith('-'));
  return (
    filter >= 0 &&
    !words.includes('--') &&
    words.slice(filter).every((text) => !text.startsWith('-')) &&
    words.every((text) => !/\benv\b|\$ENV/.test(text))
  );
}

/** The full path that a word means. */
export function locateWord({ text }: ShellWord, { cwd, home }: JudgeContext): string {
  if (text === '~' || text.startsWith('~/')) return resolve(home, `.${text.slice(1)}`);
  return resolve(cwd, text);
}
