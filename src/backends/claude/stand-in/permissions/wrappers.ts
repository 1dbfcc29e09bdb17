import { lookUp } from './look-up.js';
import type { ShellWord } from './shell/words.js';

/** What a program that starts another one takes for itself: the words after its name, each with a space behind it. */
export type WrapperTable = Readonly<Record<string, RegExp>>;

const BY_THE_SHELL: WrapperTable = { command: /^(?:-p )?(?:-- )?(?!-)/, builtin: /^(?:-- )?(?!-)/ };

/** What Claude Code 2.1.325 looks through to find a command that only reads, from the outside to the inside. */
export const AROUND_READERS: readonly WrapperTable[] = [
  BY_THE_SHELL,
  { timeout: /^\d+(?:\.\d+)?[smhd]? (?!-)/ },
];

/** What it looks through to find an edit that was accepted. */
export const AROUND_EDITS: WrapperTable = {
  ...BY_THE_SHELL,
  timeout: /^(?:-k \d+[smhd]? )?\d+(?:\.\d+)?[smhd]? (?!-)/,
  nice: /^(?:-n \d+ |-\d+ )?(?!-)/,
  stdbuf: /^(?:-[ioe]\S+ )+(?!-)/,
  nohup: /^(?!-)/,
  time: /^(?!-)/,
};

/** What it looks through to compare a command with a rule that has a star. */
export const AROUND_PATTERNS: WrapperTable = {
  timeout: /^(?:-k \d+[smhd]? )?\d+(?:\.\d+)?[smhd]? /,
  nice: /^(?:-n \d+ )?(?!-)/,
  stdbuf: /^(?:-[ioe]\S+ )*(?!-)/,
  nohup: /^(?!-)/,
  time: /^(?!-)/,
  command: /^(?!-)/,
};

/** Returns the words after a wrapper and what belongs to it, or null if there is no wrapper. */
export function afterWrapper(words: readonly ShellWord[], table: WrapperTable): readonly ShellWord[] | null {
  const [head, ...others] = words;
  // A space inside a word must not look like one between words.
  const texts = others.map(({ text }) => `${text.replace(/\s/g, '\0')} `).join('');
  const taken = lookUp(table, head?.text ?? '')?.exec(texts)?.[0];
  return taken === undefined ? null : others.slice(taken.split(' ').length - 1);
}

export interface Unwrapped {
  /** The program and its arguments. */
  readonly words: readonly ShellWord[];
  /** The names of what stands around it. */
  readonly wrappers: readonly string[];
}

/** Leaves out the wrappers of the first table, then those of the next, unless nothing would be left. */
export function unwrap(words: readonly ShellWord[], tables: readonly WrapperTable[]): Unwrapped {
  const wrappers: string[] = [];
  let rest = words;
  for (const table of tables) {
    for (let next = afterWrapper(rest, table); next?.[0] !== undefined; next = afterWrapper(rest, table)) {
      wrappers.push(rest[0]?.text ?? '');
      rest = next;
    }
  }
  return { words: rest, wrappers };
}

/** Whether a variable before a command changes nothing but its output, or which tests and builds it runs. */
export function isHarmless(assignment: string): boolean {
  return /^\w+=[\w.:/-]+$/.test(assignment) && isHarmlessToRead(assignment);
}

/** For a command that only reads, the value may be anything that a shell does not expand and that is no path. */
export function isHarmlessToRead(assignment: string): boolean {
  const [, name = '', written = ''] = /^(\w+)=([^$`{}~()<>\\\n]*)$/.exec(assignment) ?? [];
  const value = written.replace(/['"]/g, '');
  if (SIZES.includes(name)) return /^\d+$/.test(value);
  if (LOCALES.includes(name)) return LOCALE.test(value);
  return HARMLESS.includes(name) && !/(?:^|:)[./]|\.\./.test(value);
}

const HARMLESS = [
  ...['NODE_ENV', 'CI', 'RUST_LOG', 'RUST_BACKTRACE', 'PYTHONUNBUFFERED', 'PYTHONDONTWRITEBYTECODE'],
  ...['PYTEST_DEBUG', 'PYTEST_DISABLE_PLUGIN_AUTOLOAD', 'CGO_ENABLED', 'GO111MODULE', 'GOOS', 'GOARCH'],
  ...['GOEXPERIMENT', 'ANTHROPIC_API_KEY', 'LANGUAGE', 'LC_TIME', 'CHARSET', 'TZ', 'TERM', 'COLORTERM'],
  ...['NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'LS_COLORS', 'LSCOLORS', 'GREP_COLOR'],
  ...['GREP_COLORS', 'GCC_COLORS', 'BLOCKSIZE', 'BLOCK_SIZE', 'TIME_STYLE'],
];
const SIZES = ['COLUMNS', 'LINES'];

/** Other locales may load files. */
const LOCALES = ['LANG', 'LC_ALL', 'LC_CTYPE'];
const LOCALE = /^(?:c|posix|(?:\w[\w.-]*)?utf-?8)$/i;
