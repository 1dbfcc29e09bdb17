import type * as z from 'zod';
import { findNearest } from './nearest.js';

/** The path of a value in a document, key by key. */
export type KeyPath = readonly PropertyKey[];

/** What is wrong with a value, and where it is. */
export interface ExplainedIssue {
  readonly path: KeyPath;
  readonly message: string;
}

/** Formats a path: `rules[0].turns[1].say`. */
export function describePath(path: KeyPath): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

type Issue = z.core.$ZodIssue;

/** Explains schema issues, each with the path of its key. */
export function explainIssues(issues: readonly Issue[], data: unknown): ExplainedIssue[] {
  return issues.flatMap((issue) => explainIssue(issue, data, []));
}

/** Explains schema issues of a value in a program, in a sentence: each with its path, what was expected and what was found. */
export function explainValue(issues: readonly Issue[], value: unknown): string {
  const told = explainIssues(issues, value).map(({ path, message }) => {
    if (message.startsWith('unknown key')) return [path.slice(0, -1), message] as const;
    const [, missing] = /^this key is missing: (.+)$/.exec(message) ?? [];
    const expected = (missing ?? message)
      .replace(/^(?:Invalid|Too) [\w ]+[.:] (?=expected)/i, '')
      .replace(/^E/, 'e');
    const isWhole = !expected.startsWith('expected') || expected.includes(', found ');
    return [path, isWhole ? expected : `${expected}, found ${describe(valueAt(value, path))}`] as const;
  });
  const lines = told.map(([path, what]) => (path.length === 0 ? what : `${describePath(path)}: ${what}`));
  const sentence = lines.join('; ').replaceAll('a mapping', 'an object');
  return sentence.endsWith('?') ? sentence : `${sentence}.`;
}

function explainIssue(issue: Issue, data: unknown, above: KeyPath): ExplainedIssue[] {
  const path = [...above, ...issue.path];
  const found = valueAt(data, path);
  // Our own messages need nothing more.
  if (issue.message.startsWith('expected')) return [{ path, message: issue.message }];
  switch (issue.code) {
    case 'unrecognized_keys':
      return [{ path: [...path, ...issue.keys.slice(0, 1)], message: issue.message }];
    case 'invalid_union': {
      // Use the union's own message if it has one; otherwise report on the branch that fits best.
      if (issue.message !== 'Invalid input') return [{ path, message: issue.message }];
      const likeliest = issue.errors.toSorted((one, other) => badness(one) - badness(other))[0] ?? [];
      return likeliest.flatMap((inner) => explainIssue(inner, data, path));
    }
    case 'invalid_type':
      if (found === undefined)
        return [{ path, message: `this key is missing: expected ${nameType(issue.expected)}` }];
      return [
        {
          path,
          message: `expected ${nameType(issue.expected)}, found ${describe(found)}${quoteHint(issue, found)}`,
        },
      ];
    case 'invalid_value': {
      if (!issue.message.startsWith('Invalid')) return [{ path, message: issue.message }];
      const words = issue.values.map(String);
      if (words.length <= LISTED) return [{ path, message: `${issue.message}, found ${describe(found)}` }];
      return [{ path, message: refuseOneOfMany(found, words) }];
    }
    default:
      if (!/^(Too|Invalid)/.test(issue.message)) return [{ path, message: issue.message }];
      return [{ path, message: `${issue.message}, found ${describe(found)}` }];
  }
}

/** The most words that a message lists. Nobody finds the right one among ninety. */
const LISTED = 20;

function refuseOneOfMany(found: unknown, words: readonly string[]): string {
  const nearest = typeof found === 'string' ? findNearest(found, words) : undefined;
  const help =
    nearest === undefined
      ? `expected one of ${words.length} words, such as ${words.slice(0, 3).join(', ')}`
      : `did you mean "${nearest}"?`;
  return `unknown value ${typeof found === 'string' ? JSON.stringify(found.slice(0, 60)) : describe(found)}: ${help}`;
}

/** Scores how far a value is from a branch of a union: the wrong type, a missing key, an extra key. */
function badness(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => {
    if (issue.path.length === 0 && issue.code !== 'unrecognized_keys' && issue.code !== 'custom')
      return sum + 1000;
    if (issue.code === 'unrecognized_keys') return sum + 2 * issue.keys.length;
    return sum + (/received undefined/.test(issue.message) ? 10 : 1);
  }, 0);
}

/** Returns the value at a path, or undefined. */
export function valueAt(data: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
    data,
  );
}

function nameType(expected: string): string {
  const names: Readonly<Record<string, string>> = {
    string: 'a string',
    object: 'a mapping',
    record: 'a mapping',
    array: 'a list',
    boolean: 'true or false',
    number: 'a number',
    int: 'a whole number',
  };
  return names[expected] ?? expected;
}

/** Describes a value for a message. */
function describe(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return `the date ${value.toISOString()}`;
  if (value instanceof RegExp) return String(value);
  if (typeof value === 'object') return 'a mapping';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, 60))}`;
  return String(value);
}

function quoteHint({ expected }: { readonly expected: string }, found: unknown): string {
  const quotable = ['number', 'boolean'].includes(typeof found) || found instanceof Date;
  return expected === 'string' && quotable ? ' (put it in quotes to make it a string)' : '';
}
