/** Shorter values would also match ordinary words. */
export const MIN_VALUE_LENGTH = 8;
/** The beginning of a longer value is enough to find it. */
const MAX_VALUE_LENGTH = 16 * 1024;

/** Lists the forms of known values that programs print, in bytes: as they are, in JSON, URLs, HTML, shells, base64, hex. */
export function spellValues(values: readonly string[]): string[] {
  const spellings = new Set<string>();
  for (const value of new Set(values.map((text) => text.trim()))) {
    if (value.length < MIN_VALUE_LENGTH) continue;
    const known = value.slice(0, MAX_VALUE_LENGTH);
    for (const text of escapedForms(known)) spellings.add(toBytes(text));
    for (const text of encodedForms(toBytes(known))) spellings.add(text);
  }
  return [...spellings].filter((text) => text.length >= MIN_VALUE_LENGTH);
}

/** Bytes are handled as latin1 text, one character for each, because output need not be UTF-8. */
function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** JSON as it is, as Python and Go escape it, and as PHP does. */
const JSON_ESCAPES = [
  escapeJson,
  (text: string) => escapeAscii(escapeJson(text)),
  (text: string) => escapeMarkup(escapeJson(text)),
  (text: string) => escapeAscii(escapeJson(text)).replaceAll('/', '\\/'),
];

function* escapedForms(value: string): Iterable<string> {
  // A tool prints JSON, Claude puts that into JSON, and somebody logs it as JSON.
  let forms = new Set([value]);
  for (let depth = 0; depth <= 4; depth += 1) {
    yield* forms;
    forms = new Set([...forms].flatMap((form) => JSON_ESCAPES.map((spell) => spell(form))));
  }
  for (const form of [...uriForms(value), ...htmlForms(value), ...shellForms(value)])
    yield* [form, escapeJson(form), escapeJson(escapeJson(form))];
}

function uriForms(value: string): string[] {
  const whole = value.replace(/\p{Surrogate}/gu, '');
  const uri = encodeURIComponent(whole);
  const strict = uri.replace(/[!'()*]/g, percent);
  const forms = [uri, strict, strict.replaceAll('%2F', '/'), encodeURI(whole)];
  const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return forms.flatMap((text) => [text, lower(text), text.replaceAll('%20', '+')]);
}

function htmlForms(value: string): string[] {
  return ['&#39;', '&apos;', '&#x27;', "'"].flatMap((apostrophe) => [
    escapeHtml(value, apostrophe, '&quot;'),
    escapeHtml(value, apostrophe, '&#34;'),
  ]);
}

/** In single quotes, in double quotes, and as `printf %q` does. */
function shellForms(value: string): string[] {
  const single = ["'\\''", `'"'"'`].map((quote) => value.replaceAll("'", quote));
  return [
    ...single,
    value.replace(/["$\\`]/g, '\\$&'),
    value.replace(/[^\w@%+=:,./\u0080-\uffff-]/g, '\\$&'),
  ];
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
export function matchSpelling(text: string, start: number, value: string): number | 'begun' | null {
  let at = start;
  for (let index = 0; index < value.length; ) {
    if (at >= text.length) return 'begun';
    if (text.charCodeAt(at) === value.charCodeAt(index)) {
      at += 1;
      index += 1;
      continue;
    }
    const broken = lineBreakAt(text, at);
    if (broken === null) return null;
    at += broken;
  }
  return at;
}

/** Line breaks in JSON have as many backslashes as the JSON is deep. */
const LINE_BREAK = /[\r\n]|\\{1,16}(?:[nr]|$)/y;

/** Returns the length of a line break, or of what may become one at the end; null if there is none. */
function lineBreakAt(text: string, at: number): number | null {
  LINE_BREAK.lastIndex = at;
  return LINE_BREAK.test(text) ? LINE_BREAK.lastIndex - at : null;
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
