import type { ShellCommand } from './shell/parse.js';
import type { ShellPiece } from './shell/pieces.js';
import { bareName, startedBy } from './shell/started.js';

/** Lists what an allow rule may match: the command as written, and without what Claude Code looks through. */
export function spellingsForAllow({ source, words, assignments }: ShellCommand): string[] {
  if (!assignments.every((assignment) => HARMLESS.test(assignment))) return [source];
  let rest = words.map(({ raw }) => raw);
  const spaced = assignments.length === 0 ? [source] : [source, rest.join(' ')];
  for (;;) {
    const shorter = withoutWrapper(rest);
    if (shorter === null) return spaced;
    // What xargs adds to the command is unknown.
    const unseen = rest[0] === 'xargs' ? ' …' : '';
    rest = shorter;
    spaced.push(`${rest.join(' ')}${unseen}`);
    if (unseen !== '') return spaced;
  }
}

/** Lists what only an allow rule with a star may match: the command without quotes, wrappers and their options. */
export function spellingsForPatterns({ words, assignments }: ShellCommand): string[] {
  if (!assignments.every((assignment) => HARMLESS.test(assignment))) return [];
  const found: string[] = [];
  let rest = words;
  for (;;) {
    const [head, ...others] = rest;
    if (head === undefined) return found;
    found.push([head.text, ...others.map(({ raw }) => raw)].join(' '));
    const taken = WRAPPER_OPTIONS[head.text]?.exec(others.map(({ text }) => `${text} `).join(''))?.[0];
    if (taken === undefined) return found;
    rest = others.slice(taken.split(' ').length - 1);
  }
}

/** What belongs to a program that starts another one, each word with a space behind it. */
const WRAPPER_OPTIONS: Readonly<Record<string, RegExp>> = {
  timeout: /^(?:-k \d+[smhd]? )?\d+(?:\.\d+)?[smhd]? /,
  nice: /^(?:-n \d+ )?(?!-)/,
  stdbuf: /^(?:-[ioe]\S+ )*(?!-)/,
  nohup: /^(?!-)/,
  time: /^(?!-)/,
  command: /^(?!-)/,
};

/** Variables that change nothing but the output of programs, or which tests and builds they run. */
const HARMLESS = new RegExp(
  `^(?:${[
    ...['NODE_ENV', 'CI', 'RUST_LOG', 'RUST_BACKTRACE', 'PYTHONUNBUFFERED', 'PYTHONDONTWRITEBYTECODE'],
    ...['PYTEST_DEBUG', 'CGO_ENABLED', 'GO111MODULE', 'GOOS', 'GOARCH', 'GOEXPERIMENT', 'ANTHROPIC_API_KEY'],
    ...['LANGUAGE', 'LC_TIME', 'CHARSET', 'TZ', 'TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'CLICOLOR'],
    ...['LS_COLORS', 'GREP_COLORS', 'GCC_COLORS', 'BLOCK_SIZE', 'TIME_STYLE', 'COLUMNS', 'LINES'],
  ].join('|')})=[\\w.:/-]*$`,
);

function withoutWrapper(words: readonly string[]): string[] | null {
  const [name = '', first = '', ...rest] = words;
  if (name === 'timeout') return /^\d+(?:\.\d+)?[smhd]?$/.test(first) && rest.length > 0 ? rest : null;
  return WRAPPERS.includes(name) && first !== '' && !first.startsWith('-') ? [first, ...rest] : null;
}

const WRAPPERS = ['time', 'nohup', 'nice', 'stdbuf', 'xargs'];

/** Lists what a deny rule may match: no prefix, variable or path may hide a denied command. */
export function spellingsForDeny({ words }: ShellPiece): string[] {
  return startedBy(words).flatMap((started) => {
    const [head, ...rest] = started;
    if (head === undefined) return [];
    const raw = [head.raw, ...rest.map((word) => word.raw)].join(' ');
    const texts = [head.text, ...rest.map(({ text }) => text)].join(' ');
    const bare = bareName(head.text.replace(/^\\/, ''));
    return [
      raw,
      texts,
      [bare, ...rest.map((word) => word.raw)].join(' '),
      texts.replace(head.text, () => bare),
    ];
  });
}
