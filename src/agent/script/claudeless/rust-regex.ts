import * as z from 'zod';
import type { Pattern } from '../../../domain/agent-script.js';
import { messageOf } from '../../../domain/common/message-of.js';

/** A regular expression of a claudeless file, in Rust's syntax. One that cannot be translated exactly is refused. */
export const rustRegexSchema = z.string().superRefine((source, context) => {
  try {
    fromRustRegex(source);
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOf(error) });
  }
});

/** Translates a regular expression from Rust's syntax to JavaScript, with the same meaning; throws if it cannot. */
export function fromRustRegex(source: string): Extract<Pattern, { regex: string }> {
  const [, inFront = '', body = source] = /^\(\?([imsu]+)\)([\s\S]*)$/.exec(source) ?? [];
  const regex = translate(body, {
    ignoreCase: inFront.includes('i'),
    multiline: inFront.includes('m'),
    dotAll: inFront.includes('s'),
  });
  // The other flags are translated, and Rust always matches code points.
  const flags = inFront.includes('i') ? 'iu' : 'u';
  // Compile it, so that a mistake is reported with the pattern.
  new RegExp(regex, flags);
  return { regex, flags };
}

type Flags = Readonly<Record<'ignoreCase' | 'multiline' | 'dotAll', boolean>>;

function translate(body: string, flags: Flags): string {
  let out = '';
  for (let at = 0; at < body.length; ) {
    const rest = body.slice(at);
    const token = REPEATED.exec(rest)?.[0] ?? TOKEN.exec(rest)?.[0] ?? rest.slice(0, 1);
    if (token === '[') {
      const { text, length } = translateClass(rest, flags);
      out += text;
      at += length;
      continue;
    }
    // With the flag `i`, JavaScript's `\P{Lu}` matches every letter; a negated class does not.
    if (token.startsWith('\\')) out += translateEscape(token).replace(/^\\P(.*)$/, '[^\\p$1]');
    else if (token === '.') out += flags.dotAll ? '[\\s\\S]' : '[^\\n]';
    // To JavaScript, a carriage return ends a line too.
    else if (token === '^' && flags.multiline) out += '(?<![^\\n])';
    else if (token === '$' && flags.multiline) out += '(?![^\\n])';
    else if (token.startsWith('(?')) out += translateGroup(token);
    // A bracket that closes nothing is a text in Rust.
    else if (token === ']' || token === '}') out += `\\${token}`;
    else out += token;
    at += token.length;
  }
  return out;
}

const REPEATED = /^\{\d+(?:,\d*)?\}/;
const TOKEN =
  /^(?:\\(?:[pP]\{[^}]*\}|[pP].|b\{[^}]*\}|[xuU]\{[^}]*\}|U[0-9a-fA-F]{8}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S])|\(\?(?:P?<(?![=!])|:|<?[=!]|P[=>]|[a-zA-Z-]*[:)])?|[\s\S])/u;

function translateGroup(token: string): string {
  if (token === '(?P<' || token === '(?<') return '(?<';
  if (token === '(?:') return token;
  if (/^\(\?<?[=!]$/.test(token)) throw new Error(`Rust has no ${token}…): claudeless refuses it`);
  throw new Error(
    `cannot translate ${token} to JavaScript: put flags in front of the whole expression, as in (?i)`,
  );
}

/** What Rust calls a word character, a digit and a space. */
const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';
const ESCAPES: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
  s: '\\p{White_Space}',
  S: '\\P{White_Space}',
  b: `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`,
  B: `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`,
  '<': `(?<![${WORD}])(?=[${WORD}])`,
  '>': `(?<=[${WORD}])(?![${WORD}])`,
  A: '(?<![\\s\\S])',
  z: '(?![\\s\\S])',
};
const IN_CLASS: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  w: WORD,
  s: '\\p{White_Space}',
  S: '\\P{White_Space}',
};

function translateEscape(token: string, known = ESCAPES): string {
  const word = token.slice(1);
  const translated = known[word];
  if (translated !== undefined) return translated;
  const [, property] = /^([pP].)$/u.exec(word) ?? [];
  if (property !== undefined) return `\\${property[0]}{${property[1]}}`;
  if (/^[pP]\{/.test(word)) return token;
  const [, code] = /^[xuU]\{?([0-9a-fA-F]+)\}?$/.exec(word) ?? [];
  if (code !== undefined) return `\\u{${code}}`;
  if (/^[nrtfv]$/.test(word)) return token;
  if (word === 'a') return '\\x07';
  // Rust lets any punctuation of ASCII be escaped; JavaScript only what has a meaning.
  if (/^[!-/:-@[-^`{-~]$/.test(word)) return /^[\\^$.|?*+(){}[\]/-]$/.test(word) ? escapeSyntax(word) : word;
  throw new Error(`cannot translate ${token} to JavaScript`);
}

/** A hyphen has a meaning only in a class. */
function escapeSyntax(character: string): string {
  return character === '-' ? '\\x2d' : `\\${character}`;
}

/** Translates a class from its `[`. */
function translateClass(
  rest: string,
  { ignoreCase }: Flags,
): { readonly text: string; readonly length: number } {
  let text = rest.startsWith('[^') ? '[^' : '[';
  let at = text.length;
  // A bracket at the beginning is literal, and no range begins with it.
  if (rest[at] === ']') {
    text += '\\]';
    at += 1;
    if (rest[at] === '-' && rest[at + 1] !== '-') {
      text += '\\-';
      at += 1;
    }
  }
  for (; at < rest.length && rest[at] !== ']'; ) {
    const from = rest.slice(at);
    const posix = /^\[:(\^?)(\w+):\]/.exec(from);
    const token = posix?.[0] ?? TOKEN.exec(from)?.[0] ?? from.slice(0, 1);
    if (posix !== null) {
      const [, not = '', name = ''] = posix;
      const members = POSIX_CLASSES[name];
      if (members === undefined || not !== '') throw new Error(`cannot translate ${token} to JavaScript`);
      text += members;
    } else if (/^(?:&&|--|~~)/.test(from)) {
      throw new Error(`cannot translate the set operation ${from.slice(0, 2)} in a class to JavaScript`);
    } else if (token === '[') throw new Error('cannot translate a class in a class to JavaScript');
    else if (ignoreCase && token.startsWith('\\P'))
      throw new Error(`cannot translate ${token} in a class to JavaScript, with the flag i`);
    else if (token.startsWith('\\')) text += translateEscape(token, IN_CLASS);
    // Only one character of `(?` belongs here.
    else text += token[0] === '(' ? '\\(' : token;
    at += token[0] === '(' ? 1 : token.length;
  }
  if (rest[at] !== ']')
    throw new Error(`Invalid regular expression: the class ${rest.slice(0, 20)} is not closed`);
  return { text: `${text}]`, length: at + 1 };
}

const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  blank: '\\t ',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9a-fA-F',
};
