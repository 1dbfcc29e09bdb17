/** Returns why Claude Code 2.1.325 does not take a command apart: it may mean something else than it seems to. */
export function findDisguise(source: string): string | null {
  return DISGUISES.find(({ pattern }) => pattern.test(source))?.reason ?? null;
}

/** The program looks for these everywhere, also in quotes and in here-documents. */
const DISGUISES: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  {
    pattern: /^[\s\S]{10001}/,
    reason: 'Parser aborted (timeout, resource limit, or over-length)',
  },
  {
    pattern: /[\u00a0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u3000\ufeff]/,
    reason: 'Contains Unicode whitespace',
  },
  { pattern: /~\[/, reason: 'Contains zsh ~[ dynamic directory syntax' },
  { pattern: /\\[ \t\r]|\n\\\n/, reason: 'Contains backslash-escaped whitespace' },
  { pattern: /\/proc\/[^\s/]*\/environ/, reason: 'Accesses /proc/*/environ which may expose secrets' },
];

/** Returns why a word may mean something else than it seems to. */
export function findWordDisguise(raw: string): string | null {
  return WORD_DISGUISES.find(({ pattern }) => pattern.test(raw))?.reason ?? null;
}

const WORD_DISGUISES: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  { pattern: /^=[a-zA-Z_]/, reason: 'Contains zsh =cmd equals expansion' },
];

/** Returns why the text in a pair of quotes may mean something else than it seems to. */
export function findQuotedDisguise(text: string): string | null {
  if (text.includes('\\\n')) return 'Contains backslash-escaped whitespace';
  return /\n[ \t]*#/.test(text)
    ? 'Newline followed by # inside a quoted argument can hide arguments from path validation'
    : null;
}
