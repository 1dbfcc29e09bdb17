/** A form in which a program may print a known value, in bytes (one character for each). */
export interface Spelling {
  readonly text: string;
  /** Whether programs break this form into lines, which JSON then shows as `\n`. */
  readonly wraps: boolean;
}

/** Shorter values would also match ordinary words. */
export const MIN_VALUE_LENGTH = 8;
/** The beginning of a longer value is enough to find it. */
const MAX_VALUE_LENGTH = 16 * 1024;

/** Lists the forms of known values that programs print: as they are, in JSON, URLs, HTML, base64 and hex. */
export function spellValues(values: readonly string[]): Spelling[] {
  const spellings = new Map<string, Spelling>();
  for (const value of new Set(values.map((text) => text.trim()))) {
    if (value.length < MIN_VALUE_LENGTH) continue;
    const known = value.slice(0, MAX_VALUE_LENGTH);
    for (const text of [...escapedForms(known)].map(toBytes)) spellings.set(text, { text, wraps: false });
    for (const text of encodedForms(toBytes(known))) spellings.set(text, { text, wraps: true });
  }
  return [...spellings.values()].filter(({ text }) => text.length >= MIN_VALUE_LENGTH);
}

/** Bytes are handled as latin1 text, one character for each, because output need not be UTF-8. */
function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function* escapedForms(value: string): Iterable<string> {
  yield value;
  // A tool prints JSON, Claude puts that into JSON, and somebody logs it as JSON.
  let [json, ascii, html] = [value, value, value];
  for (let depth = 0; depth < 4; depth += 1) {
    [json, ascii, html] = [escapeJson(json), escapeAscii(escapeJson(ascii)), escapeMarkup(escapeJson(html))];
    yield* [json, ascii, html];
  }
  yield* ['&#39;', '&apos;', '&#x27;', "'"].flatMap((apostrophe) => [
    escapeHtml(value, apostrophe, '&quot;'),
    escapeHtml(value, apostrophe, '&#34;'),
  ]);
  const uri = encodeURIComponent(value.replace(/\p{Surrogate}/gu, ''));
  const strict = uri.replace(/[!'()*]/g, percent);
  const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  for (const text of [uri, strict]) yield* [text, lower(text), text.replaceAll('%20', '+')];
  // Single quotes in a shell.
  yield value.replaceAll("'", "'\\''");
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Escapes as Python does: only ASCII. */
function escapeAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, unicode);
}

/** Escapes as Go does: nothing that is markup in HTML. */
function escapeMarkup(text: string): string {
  return text.replace(/[<>&]/g, unicode);
}

function unicode(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function percent(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
}

function escapeHtml(text: string, apostrophe: string, quote: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', quote)
    .replaceAll("'", apostrophe);
}

function* encodedForms(bytes: string): Iterable<string> {
  const hex = Buffer.from(bytes, 'latin1').toString('hex');
  yield* [hex, hex.toUpperCase()];
  for (const text of base64Forms(bytes)) {
    yield text;
    yield text.replaceAll('+', '-').replaceAll('/', '_');
  }
}

/** Encodes the value alone, with a line feed, and inside other text: base64 looks different at each of three offsets. */
function* base64Forms(bytes: string): Iterable<string> {
  const encode = (text: string) =>
    Buffer.from(text, 'latin1')
      .toString('base64')
      .replace(/={1,2}$/, '');
  yield encode(bytes);
  yield encode(`${bytes}\n`);
  for (const offset of [0, 1, 2]) {
    // Characters that also depend on the bytes around the value are left out.
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    yield encode('\0'.repeat(offset) + bytes).slice(first, last);
  }
}

/** Compares a text with a value from here on. Returns where it ends, `begun` if the text ends first, or null. */
export function matchSpelling(
  text: string,
  start: number,
  { text: value, wraps }: Spelling,
): number | 'begun' | null {
  let at = start;
  for (let index = 0; index < value.length; ) {
    if (at >= text.length) return 'begun';
    if (text.charCodeAt(at) === value.charCodeAt(index)) {
      at += 1;
      index += 1;
      continue;
    }
    const broken = lineBreakAt(text, at, wraps);
    if (broken === 0) return wraps && text.slice(at) === '\\' ? 'begun' : null;
    at += broken;
  }
  return at;
}

/** Returns the length of a line break, also of one in JSON if the value wraps; 0 if there is none. */
function lineBreakAt(text: string, at: number, wraps: boolean): number {
  const letter = text.charAt(at);
  if (letter === '\n' || letter === '\r') return 1;
  return wraps && letter === '\\' && /[nr]/.test(text.charAt(at + 1)) ? 2 : 0;
}

/** Returns where a text of this length begins that ends here, if line breaks do not count. */
export function stepBack(text: string, from: number, at: number, length: number): number {
  let [start, left] = [at + 1, length];
  while (left > 0 && start > from) {
    start -= 1;
    const letter = text.charAt(start);
    if (letter !== '\n' && letter !== '\r') left -= 1;
  }
  return start;
}
