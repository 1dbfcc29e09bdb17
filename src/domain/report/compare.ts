import * as z from 'zod';
import { FORMATS } from '../common/format-version.js';
import { schemaVersionFields } from '../common/version-fields.js';
import { executionKey, laneSchema, outcomeSchema } from '../vocabulary.js';

/** The part of a report that a comparison reads. It is small, so that reports of other versions can be compared. */
export const comparableReportSchema = z.object({
  ...schemaVersionFields(FORMATS.report),
  run_id: z.string(),
  timestamp: z.string(),
  ralph_version: z.string(),
  lane: laneSchema,
  interrupted: z.boolean(),
  target: z.object({ kind: z.enum(['real', 'stand-in']), version: z.string() }),
  results: z.array(
    z.object({
      scenario_id: z.string(),
      backend: z.string(),
      outcome: outcomeSchema,
      inconclusive: z.boolean().default(false),
      duration_seconds: z.number(),
      skip_reason: z.string().nullable().default(null),
      error: z.string().nullable().default(null),
      assertions: z.array(z.object({ name: z.string(), passed: z.boolean() })).default([]),
      context: z.object({ iterations_completed: z.number() }).nullable().default(null),
    }),
  ),
});
export type ComparableReport = z.infer<typeof comparableReportSchema>;
type Result = ComparableReport['results'][number];

/** How a test ended, for a comparison: a failure that is not the target's is told apart. */
type Standing = Result['outcome'] | 'inconclusive';

/** A scenario on one backend whose result changed. */
export interface Change {
  readonly scenario_id: string;
  readonly backend: string;
  /** Null if the report does not have the result. */
  readonly before: Standing | null;
  readonly after: Standing | null;
  /** What broke, why it was skipped, or the two numbers. */
  readonly detail: string;
}

/** What changed between two runs. */
export interface Comparison {
  readonly before: RunFacts;
  readonly after: RunFacts;
  /** Why the two may not be comparable. */
  readonly caveats: readonly string[];
  readonly changes: Readonly<Record<ChangeKind, readonly Change[]>>;
  /** The number of scenarios that ran in both with the same result. */
  readonly unchanged: number;
}
interface RunFacts extends Pick<ComparableReport, 'run_id' | 'timestamp' | 'ralph_version' | 'lane'> {
  readonly results: number;
  /** Includes tests that passed on a retry. */
  readonly passed: number;
  /** Includes errors of the harness, but not what is inconclusive. */
  readonly failed: number;
  readonly inconclusive: number;
}

/** The kinds of change, most important first. A result can have several. */
export const CHANGE_KINDS = [
  'new_failures',
  'fixed',
  'still_failing',
  'newly_inconclusive',
  'known_issues_appeared',
  'known_issues_gone',
  'newly_flaky',
  'newly_skipped',
  'no_longer_skipped',
  'slower',
  'iterations',
  'only_before',
  'only_after',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Slower means by this factor and by at least this many seconds, because short times vary anyway. */
const SLOWER = { ratio: 1.5, seconds: 1 } as const;

/** Compares two runs, scenario by scenario. */
export function compareReports(before: ComparableReport, after: ComparableReport): Comparison {
  const pairs = pairResults(before.results, after.results);
  const found = pairs.map((pair) => ({ pair, kinds: classify(pair) }));
  const listOf = (kind: ChangeKind): Change[] =>
    found.filter(({ kinds }) => kinds.includes(kind)).map(({ pair }) => describe(pair, kind));
  return {
    before: factsOf(before),
    after: factsOf(after),
    caveats: listCaveats(before, after),
    changes: {
      new_failures: listOf('new_failures'),
      fixed: listOf('fixed'),
      still_failing: listOf('still_failing'),
      newly_inconclusive: listOf('newly_inconclusive'),
      known_issues_appeared: listOf('known_issues_appeared'),
      known_issues_gone: listOf('known_issues_gone'),
      newly_flaky: listOf('newly_flaky'),
      newly_skipped: listOf('newly_skipped'),
      no_longer_skipped: listOf('no_longer_skipped'),
      slower: listOf('slower'),
      iterations: listOf('iterations'),
      only_before: listOf('only_before'),
      only_after: listOf('only_after'),
    },
    unchanged: found.filter(({ pair: [a, b], kinds }) => a && b && kinds.length === 0).length,
  };
}

/** A result before and after. At least one of them is defined. */
type Pair = readonly [Result | undefined, Result | undefined];

function pairResults(before: readonly Result[], after: readonly Result[]): Pair[] {
  const keyOf = ({ scenario_id, backend }: Result) => executionKey(scenario_id, backend);
  const earlier = new Map(before.map((result) => [keyOf(result), result]));
  const later = new Map(after.map((result) => [keyOf(result), result]));
  return [...new Set([...earlier.keys(), ...later.keys()])].map((key) => [earlier.get(key), later.get(key)]);
}

function classify([before, after]: Pair): ChangeKind[] {
  const [a, b] = [standingOf(before), standingOf(after)];
  const both = a !== undefined && b !== undefined;
  const tests: Record<ChangeKind, boolean> = {
    // A failure that the earlier report does not have is new, whatever the result was before.
    new_failures: isFailure(b) && !isFailure(a),
    fixed: isFailure(a) && isPass(b),
    still_failing: isFailure(a) && isFailure(b),
    newly_inconclusive: b === 'inconclusive' && a !== 'inconclusive',
    known_issues_appeared: b === 'known-issue' && a !== 'known-issue',
    known_issues_gone: a === 'known-issue' && isPass(b),
    newly_flaky: b === 'flaky' && both && a !== 'flaky',
    newly_skipped: b === 'skipped' && both && a !== 'skipped',
    no_longer_skipped: a === 'skipped' && both && b !== 'skipped',
    slower: isSlower(before, after),
    iterations: hasOtherIterations(before, after),
    only_before: b === undefined,
    only_after: a === undefined,
  };
  return CHANGE_KINDS.filter((kind) => tests[kind]);
}

function standingOf(result: Result | undefined): Standing | undefined {
  return result?.inconclusive ? 'inconclusive' : result?.outcome;
}

function isFailure(outcome: Standing | undefined): boolean {
  return outcome === 'failed' || outcome === 'error';
}

function isPass(outcome: Standing | undefined): boolean {
  return outcome === 'passed' || outcome === 'flaky';
}

/** Compares times only if both passed: the time of a failure means nothing. */
function isSlower(before: Result | undefined, after: Result | undefined): boolean {
  if (!before || !after || !isPass(before.outcome) || !isPass(after.outcome)) return false;
  const { duration_seconds: was } = before;
  const { duration_seconds: is } = after;
  return is >= was * SLOWER.ratio && is - was >= SLOWER.seconds;
}

function hasOtherIterations(before: Result | undefined, after: Result | undefined): boolean {
  if (!before?.context || !after?.context) return false;
  return before.context.iterations_completed !== after.context.iterations_completed;
}

function describe([before, after]: Pair, kind: ChangeKind): Change {
  const known = after ?? before;
  return {
    scenario_id: known?.scenario_id ?? '',
    backend: known?.backend ?? '',
    before: standingOf(before) ?? null,
    after: standingOf(after) ?? null,
    detail: detailOf(kind, before, after),
  };
}

function detailOf(kind: ChangeKind, before: Result | undefined, after: Result | undefined): string {
  switch (kind) {
    case 'new_failures':
    case 'still_failing':
    case 'newly_inconclusive':
    case 'known_issues_appeared':
      return whatBroke(after);
    case 'fixed':
    case 'known_issues_gone':
      return `was: ${whatBroke(before)}`;
    case 'newly_skipped':
      return after?.skip_reason ?? '';
    case 'no_longer_skipped':
      return `was: ${before?.skip_reason ?? ''}`;
    case 'slower':
      return `${before?.duration_seconds.toFixed(1)} s, now ${after?.duration_seconds.toFixed(1)} s`;
    case 'iterations':
      return `${before?.context?.iterations_completed}, now ${after?.context?.iterations_completed}`;
    case 'newly_flaky':
    case 'only_before':
    case 'only_after':
      return '';
    default:
      return kind satisfies never;
  }
}

function whatBroke(result: Result | undefined): string {
  const broken = (result?.assertions ?? []).filter(({ passed }) => !passed).map(({ name }) => name);
  return result?.error ?? broken.join('; ');
}

function factsOf({ run_id, timestamp, ralph_version, lane, results }: ComparableReport): RunFacts {
  const count = (...standings: readonly Standing[]) =>
    results.filter((result) => standings.some((standing) => standing === standingOf(result))).length;
  return {
    ...{ run_id, timestamp, ralph_version, lane },
    results: results.length,
    passed: count('passed', 'flaky'),
    failed: count('failed', 'error'),
    inconclusive: count('inconclusive'),
  };
}

function listCaveats(before: ComparableReport, after: ComparableReport): string[] {
  return [
    ...(before.lane === after.lane
      ? []
      : [`the lanes differ (${before.lane}, ${after.lane}), so times and agents cannot be compared`]),
    ...(before.target.kind === after.target.kind
      ? []
      : ['one of the runs used the stand-in, which is not Ralph']),
    ...(before.interrupted ? ['the earlier run was interrupted'] : []),
    ...(after.interrupted ? ['the later run was interrupted'] : []),
  ];
}
