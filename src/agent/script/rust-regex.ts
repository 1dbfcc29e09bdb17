import type { Pattern } from '../../domain/agent-script.js';

/**
 * Translates a regular expression from claudeless, which is in Rust's syntax, to JavaScript: leading flags (`(?i)`),
 * named groups (`(?P<name>…)`), `\A` and `\z`, POSIX classes and `\x{…}` are written differently.
 */
export function fromRustRegex(source: string): Extract<Pattern, { regex: string }> {
  const [, inFront = '', rest = source] = /^\(\?([imsu]+)\)([\s\S]*)$/.exec(source) ?? [];
  const flags = new Set(inFront.replace('u', ''));
  let regex = rest
    .replace(/\(\?P</g, '(?<')
    .replace(/\[:(\^?)(\w+):\]/g, (whole, not: string, name: string) =>
      not === '' ? (POSIX_CLASSES[name] ?? whole) : whole,
    );
  if (!flags.has('m')) regex = regex.replace(/\\(A|z)/g, (_, end: string) => (end === 'A' ? '^' : '$'));
  if (/\\[pP]\{|\\x\{/.test(regex)) {
    flags.add('u');
    regex = regex.replace(/\\x\{/g, '\\u{');
  }
  return flags.size === 0 ? { regex } : { regex, flags: [...flags].join('') };
}

const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  digit: '0-9',
  lower: 'a-z',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9a-fA-F',
};
