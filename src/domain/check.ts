import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type HeldPromise, heldPromiseSchema } from './contract.js';
import type { Evidence } from './evidence/evidence.js';

export const checkCategorySchema = z.enum([
  'ExitCode',
  'OutputContains',
  'EventEmitted',
  'EventPayload',
  'FileCreated',
  'FileContains',
  'IterationCount',
  'TerminationReason',
  'PromptEffectiveness',
  'PromptContent',
  'Processes',
  'Harness',
]);
/** The category of a check, as reports print it. */
export type CheckCategory = z.infer<typeof checkCategorySchema>;

export const aboutSchema = z
  .object({
    /** The number of an iteration of the loop. */
    iteration: z.int(),
    /** The number of a turn of the conversation. */
    turn: z.int(),
    /** The topic of an event. */
    topic: z.string(),
    /** The topics, if the check is about several. */
    topics: z.array(z.string()).readonly(),
    /** The path of a file, relative to the workspace. */
    path: z.string(),
    /** The id of a hat. */
    hat: z.string(),
    /** The hats of the iterations, in order. */
    hats: z.array(z.string()).readonly(),
    /** The name of a tool. */
    tool: z.string(),
    /** The tools, if the check is about several. */
    tools: z.array(z.string()).readonly(),
    /** The event of a hook, such as `PreToolUse`. */
    hook: z.string(),
    /** The title of a task. */
    task: z.string(),
    /** The reason that should end the loop, or the outcome that a turn should have. */
    reason: z.string(),
    /** The number that the check compares with: exact, a minimum or a maximum. */
    limit: z.number(),
    /** The exit code that a command should have. */
    exitCode: z.int(),
    /** A literal text that must, or must not, be present. */
    text: z.string(),
    /** The texts, if there are several. */
    texts: z.array(z.string()).readonly(),
    /** A regular expression that must, or must not, match, in JavaScript notation: `/source/flags`. */
    pattern: z.string(),
    /** The number of the iteration or turn whose prompt the agent script did not answer. */
    unanswered: z.int(),
    /** Other names in the check: plugins, commands, stages, servers, backends. */
    names: z.array(z.string()).readonly(),
  })
  .partial();
/**
 * The facts of a check, as data. Diagnosis rules and reports read these and never the sentence, so every sentence can be
 * reworded.
 */
export type About = Readonly<z.infer<typeof aboutSchema>>;

/**
 * What a check judges. `agent`: what the agent made, such as words, tool calls, files and events. `course`: what the target
 * made of that, such as routing, prompts and ends. All others judge what the target owes whatever the agent does.
 */
const judgedSchema = z.enum(['agent', 'course']);

const differenceSchema = z.object({
  /** The place in the document, such as `metadata.first[1]`; empty for the document itself. */
  path: z.string(),
  /** What should be there; null if something is there that should not. */
  wanted: z.string().nullable(),
  /** What is there; null if nothing is. */
  found: z.string().nullable(),
});
/** One place where a JSON document is not as wanted. */
export type Difference = z.infer<typeof differenceSchema>;

/**
 * A text for people, which may be reworded. It can be printed, and no more: code finds facts in `about`, `kind`, `key`
 * and `category`, and in the evidence. Any string is a sentence, but a sentence is no string.
 */
export interface Sentence {
  readonly length: number;
  toString(): string;
}
const sentenceSchema: z.ZodType<Sentence, string> = z.string();

export const checkResultSchema = z.object({
  /** The check's name in the scenario. */
  key: z.string(),
  name: sentenceSchema,
  about: aboutSchema.optional(),
  kind: z.string(),
  judges: judgedSchema.optional(),
  category: checkCategorySchema,
  passed: z.boolean(),
  expected: sentenceSchema,
  actual: sentenceSchema,
  diff: z.string().nullable(),
  suggestion: z.string().nullable(),
  /** What the target promised, if the check failed. */
  promises: z.array(heldPromiseSchema).readonly().optional(),
  /** Where the JSON document that comes closest differs, if the check failed and is about one. */
  differences: z.array(differenceSchema).readonly().optional(),
});
export type CheckResult = z.infer<typeof checkResultSchema>;

/** The verdict of a check. */
export interface Verdict {
  /** Whether the check passed. */
  readonly passed: boolean;
  /** The text that reports print after "Expected:". */
  readonly expected: Sentence;
  /** The text that reports print after "Received:". */
  readonly actual: Sentence;
  /** The difference, if the check compares two texts. */
  readonly diff?: string;
  /** The differences, if the check compares JSON. */
  readonly differences?: readonly Difference[];
  /** What to look at or to fix; shown only if the check fails. */
  readonly suggestion?: string;
  /** Facts that only the evidence shows. */
  readonly about?: About;
}

/** One check of the evidence. */
export interface Check {
  /** The name of the function that built the check. */
  readonly kind: string;
  /**
   * `agent`: what the agent made, such as words, tool calls, files and events. `course`: what the target made of that, such
   * as routing, prompts and ends. Missing: what the target owes whatever the agent does.
   */
  readonly judges?: 'agent' | 'course';
  /** The sentence that reports print. */
  readonly name: Sentence;
  /** The category that reports print. */
  readonly category: CheckCategory;
  /** Facts about the check, as data. */
  readonly about?: About;
  /** Decides whether the evidence passes. */
  readonly judge: (evidence: Evidence) => Verdict;
  /** Files that the check needs in full. The evidence keeps them whole, whatever else it shortens. */
  readonly reads?: readonly string[];
  /** Why the check needs no saboteur that makes it fail on its own. */
  readonly guard?: string;
}

/** A check with the name that its scenario gave it. `kills` and `knownIssue.breaks` refer to this name. */
export interface NamedCheck extends Check {
  readonly key: string;
}

/** What a scenario expects: checks by name, or a list of checks that are named by their kind. */
export type Expectation<Key extends string = string> =
  | readonly Check[]
  | { readonly [Name in Key]?: Check | undefined };

/** The names of the checks that the harness adds to scenarios. */
export type CommonCheck =
  | 'endedByItself'
  | 'nothingLeftBehind'
  | 'recordsAgree'
  | 'scriptAnswered'
  | 'statesKept';

/** Gives each check its name. Leaves out checks that are `undefined`. */
export function nameChecks(expected: Expectation): NamedCheck[] {
  if (isList(expected)) return expected.map((check) => ({ ...check, key: check.kind }));
  return Object.entries(expected).flatMap(([key, check]) => (check === undefined ? [] : [{ ...check, key }]));
}

function isList(expected: Expectation): expected is readonly Check[] {
  return Array.isArray(expected);
}

/** Marks a check that no saboteur can make fail on its own, and says why. `prove` counts such checks. */
export function guard(check: Check, reason: string): Check {
  return { ...check, guard: reason };
}

/** Returns the facts that all the given checks share, for a check that combines them. */
export function sharedAbout([first, ...others]: readonly Check[]): About {
  const shared = Object.entries(first?.about ?? {}).filter(([field, value]) =>
    others.every(({ about = {} }) =>
      Object.entries(about).some((entry) => isDeepStrictEqual(entry, [field, value])),
    ),
  );
  return Object.fromEntries(shared);
}

/** Returns the files that the given checks read, for a check that combines them. */
export function readsOf(checks: readonly Check[]): readonly string[] {
  return [...new Set(checks.flatMap(({ reads = [] }) => reads))];
}

/** Judges the evidence with each check. A check that throws has a bug: the error must not count as a pass or disappear. */
export function judgeAll(
  checks: readonly NamedCheck[],
  evidence: Evidence,
  promises: Readonly<Record<string, readonly HeldPromise[]>> = {},
): CheckResult[] {
  return checks.map(({ key, kind, judges, name, category, about: known, judge }) => {
    // Each field is read once: the next time, a getter may return something else.
    const { passed, expected, actual, diff, differences, suggestion, about: found } = judge(evidence);
    const about = found === undefined ? known : { ...known, ...found };
    const broken = passed ? undefined : promises[key];
    return {
      key,
      kind,
      ...(judges === undefined ? {} : { judges }),
      name,
      ...(about === undefined ? {} : { about }),
      category,
      passed,
      expected,
      actual,
      diff: diff ?? null,
      suggestion: passed ? null : (suggestion ?? null),
      ...(broken === undefined ? {} : { promises: broken }),
      ...(passed || differences === undefined ? {} : { differences }),
    };
  });
}

/** Combines checks: passes if at least one of them passes, as in "either asks or completes". */
export function anyOf(name: string, ...checks: readonly [Check, ...Check[]]): Check {
  return {
    kind: 'anyOf',
    name,
    about: sharedAbout(checks),
    category: checks[0].category,
    reads: readsOf(checks),
    judge: (evidence) => {
      const verdicts = checks.map((check) => check.judge(evidence));
      return {
        passed: verdicts.some(({ passed }) => passed),
        expected: verdicts.map(({ expected }) => expected).join(', or '),
        actual: verdicts.map(({ actual }) => actual).join('; '),
      };
    },
  };
}
