import { type Standing, standingOf, testLabel } from '../vocabulary.js';
import type { ComparableReport, ComparedResult as Result } from './comparable.js';
import { median } from './expectation.js';

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

/** A result before and after. At least one of them is defined. */
export type Pair = readonly [Result | undefined, Result | undefined];

export function bothPassed(pair: Pair): pair is readonly [Result, Result] {
  return pair.every((result) => result !== undefined && isPass(result));
}

/** A test that asks or checks something else now is another test: its result is neither better nor worse. */
export function isOtherTest(before: Result | undefined, after: Result | undefined): boolean {
  const [was, is] = [before?.scenario_hash ?? null, after?.scenario_hash ?? null];
  return was !== null && is !== null && was !== is;
}

/** A kind of change: whether a test has it, and what is said about the test. */
interface Kind {
  readonly fits: (before: Result | undefined, after: Result | undefined) => boolean;
  /** The run in which something was broken. A change of such a kind has a cause, and names what broke. */
  readonly broken?: 'before' | 'after';
  /** What else is said. */
  readonly tell?: (before: Result | undefined, after: Result | undefined) => string;
}

const KINDS: Readonly<Record<ChangeKind, Kind>> = {
  // Whatever the result was before. A test that did not run then was not selected, or is new: nobody broke it since.
  new_failures: { fits: (a, b) => isBroken(b) && a !== undefined && !isBroken(a), broken: 'after' },
  fixed: { fits: (a, b) => isBroken(a) && isPass(b), broken: 'before' },
  still_failing: { fits: (a, b) => isBroken(a) && isBroken(b), broken: 'after' },
  newly_inconclusive: { fits: (a, b) => a !== undefined && becomes('inconclusive', a, b), broken: 'after' },
  changed_tests: { fits: isOtherTest },
  known_issues_appeared: { fits: (a, b) => a !== undefined && becomes('known-issue', a, b), broken: 'after' },
  known_issues_gone: { fits: (a, b) => stands(a, 'known-issue') && isPass(b), broken: 'before' },
  newly_flaky: { fits: (a, b) => a !== undefined && becomes('flaky', a, b) },
  newly_skipped: {
    fits: (a, b) => a !== undefined && becomes('skipped', a, b),
    tell: (_, after) => after?.skip_reason ?? '',
  },
  no_longer_skipped: {
    fits: (a, b) => b !== undefined && becomes('skipped', b, a),
    tell: (before) => `was: ${before?.skip_reason ?? ''}`,
  },
  slower: {
    fits: isSlower,
    tell: (a, b) => `${a?.duration_seconds.toFixed(1)} s, now ${b?.duration_seconds.toFixed(1)} s`,
  },
  iterations: {
    fits: hasOtherIterations,
    tell: (a, b) => `${a?.context?.iterations_completed}, now ${b?.context?.iterations_completed}`,
  },
  only_before: { fits: (_, after) => after === undefined },
  only_after: {
    fits: (before) => before === undefined,
    tell: (_, after) => (isBroken(after) || stands(after, 'inconclusive') ? whatBroke(after) : ''),
  },
};

/** Returns the run in which something was broken, or null: such a change has no cause. */
export function whereBroken(kind: ChangeKind): 'before' | 'after' | null {
  return KINDS[kind].broken ?? null;
}

/** Returns the kinds of change of a test; of a test that asks something else now, that alone. */
export function classify(pair: Pair): ChangeKind[] {
  if (isOtherTest(...pair)) return ['changed_tests'];
  return CHANGE_KINDS.filter((kind) => KINDS[kind].fits(...pair));
}

function becomes(standing: Standing, before: Result | undefined, after: Result | undefined): boolean {
  return stands(after, standing) && !stands(before, standing);
}

function stands(result: Result | undefined, ...standings: readonly Standing[]): boolean {
  return result !== undefined && standings.includes(standingOf(result));
}

function isBroken(result: Result | undefined): boolean {
  return stands(result, 'failed', 'error');
}

function isPass(result: Result | undefined): boolean {
  return stands(result, 'passed', 'flaky');
}

/** Compares times only if both passed: the time of a failure means nothing. */
function isSlower(before: Result | undefined, after: Result | undefined): boolean {
  if (!before || !after || !isPass(before) || !isPass(after)) return false;
  const { duration_seconds: was } = before;
  const { duration_seconds: is } = after;
  return is >= was * SLOWER.ratio && is - was >= SLOWER.seconds && !wasBusier(before, after);
}

/** The iterations of a failure mean nothing either. */
function hasOtherIterations(before: Result | undefined, after: Result | undefined): boolean {
  if (!before?.context || !after?.context || !isPass(before) || !isPass(after)) return false;
  return before.context.iterations_completed !== after.context.iterations_completed;
}

export function describeChange([before, after]: Pair, kind: ChangeKind, causes: CauseIndex): Change {
  const known = after ?? before;
  const broken = whereBroken(kind) === 'before' ? before : after;
  const check = broken?.assertions.find(({ passed }) => !passed);
  return {
    scenario_id: known?.scenario_id ?? '',
    backend: known?.backend ?? '',
    before: before === undefined ? null : standingOf(before),
    after: after === undefined ? null : standingOf(after),
    detail: detailOf(kind, before, after),
    cause: broken !== undefined && whereBroken(kind) !== null ? findCause(broken, causes) : null,
    check: check === undefined ? null : { name: check.name, received: check.actual },
  };
}

/** By the label of a test: its place among the tests of all causes, and what its cause is. */
type CauseIndex = ReadonlyMap<string, { readonly place: number; readonly hypothesis: string }>;

export function indexCauses({ causes }: ComparableReport): CauseIndex {
  const tests = causes.flatMap(({ tests, hypothesis }) => tests.map((label) => ({ label, hypothesis })));
  const entries = tests.map(({ label, hypothesis }, place) => [label, { place, hypothesis }] as const);
  // If a test has several causes, the first one counts.
  return new Map(entries.reverse());
}

function findCause(broken: Result, causes: CauseIndex): string | null {
  if (broken.outcome === 'known-issue') return broken.known_issue?.reason ?? null;
  return causes.get(testLabel(broken.scenario_id, broken.backend))?.hypothesis ?? null;
}

function detailOf(kind: ChangeKind, before: Result | undefined, after: Result | undefined): string {
  const { broken, tell } = KINDS[kind];
  if (broken === 'before') return `was: ${whatBroke(before)}`;
  return broken === 'after' ? whatBroke(after) : (tell?.(before, after) ?? '');
}

/** Names the failed checks, the first one with what it received. */
function whatBroke(result: Result | undefined): string {
  const [first, ...others] = (result?.assertions ?? []).filter(({ passed }) => !passed);
  if (result?.error || first === undefined) return result?.error ?? '';
  const received = first.actual.length === 0 ? '' : ` (received: ${first.actual.slice(0, 160)})`;
  return [`${first.name}${received}`, ...others.map(({ name }) => name)].join('; ');
}

/** Runs with up to this ratio between them count as equally loaded. */
const SIMILAR = 1.5;

/** Fewer tests than this say nothing about the machine. */
const ENOUGH = 3;

/**
 * Returns why the durations of two runs cannot be compared, or null. The measure is the time that ralph-e2e itself took
 * for each test (workspaces, git, snapshots): it depends on the machine and its load, and not on Ralph or the agent.
 */
export function whyTimesDiffer(pairs: readonly (readonly [Result, Result])[]): string | null {
  const ratios = pairs.flatMap(([{ harness_seconds: was }, { harness_seconds: is }]) =>
    was === null || is === null || was <= 0 || is <= 0 ? [] : [is / was],
  );
  if (ratios.length < ENOUGH) {
    return pairs.length < ENOUGH
      ? `durations are not compared: fewer than ${ENOUGH} tests passed in both runs`
      : 'durations are not compared: a report does not say how busy the machine was';
  }
  const ratio = median(ratios);
  if (ratio <= SIMILAR && ratio >= 1 / SIMILAR) return null;
  const [which, factor] = ratio > 1 ? ['later', ratio] : ['earlier', 1 / ratio];
  return `durations are not compared: the machine was busier in the ${which} run (ralph-e2e itself took ${factor.toFixed(1)} times as long)`;
}

/** Whether the machine was busier while the later of two tests ran. */
function wasBusier(before: Result, after: Result): boolean {
  return (after.harness_seconds ?? 0) > (before.harness_seconds ?? 0) * SIMILAR;
}
