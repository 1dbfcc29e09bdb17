import { executionKey, LANE_TRAITS, testLabel } from '../vocabulary.js';
import { listAlsoChanged } from './also-changed.js';
import { type ComparableReport, listVoids, type ComparedResult as Result } from './comparable.js';
import { wasBusier, whyTimesDiffer } from './machine-load.js';
import {
  compareRates,
  describeUnshown,
  isShownByRate,
  type RateComparison,
  type ResultPair,
} from './rates/rate-changes.js';

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
  /** Why it is or was broken: the hypothesis of its cause in the report, or its known issue. Null if the report names none. */
  readonly cause: string | null;
  /** The first failed check. */
  readonly check: { readonly name: string; readonly received: string } | null;
}

/** What changed between two runs. */
export interface Comparison {
  readonly before: RunFacts;
  readonly after: RunFacts;
  /** Why the two may not be comparable. */
  readonly caveats: readonly string[];
  /** Why the comparison shows nothing, unless there are new failures. Empty if it does. */
  readonly no_verdict: readonly string[];
  /** What else differs: versions and models. */
  readonly also_changed: readonly string[];
  readonly changes: Readonly<Record<ChangeKind, readonly Change[]>>;
  /** The rates of tests that were repeated in both runs; null if there are none. */
  readonly rates: RateComparison | null;
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
  'changed_tests',
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
  const timesDiffer = whyTimesDiffer(pairs.filter(bothPassed));
  const same = pairs.filter(isSameTest);
  const rates = compareRates(same);
  // Models are dice: live, only a difference that repeats show is a change. Offline, every difference is.
  const isJudgedByRate = LANE_TRAITS[before.lane].costsMoney && LANE_TRAITS[after.lane].costsMoney;
  const verdicts = new Map(
    (isJudgedByRate ? (rates?.tests ?? []) : []).map((test) => [keyOf(test), test.verdict]),
  );
  const found = pairs.map((pair) => ({
    pair,
    kinds: classify(pair)
      .filter((kind) => kind !== 'slower' || timesDiffer === null)
      .filter((kind) => isShownByRate(kind, verdicts.get(keyOf(pair[1] ?? pair[0])))),
  }));
  const unshown = pairs.filter(
    (pair) =>
      verdicts.get(keyOf(pair[1] ?? pair[0])) === 'no-evidence' && classify(pair).includes('new_failures'),
  );
  const [causesBefore, causesAfter] = [indexCauses(before), indexCauses(after)];
  const listOf = (kind: ChangeKind): Change[] => {
    const changed = found.filter(({ kinds }) => kinds.includes(kind)).map(({ pair }) => pair);
    const causes = BROKEN_BEFORE.has(kind) ? causesBefore : causesAfter;
    const changes = changed.map((pair) => describe(pair, kind, causes));
    // The test that shows a cause best is the first in the report.
    const place = ({ scenario_id, backend }: Change) =>
      causes.get(testLabel(scenario_id, backend))?.place ?? -1;
    return BROKEN_KINDS.has(kind) ? changes.toSorted((a, b) => place(a) - place(b)) : changes;
  };
  return {
    before: factsOf(before),
    after: factsOf(after),
    caveats: [...listCaveats(before, after), ...(timesDiffer === null ? [] : [timesDiffer])],
    no_verdict: [
      ...listVoids(before, after, same),
      ...describeUnshown(unshown.flatMap(([, after]) => after ?? [])),
    ],
    also_changed: listAlsoChanged(before, after),
    changes: {
      new_failures: listOf('new_failures'),
      fixed: listOf('fixed'),
      still_failing: listOf('still_failing'),
      newly_inconclusive: listOf('newly_inconclusive'),
      changed_tests: listOf('changed_tests'),
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
    rates,
    unchanged: found.filter(({ pair: [a, b], kinds }) => a && b && kinds.length === 0).length,
  };
}

function keyOf(result: Pick<Result, 'scenario_id' | 'backend'> | undefined): string {
  return result === undefined ? '' : executionKey(result.scenario_id, result.backend);
}

function isSameTest(pair: Pair): pair is ResultPair {
  return pair[0] !== undefined && pair[1] !== undefined && !isOtherTest(pair);
}

/** Whether a comparison shows that something broke, or passes less often. */
export function isWorse({ changes, rates }: Comparison): boolean {
  return (
    changes.new_failures.length > 0 || (rates?.tests.some(({ verdict }) => verdict === 'worse') ?? false)
  );
}

/** A result before and after. At least one of them is defined. */
type Pair = readonly [Result | undefined, Result | undefined];

function pairResults(before: readonly Result[], after: readonly Result[]): Pair[] {
  const earlier = new Map(before.map((result) => [keyOf(result), result]));
  const later = new Map(after.map((result) => [keyOf(result), result]));
  return [...new Set([...earlier.keys(), ...later.keys()])].map((key) => [earlier.get(key), later.get(key)]);
}

function bothPassed(pair: Pair): pair is readonly [Result, Result] {
  return pair.every((result) => result !== undefined && isPass(standingOf(result)));
}

/** A test that asks or checks something else now is another test: its result is neither better nor worse. */
function isOtherTest([before, after]: Pair): boolean {
  const [was, is] = [before?.scenario_hash ?? null, after?.scenario_hash ?? null];
  return was !== null && is !== null && was !== is;
}

function classify(pair: Pair): ChangeKind[] {
  const [before, after] = pair;
  if (isOtherTest(pair)) return ['changed_tests'];
  const [a, b] = [standingOf(before), standingOf(after)];
  const both = a !== undefined && b !== undefined;
  const tests: Record<ChangeKind, boolean> = {
    // A failure that the earlier report does not have is new, whatever the result was before.
    new_failures: isFailure(b) && !isFailure(a),
    fixed: isFailure(a) && isPass(b),
    still_failing: isFailure(a) && isFailure(b),
    changed_tests: false,
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
  return is >= was * SLOWER.ratio && is - was >= SLOWER.seconds && !wasBusier(before, after);
}

/** The iterations of a failure mean nothing either. */
function hasOtherIterations(before: Result | undefined, after: Result | undefined): boolean {
  if (!before?.context || !after?.context || !isPass(before.outcome) || !isPass(after.outcome)) return false;
  return before.context.iterations_completed !== after.context.iterations_completed;
}

function describe([before, after]: Pair, kind: ChangeKind, causes: CauseIndex): Change {
  const known = after ?? before;
  const broken = BROKEN_BEFORE.has(kind) ? before : after;
  const check = broken?.assertions.find(({ passed }) => !passed);
  return {
    scenario_id: known?.scenario_id ?? '',
    backend: known?.backend ?? '',
    before: standingOf(before) ?? null,
    after: standingOf(after) ?? null,
    detail: detailOf(kind, before, after),
    cause: broken !== undefined && BROKEN_KINDS.has(kind) ? findCause(broken, causes) : null,
    check: check === undefined ? null : { name: check.name, received: check.actual },
  };
}

/** By the label of a test: its place among the tests of all causes, and what its cause is. */
type CauseIndex = ReadonlyMap<string, { readonly place: number; readonly hypothesis: string }>;

function indexCauses({ causes }: ComparableReport): CauseIndex {
  const tests = causes.flatMap(({ tests, hypothesis }) => tests.map((label) => ({ label, hypothesis })));
  const entries = tests.map(({ label, hypothesis }, place) => [label, { place, hypothesis }] as const);
  // If a test has several causes, the first one counts.
  return new Map(entries.reverse());
}

function findCause(broken: Result, causes: CauseIndex): string | null {
  if (broken.outcome === 'known-issue') return broken.known_issue?.reason ?? null;
  return causes.get(testLabel(broken.scenario_id, broken.backend))?.hypothesis ?? null;
}

/** The kinds of change that have a cause: something is or was broken. */
export const BROKEN_KINDS: ReadonlySet<ChangeKind> = new Set([
  'new_failures',
  'fixed',
  'still_failing',
  'newly_inconclusive',
  'known_issues_appeared',
  'known_issues_gone',
]);

/** The kinds of change that tell of something that was broken before. */
export const BROKEN_BEFORE: ReadonlySet<ChangeKind> = new Set(['fixed', 'known_issues_gone']);

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
    case 'changed_tests':
    case 'newly_flaky':
    case 'only_before':
    case 'only_after':
      return '';
    default:
      return kind satisfies never;
  }
}

/** Names the failed checks, the first one with what it received. */
function whatBroke(result: Result | undefined): string {
  const [first, ...others] = (result?.assertions ?? []).filter(({ passed }) => !passed);
  if (result?.error || first === undefined) return result?.error ?? '';
  const received = first.actual.length === 0 ? '' : ` (received: ${first.actual.slice(0, 160)})`;
  return [`${first.name}${received}`, ...others.map(({ name }) => name)].join('; ');
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
  ];
}
