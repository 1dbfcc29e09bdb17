/** Replaces a credential. */
const REDACTED = '[redacted]';

/** Shorter values would also match ordinary words. */
const MIN_SECRET_LENGTH = 8;

/** Strings that look like credentials, no matter who printed them. The first group, if any, is kept. */
const KEY_SHAPES = [
  /(?<![A-Za-z0-9])sk-ant-[\w-]{8,}/,
  /(?<![A-Za-z0-9])sk-[\w-]{20,}/,
  /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{20,}/,
  /(?<![A-Za-z0-9])github_pat_\w{20,}/,
  /(?<![A-Za-z0-9])glpat-[\w-]{20,}/,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/,
  /(?<![A-Za-z0-9])xox[a-z]-[A-Za-z0-9-]{10,}/,
  /(?<![A-Za-z0-9])AIza[\w-]{30,}/,
  /(?<![A-Za-z0-9])eyJ[\w-]{10,}\.[\w-]{4,}\.[\w-]{4,}/,
  /([Aa][Uu][Tt][Hh][Oo][Rr][Ii][Zz][Aa][Tt][Ii][Oo][Nn]["']?\s{0,4}[:=]\s{0,4}["']?(?:[Bb]earer|BEARER|[Bb]asic|[Tt]oken)\s{1,4})[\w.~+/=-]{8,}/,
];

/** Characters that a key-shaped string is made of. */
const TOKEN_CHARACTER = /[\w.~+/=-]/;
const UNFINISHED_HEADER = /authorization["']?\s{0,4}(?:[:=]\s{0,4}["']?(?:[a-z]{0,6}\s{0,4})?)?$/i;
const HEADER_LENGTH = 40;
/** How much of an unbroken run of token characters is held back until the rest of a key arrives. */
const MAX_RUN = 4096;
/** A "key" longer than this is dropped as it arrives instead of being held back until its end. */
const MAX_MATCH = 64 * 1024;

/** Replaces known secret values and key-shaped strings in a text by `[redacted]`. */
export function redactText(text: string, secrets: readonly string[]): string {
  return text.replace(
    buildPattern(expandSecrets(secrets)),
    (_match, kept?: string) => `${kept ?? ''}${REDACTED}`,
  );
}

/**
 * Redacts a stream of bytes: push chunks, write what `push` returns, and finally what `end` returns. It also finds a
 * secret that is split over chunks. Everything else passes unchanged, byte for byte.
 */
export class StreamRedactor {
  readonly #secrets: readonly string[];
  readonly #pattern: RegExp;
  #held = '';
  /** The character before `#held`, which decides whether a word begins there. */
  #before = '';
  #dropping = false;

  constructor(secrets: readonly string[]) {
    // Bytes are handled as latin1 text, one character per byte, so secrets must be spelled in bytes, too.
    this.#secrets = expandSecrets(secrets).map((secret) => Buffer.from(secret, 'utf8').toString('latin1'));
    this.#pattern = buildPattern(this.#secrets);
  }

  push(chunk: Buffer): Buffer {
    return this.#release(chunk.toString('latin1'), false);
  }

  end(): Buffer {
    return this.#release('', true);
  }

  #release(chunk: string, last: boolean): Buffer {
    let text = this.#held + chunk;
    if (this.#dropping) {
      const end = findRunEnd(text);
      this.#dropping = end === text.length && !last;
      text = text.slice(end);
    }
    let cut = last ? text.length : text.length - this.#countUndecided(text);
    let out = '';
    let done = 0;
    const context = this.#before;
    for (const match of (context + text).matchAll(this.#pattern)) {
      const start = match.index - context.length;
      const end = start + match[0].length;
      if (start < 0) continue;
      if (start >= cut) break;
      const kept = match[1] ?? '';
      if (end > cut && end === text.length && end - start > MAX_MATCH) {
        this.#dropping = true;
        cut = end;
      } else if (end > cut) {
        cut = start;
        break;
      }
      out += text.slice(done, start) + kept + REDACTED;
      done = end;
    }
    out += text.slice(done, cut);
    if (cut > 0) this.#before = text.charAt(cut - 1);
    this.#held = text.slice(cut);
    return Buffer.from(out, 'latin1');
  }

  /** Counts the characters at the end that may be the beginning of a secret. */
  #countUndecided(text: string): number {
    let run = text.length;
    const limit = Math.max(0, text.length - MAX_RUN);
    while (run > limit && TOKEN_CHARACTER.test(text.charAt(run - 1))) run -= 1;
    const header = UNFINISHED_HEADER.exec(text.slice(Math.max(0, run - HEADER_LENGTH), run));
    let undecided = text.length - run + (header?.[0].length ?? 0);
    for (const secret of this.#secrets) undecided = Math.max(undecided, countPrefixAtEnd(text, secret));
    return undecided;
  }
}

function buildPattern(secrets: readonly string[]): RegExp {
  const literals = secrets.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp([...literals, ...KEY_SHAPES.map(({ source }) => source)].join('|'), 'g');
}

/** Lists the spellings of each secret that programs print, the longest first so that it wins over its prefix. */
function expandSecrets(secrets: readonly string[]): string[] {
  const spellings = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeUri(secret)]);
  return [...new Set(spellings)].sort((a, b) => b.length - a.length);
}

function encodeUri(secret: string): string {
  // encodeURIComponent throws on half a surrogate pair.
  return /\p{Surrogate}/u.test(secret) ? secret : encodeURIComponent(secret);
}

function findRunEnd(text: string): number {
  let end = 0;
  while (end < text.length && TOKEN_CHARACTER.test(text.charAt(end))) end += 1;
  return end;
}

/** Returns the length of the longest end of `text` that is a proper beginning of `secret`. */
function countPrefixAtEnd(text: string, secret: string): number {
  const first = secret.charAt(0);
  const from = Math.max(0, text.length - secret.length + 1);
  for (let at = text.indexOf(first, from); at >= 0; at = text.indexOf(first, at + 1)) {
    if (secret.startsWith(text.slice(at))) return text.length - at;
  }
  return 0;
}
