import { parse } from 'yaml';

/** A markdown file of a plugin, taken apart. */
export interface HeadedFile {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Why Claude Code cannot read the head, or null. The file then has no fields. */
  readonly problem: string | null;
  /** Why only Claude Code can read the head, or null. */
  readonly excess: string | null;
}

const NO_HEAD = { fields: {}, problem: null, excess: null };

/** Reads a markdown file. */
export function readHeaded(text: string): HeadedFile {
  const plain = text.replace(/^\uFEFF/, '');
  const lines = plain.split('\n');
  const end = isFence(lines[0]) ? lines.findIndex((line, index) => index > 0 && isFence(line)) : -1;
  if (end < 0) return { ...NO_HEAD, body: plain };
  const [head, rest] = [lines.slice(1, end), lines.slice(end + 1)].map((part) => part.join('\n'));
  // Claude Code drops the space below a head, and keeps it where there is none.
  const body = (rest ?? '').trimStart();
  return { ...NO_HEAD, ...parseHead(head ?? ''), body };
}

function isFence(line: string | undefined): boolean {
  return line?.trimEnd() === '---';
}

/** The time for a head with mistakes grows with the square of its length, and deep nesting exhausts the stack. */
const MAX_HEAD = 16_384;
const MAX_NESTED = 500;

function parseHead(written: string): Partial<HeadedFile> {
  const head = written.replaceAll('\r', '');
  const nested = head.match(/[[{]|[-?] /g)?.length ?? 0;
  if (head.length > MAX_HEAD || nested > MAX_NESTED) {
    const found = `${head.length} characters and ${nested} lists and mappings`;
    return {
      excess: `the head is too large: expected at most ${MAX_HEAD} and ${MAX_NESTED}, found ${found}`,
    };
  }
  // Where lines end with a carriage return, Claude Code 2.1.325 quotes nothing.
  for (const text of head === written ? [head, quoteWords(head)] : [head]) {
    const value = tryParse(text);
    if (value === null || value === undefined) return {};
    if (typeof value === 'object' && !Array.isArray(value)) return { fields: { ...value } };
  }
  return { problem: 'the head is not a YAML mapping (key: value)' };
}

/** People write `description: Use when: …`, which is no YAML. Claude Code takes such words as if they were quoted. */
function quoteWords(head: string): string {
  return head.replace(/^([A-Za-z_-]+):[ \t]+(\S.*)$/gm, (line, key: string, words: string) => {
    const value = words.trimEnd();
    const isQuoted = value.length > 1 && /^["']/.test(value) && value.endsWith(value.charAt(0));
    return isQuoted || !/[[\]{}*&#!|>%@`]|: /.test(words) ? line : `${key}: ${JSON.stringify(value)}`;
  });
}

/** Returns what a text means, or false for one that is no YAML. Of two equal keys, the last counts. */
function tryParse(text: string): unknown {
  try {
    return parse(text, { uniqueKeys: false, logLevel: 'error' });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false;
  }
}

/** Returns a field as text. Claude Code turns numbers, booleans and even lists into text for names. */
export function textField(
  fields: Readonly<Record<string, unknown>>,
  key: string,
  { lists = false } = {},
): string {
  const value = fields[key];
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return lists ? String(value) : '';
  return String(value);
}

/** Whether a flag is on. Claude Code takes a few words for that, and anything else, even `y`, as off. */
export function isFlagOn(fields: Readonly<Record<string, unknown>>, key: string): boolean {
  return ['true', 'yes', 'on', '1'].includes(String(fields[key]).trim().toLowerCase());
}

/** Returns the names that a command gives its arguments: a list, or words. A number is no name. */
export function readArgumentNames({ arguments: given }: Readonly<Record<string, unknown>>): string[] {
  const listed = typeof given === 'string' ? given.split(/\s+/) : Array.isArray(given) ? given : [];
  return listed.filter(
    (name): name is string => typeof name === 'string' && name.trim() !== '' && !/^\d+$/.test(name),
  );
}
