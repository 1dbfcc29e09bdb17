import { shortHash } from '../attempt.js';
import { executionKey, LANE_TRAITS, type Standing, standingOf, testLabel } from '../vocabulary.js';
import {
  bothPassed,
  type Change,
  type ChangeKind,
  classify,
  describeChange,
  indexCauses,
  isOtherTest,
  type Pair,
  whereBroken,
  whyTimesDiffer,
} from './change.js';
import { type ComparableReport, listVoids, type ComparedResult as Result } from './comparable.js';
import {
  compareRates,
  describeUnshown,
  isShownByRate,
  type RateComparison,
  type ResultPair,
} from './rates/rate-changes.js';

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
  /** What tells this Ralph from the other where both have the same version: its path and its hash. Null elsewhere. */
  readonly build: string | null;
}

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
    const causes = whereBroken(kind) === 'before' ? causesBefore : causesAfter;
    const changes = changed.map((pair) => describeChange(pair, kind, causes));
    // The test that shows a cause best is the first in the report.
    const place = ({ scenario_id, backend }: Change) =>
      causes.get(testLabel(scenario_id, backend))?.place ?? -1;
    return whereBroken(kind) !== null ? changes.toSorted((a, b) => place(a) - place(b)) : changes;
  };
  return {
    before: factsOf(before, after),
    after: factsOf(after, before),
    caveats: [
      ...listCaveats(before, after),
      ...describeSelections(pairs),
      ...(timesDiffer === null ? [] : [timesDiffer]),
    ],
    no_verdict: [
      ...listVoids(before, after, same),
      ...describeFailedAlone(pairs),
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

/** Says that the runs are not of the same tests: then most of what differs is the choice. */
function describeSelections(pairs: readonly Pair[]): string[] {
  const [before, after] = [0, 1].map((side) => pairs.filter((pair) => pair[1 - side] === undefined).length);
  if (before === 0 && after === 0) return [];
  return [`the selections differ: ${before} only in the earlier report, ${after} only in the later one`];
}

/** A failure that nothing can be compared with is no verdict on a change, but no pass either. */
function describeFailedAlone(pairs: readonly Pair[]): string[] {
  const failed = pairs.filter(
    ([a, b]) => a === undefined && (b?.outcome === 'failed' || b?.outcome === 'error'),
  );
  if (failed.length === 0) return [];
  return [
    `${failed.length === 1 ? 'a test failed that did' : `${failed.length} tests failed that did`} not run before`,
  ];
}

function keyOf(result: Pick<Result, 'scenario_id' | 'backend'> | undefined): string {
  return result === undefined ? '' : executionKey(result.scenario_id, result.backend);
}

function isSameTest(pair: Pair): pair is ResultPair {
  return pair[0] !== undefined && pair[1] !== undefined && !isOtherTest(...pair);
}

/** What a comparison shows as a whole: whether something broke or passes less often. */
export function judgeComparison({ changes, rates, no_verdict }: Comparison): 'worse' | 'open' | 'sound' {
  const isWorse =
    changes.new_failures.length > 0 || rates?.tests.some(({ verdict }) => verdict === 'worse') === true;
  return isWorse ? 'worse' : no_verdict.length > 0 ? 'open' : 'sound';
}

function pairResults(before: readonly Result[], after: readonly Result[]): Pair[] {
  const earlier = new Map(before.map((result) => [keyOf(result), result]));
  const later = new Map(after.map((result) => [keyOf(result), result]));
  return [...new Set([...earlier.keys(), ...later.keys()])].map((key) => [earlier.get(key), later.get(key)]);
}

function factsOf(report: ComparableReport, other: ComparableReport): RunFacts {
  const { run_id, timestamp, ralph_version, lane, results } = report;
  const count = (...standings: readonly Standing[]) =>
    results.filter((result) => standings.includes(standingOf(result))).length;
  return {
    ...{ run_id, timestamp, ralph_version, lane },
    results: results.length,
    passed: count('passed', 'flaky'),
    failed: count('failed', 'error'),
    inconclusive: count('inconclusive'),
    build: isOtherBuild(report, other) ? describeBuild(report) : null,
  };
}

/** Whether two builds of Ralph have the same version: then only path and hash tell them apart. */
function isOtherBuild({ target: one }: ComparableReport, { target: other }: ComparableReport): boolean {
  const differs = one.sha256 !== undefined && other.sha256 !== undefined && one.sha256 !== other.sha256;
  return differs && one.version === other.version;
}

function describeBuild({ target: { path = '', sha256 = '' } }: ComparableReport): string {
  return [...(path === '' ? [] : [path]), `SHA-256 ${shortHash(sha256)}`].join(', ');
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

/** Lists what differs between two runs besides the results: each may explain a change that Ralph did not cause. */
function listAlsoChanged(before: ComparableReport, after: ComparableReport): string[] {
  return [
    ...differing('ralph', before.ralph_version, after.ralph_version),
    ...(isOtherBuild(before, after)
      ? differing('the binary of ralph', shortHash(before.target.sha256), shortHash(after.target.sha256))
      : []),
    ...differing("the stand-in's faults", faultsOf(before), faultsOf(after)),
    ...differing('ralph-e2e', before.harness_version, after.harness_version),
    ...pairs(before, after, versionsOf, (backend) => backend),
    // Offline, a script is the model, and its name may be random.
    ...(before.lane === 'live' && after.lane === 'live'
      ? pairs(before, after, modelsOf, (backend) => `the model of ${backend}`)
      : []),
  ];
}

function faultsOf({ target }: ComparableReport): string {
  return target.faults?.join(', ') ?? 'none';
}

type Facts = ReadonlyMap<string, string>;

function pairs(
  before: ComparableReport,
  after: ComparableReport,
  read: (report: ComparableReport) => Facts,
  name: (backend: string) => string,
): string[] {
  const [was, is] = [read(before), read(after)];
  return [...was].flatMap(([backend, value]) => differing(name(backend), value, is.get(backend) ?? null));
}

function versionsOf({ backends_tested }: ComparableReport): Facts {
  return new Map(
    backends_tested.flatMap(({ backend, version }) => (version === null ? [] : [[backend, version]])),
  );
}

function modelsOf({ results }: ComparableReport): Facts {
  const models = new Map<string, string>();
  for (const backend of new Set(results.map((result) => result.backend))) {
    const found = results.flatMap((result) =>
      result.backend === backend ? (result.context?.usage?.model ?? []) : [],
    );
    if (found.length > 0) models.set(backend, [...new Set(found)].sort().join(' and '));
  }
  return models;
}

function differing(what: string, before: string | null, after: string | null): string[] {
  return before === null || after === null || before === after ? [] : [`${what}: ${before}, now ${after}`];
}
