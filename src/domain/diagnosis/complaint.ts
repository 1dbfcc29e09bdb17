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
const WORDS = [/\bFAIL\b|\bfailed\b/, /\bWARN(?:ING)?\b|\bwarning:/i];

/** Finds the gravest line in what a program printed. Lines in JSON are a backend's. */
export function findComplaint(text: string, most?: number): Complaint | null {
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
  if (line === undefined) return null;
  return {
    said: excerpt(line.trim(), most),
    search: searchFor(line.trim().replace(/^error:\s*/i, '')),
    isError: error !== undefined,
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
