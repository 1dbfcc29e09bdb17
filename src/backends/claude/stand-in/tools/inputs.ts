import * as z from 'zod';
import type { ToolOutcome } from './outcome.js';

type Input = Readonly<Record<string, unknown>>;

/** Models write numbers and truth values as texts; the real program reads them. */
const number = z.preprocess(readNumber, z.number().optional());
const flag = z.preprocess((value) => FLAGS.get(value) ?? value, z.boolean().optional());
const text = z.string().optional();
const FLAGS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);

/** A line number; one that is too small means the default. */
function lineNumber(least: number) {
  return z.preprocess((value) => {
    const count = readNumber(value);
    return typeof count === 'number' && count < least ? undefined : count;
  }, z.int().optional());
}

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}

/** Control characters but tab and line feed. */
const HIDDEN = /(?![\t\n])\p{Cc}/u;

/** The input of every tool that the stand-in runs, as version 2.1.325 describes it to its model. */
const INPUTS: Readonly<Record<string, z.ZodType<Input>>> = {
  Bash: z.strictObject({
    command: z.string().refine((command) => !HIDDEN.test(command), {
      error: 'command contains control characters that would be hidden in the approval dialog',
    }),
    timeout: number,
    description: text,
    run_in_background: flag,
    dangerouslyDisableSandbox: flag,
  }),
  Read: z.strictObject({
    file_path: z.string(),
    offset: lineNumber(0),
    limit: lineNumber(1),
    pages: text,
    allow_large: flag,
  }),
  Write: z.strictObject({ file_path: z.string(), content: z.string() }),
  Edit: z.strictObject({
    file_path: z.string(),
    old_string: z.string(),
    new_string: z.string(),
    replace_all: flag,
  }),
  // It describes itself as strict, and is not.
  Skill: z.looseObject({ skill: z.string(), args: text }),
  Glob: z.strictObject({ pattern: z.string(), path: text }),
  // What else it takes is refused by name.
  Grep: z.looseObject({
    ...{ pattern: z.string(), path: text, glob: text, '-n': flag, '-i': flag },
    output_mode: z.enum(['content', 'files_with_matches', 'count']).optional(),
  }),
};

/** Other names that the real program accepts for a parameter that is missing. */
const ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Write: { path: 'file_path' },
  Edit: { path: 'file_path', old_str: 'old_string', new_str: 'new_string' },
};

/** Whether the stand-in knows the input of a tool, so that it can run it. */
export function isKnownTool(name: string): boolean {
  return Object.hasOwn(INPUTS, name);
}

/** Returns the input as the tool reads it. An input that the tool does not take stays as it is. */
export function readToolInput(name: string, input: Input): Input {
  const renamed = rename(name, input);
  const parsed = isKnownTool(name) ? INPUTS[name]?.safeParse(renamed) : undefined;
  if (parsed?.success !== true) return renamed;
  return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
}

/** What the real program tells its model about parameters that it read by another name, or an empty text. */
export function describeAliases(name: string, input: Input): string {
  if (name !== 'Write' || rename(name, input) === input) return '';
  return "\n\nNote: Write's parameters are named `file_path` and `content`. `path` was read as `file_path`.";
}

function rename(name: string, input: Input): Input {
  const aliases = Object.entries(ALIASES[name] ?? {}).filter(
    ([alias, key]) => alias in input && !(key in input),
  );
  if (aliases.length === 0) return input;
  const names = new Map(aliases);
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [names.get(key) ?? key, value]));
}

/** Returns the error about an input that the tool does not take, or null. */
export function refuseToolInput(name: string, input: Input): ToolOutcome | null {
  const parsed = INPUTS[name]?.safeParse(input);
  if (parsed === undefined || parsed.success) return null;
  const { issues } = parsed.error;
  const details = `InputValidationError: ${JSON.stringify(issues, null, 2)}`;
  const lines = describeIssues(issues);
  const head = `InputValidationError: ${name} failed due to the following issue${lines.length === 1 ? '' : 's'}:`;
  const message = lines.length === 0 ? details : [head, ...lines].join('\n');
  return {
    content: `<tool_use_error>${message}</tool_use_error>`,
    details,
    isError: true,
    refusedInput: true,
  };
}

/** Missing parameters come first, then unexpected ones, then those of a wrong type. */
function describeIssues(issues: readonly z.core.$ZodIssue[]): string[] {
  const typed = issues.flatMap((issue) => {
    if (issue.code !== 'invalid_type') return [];
    const received = / received (\w+)$/.exec(issue.message)?.[1] ?? 'undefined';
    return [{ key: issue.path.join('.'), expected: issue.expected, received }];
  });
  const extra = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  return [
    ...typed
      .filter(({ received }) => received === 'undefined')
      .map(({ key }) => `The required parameter \`${key}\` is missing`),
    ...extra.map((key) => `An unexpected parameter \`${key}\` was provided`),
    ...typed
      .filter(({ received }) => received !== 'undefined')
      .map(
        ({ key, expected, received }) =>
          `The parameter \`${key}\` type is expected as \`${expected}\` but provided as \`${received}\``,
      ),
  ];
}
