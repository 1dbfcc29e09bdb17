import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Evidence } from './evidence/evidence.js';

/** What a check is about, in the words of the report. */
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
export type CheckCategory = z.infer<typeof checkCategorySchema>;

/**
 * What a check looks at, as data. Rules and reports read this, never the sentence: so every sentence can be reworded, and
 * a fact is where its type says.
 */
export const aboutSchema = z
  .object({
    iteration: z.int(),
    turn: z.int(),
    topic: z.string(),
    /** Every topic, where the check is about several. */
    topics: z.array(z.string()).readonly(),
    path: z.string(),
    hat: z.string(),
    /** The hats of the iterations, in order. */
    hats: z.array(z.string()).readonly(),
    tool: z.string(),
    /** Every tool, where the check is about several. */
    tools: z.array(z.string()).readonly(),
    /** The event of a hook, such as `PreToolUse`. */
    hook: z.string(),
    /** The title of a task. */
    task: z.string(),
    /** The reason with which the loop, or a turn, should end. */
    reason: z.string(),
    /** A number that must be met, reached or kept. */
    limit: z.number(),
    /** A literal text that must, or must not, be there. */
    text: z.string(),
    /** Every such text, where there are several. */
    texts: z.array(z.string()).readonly(),
    /** A regular expression that must, or must not, match, as JavaScript writes it: `/source/flags`. */
    pattern: z.string(),
    /** What else the check names: plugins, commands, stages, servers, backends. */
    names: z.array(z.string()).readonly(),
  })
  .partial();
export type About = Readonly<z.infer<typeof aboutSchema>>;

export const checkResultSchema = z.object({
  /** Its name in the scenario; journals before format 1.1 have none. */
  key: z.string().optional(),
  name: z.string(),
  about: aboutSchema.optional(),
  kind: z.string(),
  category: checkCategorySchema,
  passed: z.boolean(),
  expected: z.string(),
  actual: z.string(),
  diff: z.string().nullable(),
  suggestion: z.string().nullable(),
});
export type CheckResult = z.infer<typeof checkResultSchema>;

/** What a check found. `diff` is for texts that should have been equal, `suggestion` for what might fix it. */
export interface Verdict {
  readonly passed: boolean;
  readonly expected: string;
  readonly actual: string;
  readonly diff?: string;
  readonly suggestion?: string;
}

/** One assertion on the evidence. `kind` is the function that made it, `name` the sentence that a report prints. */
export interface Check {
  readonly kind: string;
  readonly name: string;
  readonly category: CheckCategory;
  readonly about?: About;
  readonly judge: (evidence: Evidence) => Verdict;
  /** Files that it judges by all of their text: they are kept whole, whatever else is shortened. */
  readonly reads?: readonly string[];
  /** Why this check needs no saboteur that kills it and it alone. */
  readonly guard?: string;
}

/** A check under the name that its scenario gave it; `kills` and `knownIssue.breaks` speak of these. */
export interface NamedCheck extends Check {
  readonly key: string;
}

/** What an author expects: checks by name, or a list in which the kind of a check serves as its name. */
export type Expectation<Key extends string = string> =
  | readonly Check[]
  | { readonly [Name in Key]?: Check | undefined };

/** The names of the checks that every scenario is held to. */
export type CommonCheck = 'endedByItself' | 'nothingLeftBehind' | 'scriptAnswered' | 'statesKept';

/** Gives each check its name. What an author leaves undefined does not apply here. */
export function nameChecks(expected: Expectation): NamedCheck[] {
  if (isList(expected)) return expected.map((check) => ({ ...check, key: check.kind }));
  return Object.entries(expected).flatMap(([key, check]) => (check === undefined ? [] : [{ ...check, key }]));
}

function isList(expected: Expectation): expected is readonly Check[] {
  return Array.isArray(expected);
}

/** Its name in the scenario; for a journal from before checks had names, its kind. */
export function keyOf({ key, kind }: Pick<CheckResult, 'key' | 'kind'>): string {
  return key ?? kind;
}

/** Keeps a check that cannot be shown to fail on its own, with the reason; `prove` counts these. */
export function guard(check: Check, reason: string): Check {
  return { ...check, guard: reason };
}

/** The facts that several checks share, for one that is made of them: true whichever of them decides. */
export function sharedAbout([first, ...others]: readonly Check[]): About {
  const shared = Object.entries(first?.about ?? {}).filter(([field, value]) =>
    others.every(({ about = {} }) =>
      Object.entries(about).some((entry) => isDeepStrictEqual(entry, [field, value])),
    ),
  );
  return Object.fromEntries(shared);
}

/** What several checks read, for one that is made of them. */
export function readsOf(checks: readonly Check[]): readonly string[] {
  return [...new Set(checks.flatMap(({ reads = [] }) => reads))];
}

/** Runs checks over evidence. A check that throws is a bug in the check: it must not read as a pass or vanish. */
export function judgeAll(checks: readonly NamedCheck[], evidence: Evidence): CheckResult[] {
  return checks.map(({ key, kind, name, category, about, judge }) => {
    const verdict = judge(evidence);
    return {
      key,
      kind,
      name,
      ...(about === undefined ? {} : { about }),
      category,
      passed: verdict.passed,
      expected: verdict.expected,
      actual: verdict.actual,
      diff: verdict.diff ?? null,
      suggestion: verdict.passed ? null : (verdict.suggestion ?? null),
    };
  });
}
