import { excerpt } from '../checks/text.js';
import type { Evidence } from '../evidence/evidence.js';

/** What Ralph itself complains of. It leads closer to the cause than the promise of the test. */
export interface Complaint {
  /** The line, shortened. */
  readonly said: string;
  /** Where to look for it. */
  readonly search: string;
  /** False for what may only be a warning: a command that succeeds warns of other things too. */
  readonly isError: boolean;
}

/** A line of Ralph's log on a terminal: time, level, module, text. */
const LOGGED = /^\S{1,40}Z\s{1,9}(ERROR|WARN) ([\w:]{1,80}): (.{1,2000})$/;
const ERROR_LINE = /^\s*(?:\w+ )?error\b/i;
/** How the causes of an error follow it: each on a line, the deepest last. */
const CAUSE = /^\s{0,9}Caused by:\n\s{0,9}(?:\d{1,2}: )?([^\n]{1,300})/;
const WORDS = [/\bFAIL\b|\bfailed\b/, /\bWARN(?:ING)?\b|\bwarning:/i];

/**
 * Where a program panicked, and what it said about it, with or without a column: `panicked at a.rs:1:2:` and the message
 * on the next line, or the message on the same line.
 */
const PANIC = /panicked at ([^\s:']{1,300}:\d{1,9})(?::\d{1,9})?:?(?:[ \t]*\n|[ \t]+)([^\n]{1,300})/;
/** How Rust before 1.73 says it: `panicked at 'message', a.rs:1:2`. */
const OLD_PANIC = /panicked at '([^\n]{1,300})', ([^\s:]{1,300}:\d{1,9})/;

/** Finds where a program panicked, in what it printed. */
export function findPanic(text: string, most?: number): Complaint | null {
  const panic = readPanic(text);
  if (panic === null) return null;
  return {
    said: excerpt(`panicked at ${panic}`, most),
    search: `Read this place in Ralph's source: ${panic.split(': ')[0]}`,
    isError: true,
  };
}

/** Returns the place and the message of a panic, such as `crates/ralph-core/src/x.rs:12: no hat`. */
export function readPanic(text: string): string | null {
  const [, place, message = ''] = PANIC.exec(text) ?? [];
  if (place !== undefined) return `${place}: ${message.trim()}`;
  const [, said = '', at] = OLD_PANIC.exec(text) ?? [];
  return at === undefined ? null : `${at}: ${said}`;
}

/**
 * Returns the line of the source at which a program panicked, from a sentence that says so; null if none does, or if the
 * line is in Rust's own library.
 */
export function placeOfPanic(sentence: string): string | null {
  return /panicked at (?!\/rustc\/)([^\s:]{1,300}:\d{1,9})(?!\d)/.exec(sentence)?.[1] ?? null;
}

/** Finds the gravest line in what a program printed. Lines in JSON are a backend's. */
export function findComplaint(text: string, most?: number): Complaint | null {
  return findPanic(text, most) ?? findLine(text, most);
}

function findLine(text: string, most: number | undefined): Complaint | null {
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('{'));
  const error = lines.find((line) => ERROR_LINE.test(line));
  const [, level, module, message] = lines.map((line) => LOGGED.exec(line)).find(Boolean) ?? [];
  if (error === undefined && module !== undefined && message !== undefined)
    return {
      said: excerpt(`${level} ${module}: ${message}`, most),
      search: searchFor(message, module),
      isError: level === 'ERROR',
    };
  const line = error ?? WORDS.map((sign) => lines.find((one) => sign.test(one))).find(Boolean);
  if (line === undefined) return findEnd(text);
  const cause = causeAfter(text, line);
  return {
    said: `${excerpt(line.trim(), most)}${cause === undefined ? '' : `, caused by ${excerpt(cause, most)}`}`,
    search: searchFor(cause ?? line.trim().replace(/^error:\s*/i, '')),
    isError: error !== undefined,
  };
}

/** Returns the cause that stands below a line with an error, if one does. */
function causeAfter(text: string, line: string): string | undefined {
  return CAUSE.exec(text.slice(text.lastIndexOf(line) + line.length))?.[1];
}

/** Quotes the message of an error of Ralph, and the cause below it: the message alone may say only what was tried. */
export function quoteError(text: string, message: string): string {
  const cause = causeAfter(text, message);
  return cause === undefined ? `"${message}"` : `"${message}", caused by "${cause}"`;
}

/** How Ralph logs the end of a loop. */
export const SESSION_END = /Wrapping up: (\w{1,40})\. (\d{1,9} iterations?)/;

/** An end of a loop that says by itself that something is wrong. */
function findEnd(text: string): Complaint | null {
  const [, reason = '', iterations] = SESSION_END.exec(text) ?? [];
  if (reason === '' || reason === 'completed') return null;
  return {
    said: `the loop ended with ${reason} after ${iterations}`,
    search: `Search Ralph's source for the code that ends a loop with ${reason}: what does it count, and what resets it?`,
    isError: false,
  };
}

/** The last warning or error in the log of the run. */
export function lastComplaint({ log = [] }: Evidence): Complaint | null {
  const last = log.findLast(({ level }) => level === 'WARN' || level === 'ERROR');
  if (last === undefined) return null;
  const { level, module, text } = last;
  return {
    said: excerpt(`${level} ${module}: ${text}`),
    search: searchFor(text, module),
    isError: level === 'ERROR',
  };
}

/** Tells to search for a message, without the values at its end. */
function searchFor(message: string, module?: string): string {
  const [words = ''] = message.split(/ \w{1,40}=/);
  const where = module === undefined ? '' : ` in ${module}`;
  return `Search Ralph's source${where} for the code that says ${excerpt(words, 100)}.`;
}
