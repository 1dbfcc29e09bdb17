import { isDeepStrictEqual } from 'node:util';
import { identifyTarget } from '../domain/attempt.js';
import { KnownError } from '../domain/common/known-error.js';
import type { Readiness } from '../domain/evidence/readiness.js';
import { isBrokenOff } from '../domain/joined-parts.js';
import { LISTED_CALL_OPTIONS, type RunCall } from '../domain/run-call.js';
import type { ShardedTest } from '../domain/shard.js';
import { executionKey, testLabel } from '../domain/vocabulary.js';
import type { RunStarted } from '../run/resume/whole-journal.js';
import { planOf } from './describe.js';
import type { ReadShard } from './read-shard.js';

const NONE = 'none';
const ALL_ALIKE = 'Run all shards with the same ralph-e2e, Ralph, scenarios and options.';

/**
 * Returns the shards in their order if together they are exactly one run: of one whole, each once, none missing, each
 * test once.
 */
export function requireOneRun(shards: readonly ReadShard[]): readonly ReadShard[] {
  const sorted = shards.toSorted((a, b) => a.choice.index - b.choice.index || (a.path < b.path ? -1 : 1));
  const [first, ...others] = sorted;
  if (first === undefined) throw new KnownError('merge-reports: expected at least one blob, found none.');
  requireSameTotal(first, others);
  requireEachOnce(sorted);
  for (const other of others) requireSameWhole(first, other);
  requireNoneMissing(sorted);
  requireSoundPlan(first);
  requireEachTestOnce(sorted);
  requireSameBackends(sorted);
  for (const shard of sorted) requireResults(shard);
  return sorted;
}

function nameOf({ path, choice: { index, total } }: ReadShard): string {
  return `shard ${index} of ${total} (${path})`;
}

function requireSameTotal(first: ReadShard, others: readonly ReadShard[]): void {
  const other = others.find(({ choice }) => choice.total !== first.choice.total);
  if (other === undefined) return;
  throw new KnownError(
    `Expected the shards of one run, found ${nameOf(first)} and ${nameOf(other)}: another number of shards.`,
    { hint: 'Name only the blobs of one run.' },
  );
}

function requireEachOnce(sorted: readonly ReadShard[]): void {
  const twin = sorted.find(({ choice }, index) => sorted[index - 1]?.choice.index === choice.index);
  if (twin === undefined) return;
  const other = sorted.find(({ choice }) => choice.index === twin.choice.index);
  const same = other?.started.runId === twin.started.runId ? ', both of the same run' : '';
  throw new KnownError(
    `Expected each shard once, found shard ${twin.choice.index} of ${twin.choice.total} in ${other?.path} and in ${twin.path}${same}.`,
    { hint: 'Name only the one that counts.' },
  );
}

function requireNoneMissing(sorted: readonly ReadShard[]): void {
  const total = sorted[0]?.choice.total ?? 0;
  const missing = Array.from({ length: total }, (_, index) => index + 1).filter(
    (number) => !sorted.some(({ choice }) => choice.index === number),
  );
  if (missing.length === 0) return;
  const plan = sorted[0] === undefined ? [] : planOf(sorted[0].started);
  const tests = plan.filter(({ shard }) => missing.includes(shard)).length;
  throw new KnownError(
    `Expected all ${total} shards, found ${sorted.length}: shard ${missing.slice(0, 20).join(', ')} of ${total} is missing, with ${tests} of ${plan.length} tests.`,
    { hint: 'Name its blob, too. A shard that was killed writes one when `ralph-e2e resume` ends.' },
  );
}

/** What must be the same on every machine, with the words for it. The order is that of the checks. */
const SAME_FACTS: readonly {
  readonly what: string;
  readonly of: (started: RunStarted) => string;
  readonly hint?: string;
}[] = [
  {
    what: 'another CI run',
    of: ({ shard }) => shard?.ciRun ?? NONE,
    hint: 'Name only the blobs of one CI run. To run shards again, run all of them again.',
  },
  { what: 'another ralph-e2e', of: ({ harnessVersion }) => harnessVersion },
  { what: 'another lane', of: ({ lane }) => lane },
  { what: 'another Ralph', of: ({ target }) => identifyTarget(target) },
  {
    what: 'another --repeat or --threshold',
    of: ({ repeat }) => (repeat ? `${repeat.times} times, ${repeat.threshold ?? NONE}` : NONE),
  },
];

/** The choices of a call that must be the same, with the option that makes each. */
const SAME_CHOICES = [
  ...['backends', 'named'].map((key) => ({ key, flag: 'backends' })),
  ...LISTED_CALL_OPTIONS.filter(({ ownPerShard }) => !ownPerShard),
];

/** Refuses two shards that are not parts of the same whole. */
function requireSameWhole(first: ReadShard, other: ReadShard): void {
  const differ = (what: string, hint = ALL_ALIKE): KnownError =>
    new KnownError(`Expected the shards of one run, found ${nameOf(first)} and ${nameOf(other)}: ${what}.`, {
      hint,
    });
  for (const { what, of, hint } of SAME_FACTS) {
    const [one, two] = [of(first.started), of(other.started)];
    if (one !== two) throw differ(`${what}: ${one} and ${two}`, hint);
  }
  const options = findOtherChoices(first.started.call, other.started.call);
  if (options.length > 0) throw differ(`other options: ${options.join(', ')}`);
  const hashes = [first, other].map(({ started }) => (started.files ?? []).map(({ sha256 }) => sha256));
  if (!isDeepStrictEqual(hashes[0], hashes[1])) throw differ('other scenario or known-issue files');
  const test = findOtherTest(first.started, other.started);
  if (test !== null) throw differ(`another selection or catalog: ${test}`);
  const moved = findMoved(first.started, other.started);
  if (moved !== null) throw differ(`they divided the tests differently: ${moved}`);
}

function findOtherChoices(one: RunCall | undefined, two: RunCall | undefined): string[] {
  const [own, theirs] = [new Map(Object.entries(one ?? {})), new Map(Object.entries(two ?? {}))];
  const names = SAME_CHOICES.flatMap(({ key, flag }) =>
    isDeepStrictEqual(own.get(key), theirs.get(key)) ? [] : [flag],
  );
  return [...new Set(names)];
}

/** Names a test that only one of the plans has, or that differs. */
function findOtherTest(one: RunStarted, two: RunStarted): string | null {
  const [plan, others] = [planOf(one), planOf(two)];
  const keyed = (tests: readonly ShardedTest[]) => new Map(tests.map((test) => [keyOfTest(test), test]));
  const [known, theirs] = [keyed(plan), keyed(others)];
  const single = [...known, ...theirs].find(([key]) => !known.has(key) || !theirs.has(key));
  if (single !== undefined) return `only one has ${labelOf(single[1])}`;
  const changed = [...known].find(([key, test]) => theirs.get(key)?.hash !== test.hash);
  if (changed !== undefined) return `${labelOf(changed[1])} differs`;
  const order = plan.findIndex((test, index) => labelOf(test) !== labelOf(others[index] ?? test));
  return order < 0 ? null : 'the tests have another order';
}

function findMoved(one: RunStarted, two: RunStarted): string | null {
  const others = planOf(two);
  const moved = planOf(one).find((test, index) => others[index]?.shard !== test.shard);
  if (moved === undefined) return null;
  const there = others.find((test) => labelOf(test) === labelOf(moved));
  return `${labelOf(moved)} is in shard ${moved.shard} for one and in shard ${there?.shard} for the other`;
}

type Test = Pick<ShardedTest, 'scenarioId' | 'backend'>;

function labelOf({ scenarioId, backend }: Test): string {
  return testLabel(scenarioId, backend);
}

function keyOfTest({ scenarioId, backend }: Test): string {
  return executionKey(scenarioId, backend);
}

/** Refuses a plan that has a test twice, or in no shard. All shards have the same plan. */
function requireSoundPlan(first: ReadShard): void {
  const { total } = first.choice;
  const seen = new Set<string>();
  for (const test of planOf(first.started)) {
    const { shard } = test;
    const isPlaced = Number.isInteger(shard) && shard >= 1 && shard <= total;
    if (!isPlaced || seen.has(keyOfTest(test)))
      throw new KnownError(
        `Expected each test in one of the ${total} shards, found ${labelOf(test)} ${isPlaced ? 'twice' : `in shard ${shard}`} in the plan of ${nameOf(first)}.`,
        { hint: ALL_ALIKE },
      );
    seen.add(keyOfTest(test));
  }
}

/** Refuses a shard that ended by an error: a test that nobody ran must not make the merged run pass. */
function requireResults(shard: ReadShard): void {
  const records = shard.records.filter((_, index) => shard.counted.has(index));
  const finished = records.findLast((event) => event.type === 'run-finished');
  if (finished === undefined || finished.interrupted) return;
  const known = new Set(
    records.flatMap((event) =>
      event.type === 'scenario-skipped' || (event.type === 'attempt-finished' && !isBrokenOff(event))
        ? [keyOfTest(event)]
        : [],
    ),
  );
  const missing = shard.started.planned.find((test) => !known.has(keyOfTest(test)));
  if (missing === undefined) return;
  throw new KnownError(
    `Expected a result of each test, found none of ${labelOf(missing)} for ${nameOf(shard)}, which was not interrupted.`,
    { hint: 'Run that shard again.' },
  );
}

/** Refuses a shard that did not plan what the whole says, so that no test is missing or counts twice. */
function requireEachTestOnce(sorted: readonly ReadShard[]): void {
  for (const shard of sorted) {
    const due = planOf(shard.started).filter((test) => test.shard === shard.choice.index);
    const [expected, planned] = [due.map(keyOfTest), shard.started.planned.map(keyOfTest)];
    if (isDeepStrictEqual(expected, planned)) continue;
    const [wanted, found] = [new Set(expected), new Set(planned)];
    const odd =
      planned.find((key) => !wanted.has(key)) ??
      expected.find((key) => !found.has(key)) ??
      'their order or number';
    throw new KnownError(
      `Expected the tests of ${nameOf(shard)} as the whole run plans them, found a difference: ${odd}.`,
      { hint: 'Run that shard again.' },
    );
  }
}

/** Refuses shards on which a backend was not the same: one run has one version of it, and either can use it or cannot. */
function requireSameBackends(sorted: readonly ReadShard[]): void {
  const known = new Map<string, { readonly shard: ReadShard; readonly found: Readiness }>();
  for (const shard of sorted)
    for (const found of [...shard.started.backends, ...shard.started.companions]) {
      const before = known.get(found.backend);
      if (before === undefined) known.set(found.backend, { shard, found });
      else if (!isAlike(before.found, found))
        throw new KnownError(
          `Expected ${found.backend} to be the same everywhere, found it ${describeReadiness(before.found)} for ${nameOf(before.shard)} and ${describeReadiness(found)} for ${nameOf(shard)}.`,
          { hint: 'Run the shards again on machines that have the same one.' },
        );
    }
}

/** Machines may lack a backend for different reasons. */
function isAlike(one: Readiness, other: Readiness): boolean {
  return one.ready === other.ready && (!one.ready || one.version === other.version);
}

function describeReadiness({ ready, version, reason }: Readiness): string {
  return ready ? `ready (${version ?? 'no version'})` : `not ready (${reason ?? 'no reason'})`;
}
