import type { ShellWord } from '../shell/words.js';

/** The commands that only look whether something is true. */
export const CONDITIONS = ['test', '[', '[['];

/** Whether a test is one that Claude Code 2.1.325 can follow to its end. */
export function readsWithCondition(name: string, rest: readonly ShellWord[]): boolean {
  if (rest.some(({ text, raw, globs }) => globs || /[$`]|^~[^/]/.test(text) || raw.includes('$')))
    return false;
  const closing = name === '[' ? ']' : ']]';
  const isClosed = name === 'test' || rest.at(-1)?.raw === closing;
  const words = name === 'test' ? rest : rest.slice(0, -1);
  const first = words.findIndex(({ raw }) => raw !== '!');
  return isClosed && (words.length === 0 || (first >= 0 && isExpression(name, words.slice(first))));
}

function isExpression(name: string, words: readonly ShellWord[]): boolean {
  const [first = '', second = '', third = ''] = words.map(({ text }) => text);
  switch (words.length) {
    case 1:
      return name !== 'test' || !first.startsWith('-');
    case 2:
      return (name === 'test' ? /^-[fdenszrwxt]$/ : /^-[a-zA-Z]$/).test(first);
    case 3:
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(second)) return [first, third].every((text) => /^\d+$/.test(text));
      return ['=', '==', '!=', '-nt', '-ot', '-ef'].includes(second);
    default:
      return false;
  }
}
