import type { ShellCommand } from '../shell/parse.js';
import type { ShellPiece } from '../shell/pieces.js';
import { bareName, startedBy } from '../shell/started.js';
import type { ShellWord } from '../shell/words.js';
import { AROUND_PATTERNS, afterWrapper, isHarmless } from '../wrappers.js';

/** Lists what an allow rule may match: the command as written, and without what Claude Code looks through. */
export function spellingsForAllow({ source, words, assignments }: ShellCommand): string[] {
  if (!assignments.every(isHarmless)) return [source];
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
  if (!assignments.every(isHarmless)) return [];
  const found: string[] = [];
  for (
    let rest: readonly ShellWord[] | null = words;
    rest !== null;
    rest = afterWrapper(rest, AROUND_PATTERNS)
  ) {
    const [head, ...others] = rest;
    if (head === undefined) return found;
    found.push([head.text, ...others.map(({ raw }) => raw)].join(' '));
  }
  return found;
}

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
      // Claude Code leaves out the end of a test in brackets, and does not tell the two kinds apart.
      ...(/^\[\[?$/.test(head.raw)
        ? [
            `[[ ${rest
              .slice(0, -1)
              .map(({ raw }) => raw)
              .join(' ')}`,
          ]
        : []),
    ];
  });
}
