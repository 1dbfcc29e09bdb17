import type { ShellCommand } from './shell/parse.js';

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

/** Variables that change nothing but the output of programs. */
const HARMLESS = /^(?:NODE_ENV|LANG|LC_ALL|TZ|TERM|NO_COLOR|RUST_LOG|RUST_BACKTRACE)=[\w.:/-]*$/;

function withoutWrapper(words: readonly string[]): string[] | null {
  const [name = '', first = '', ...rest] = words;
  if (name === 'timeout') return /^\d+(?:\.\d+)?[smhd]?$/.test(first) && rest.length > 0 ? rest : null;
  return WRAPPERS.includes(name) && first !== '' && !first.startsWith('-') ? [first, ...rest] : null;
}

const WRAPPERS = ['time', 'nohup', 'nice', 'stdbuf', 'xargs'];

/** Lists what a deny rule may match: no prefix, variable or path may hide a denied command. */
export function spellingsForDeny(piece: string): string[] {
  const found = [piece.trim()];
  let words = piece.trim().split(/\s+/);
  found.push(words.join(' '));
  for (;;) {
    const [name = ''] = words;
    const bare = name.replace(/^\\|["']/g, '').replace(/^.*\//, '');
    if (bare !== name) found.push([bare, ...words.slice(1)].join(' '));
    if (words.length < 2 || !(LOOKED_THROUGH.test(bare) || /^-|^[\d.]+[smhd]?$/.test(name))) return found;
    words = bare === 'xargs' ? [...words.slice(1), '…'] : words.slice(1);
    found.push(words.join(' '));
  }
}

const LOOKED_THROUGH =
  /^(?:\w+\+?=.*|sudo|doas|env|time|timeout|nohup|nice|stdbuf|command|builtin|exec|xargs)$/;
