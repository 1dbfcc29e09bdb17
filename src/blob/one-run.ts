import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { identifyTarget } from '../domain/attempt.js';
import { KnownError } from '../domain/common/known-error.js';
import { messageOf } from '../domain/common/message-of.js';
import type { Readiness } from '../domain/evidence/readiness.js';
import { isBrokenOff, joinParts } from '../domain/joined-parts.js';
import type { JournalEvent } from '../domain/journal.js';
import { LISTED_CALL_OPTIONS, type RunCall } from '../domain/run-call.js';
import {
  choiceOf,
  dealTests,
  type ShardChoice,
  type ShardedTest,
  shardChoiceSchema,
} from '../domain/shard.js';
import { type BackendId, keyOfTest, LANE_TRAITS, testLabel } from '../domain/vocabulary.js';
import { keepForReport, readJournal } from '../journal/reader.js';
import { type RunStarted, requireWhole } from '../run/resume/whole-journal.js';
import { hashPlanned } from '../run/select/shard.js';
import { checkPlainName } from '../workspace/plain-name.js';
import { BLOB_LIMITS, notABlob, unpackBlob } from './pack.js';

/** A blob that was unpacked completely and holds one run. */
export interface ReadShard {
  readonly path: string;
  /** Where it was unpacked. */
  readonly folder: string;
  readonly journal: string;
  readonly choice: ShardChoice;
  readonly started: RunStarted;
  /** All records, reduced to what reports need. */
  readonly records: readonly JournalEvent[];
}

/** Unpacks a blob and reads its journal. Refuses one that no run writes, or that somebody changed. */
export async function openShard(path: string, folder: string, signal?: AbortSignal): Promise<ReadShard> {
  const journal = await unpackBlob(path, folder, { ...BLOB_LIMITS, signal });
  const { events, torn } = await readJournal(journal, keepForReport).catch((error: unknown) => {
    throw error instanceof KnownError ? notABlob(path, error.message) : error;
  });
  const [first] = events;
  if (first?.type !== 'run-started') throw notABlob(path, 'records without a beginning');
  if (torn) throw notABlob(path, 'records without an end');
  const later = events.find((event) => event.type === 'journal-changed' && event.what === 'journal-later');
  if (later?.type === 'journal-changed') throw notABlob(path, `a journal that was changed: ${later.found}`);
  // What a run noted about tampering belongs into the merged report.
  const own = events.filter(({ type }) => type !== 'journal-changed');
  const started = requireWhole(own, first.runId);
  if (started.merged !== undefined) throw notABlob(path, 'a run that was merged already');
  requirePlainNames(path, events);
  const choice = shardChoiceSchema.safeParse(choiceOf(started));
  if (!choice.success) throw notABlob(path, 'a part of a run that cannot be');
  return { path, folder, journal, choice: choice.data, started, records: events };
}

/** Refuses records with names that would lead somewhere else: they become names of folders. */
function requirePlainNames(path: string, events: readonly JournalEvent[]): void {
  try {
    for (const event of events) {
      if ('scenarioId' in event) checkPlainName(event.scenarioId, 'scenario');
      if ('artifacts' in event) checkPlainName(basename(event.artifacts), 'attempt');
    }
  } catch (error) {
    throw notABlob(path, messageOf(error));
  }
}

/** Returns the tests of all shards. */
export function planOf({ shard, planned }: RunStarted): readonly ShardedTest[] {
  return shard?.plan ?? planned;
}

/** Returns the shards in their order if together they are exactly one run. */
export function requireOneRun(shards: readonly ReadShard[]): readonly ReadShard[] {
  const sorted = shards.toSorted((a, b) => a.choice.index - b.choice.index || (a.path < b.path ? -1 : 1));
  const [first, ...others] = sorted;
  if (first === undefined) throw new KnownError('merge-reports: expected at least one blob, found none.');
  for (const other of others) requireSameRun(first, other);
  requireAll(sorted, first);
  for (const shard of sorted) requireResults(shard);
  requireSameBackends(sorted);
  return sorted;
}

function nameOf({ path, choice: { index, total } }: ReadShard): string {
  return `shard ${index} of ${total} (${path})`;
}

/** What must be the same on every machine, with the words for it. The order is that of the checks. */
const SAME_FACTS: readonly (readonly [what: string, of: (started: RunStarted) => string])[] = [
  ['number of shards', (started) => `${choiceOf(started).total}`],
  ['CI run', ({ shard }) => shard?.ciRun ?? 'none'],
  ['ralph-e2e', ({ harnessVersion }) => harnessVersion],
  ['lane', ({ lane }) => lane],
  ['Ralph', ({ target }) => identifyTarget(target)],
  ['--repeat or --threshold', ({ repeat }) => JSON.stringify(repeat ?? 'none')],
];

/** The choices of a call that must be the same, with the option that makes each. */
const SAME_CHOICES = [
  ...(['backends', 'named'] as const).map((key) => ({ key, flag: 'backends' })),
  ...LISTED_CALL_OPTIONS.filter(({ ownPerShard }) => !ownPerShard),
];

/** Refuses two shards that are not parts of the same whole. */
function requireSameRun(first: ReadShard, other: ReadShard): void {
  const found = findDifference(first.started, other.started);
  if (found === null) return;
  throw new KnownError(
    `Expected the shards of one run, found ${nameOf(first)} and ${nameOf(other)}: ${found}.`,
    {
      hint: 'Name only the blobs of one run: of all its shards, with the same ralph-e2e, Ralph, scenarios and options.',
    },
  );
}

function findDifference(one: RunStarted, two: RunStarted): string | null {
  for (const [what, of] of SAME_FACTS)
    if (of(one) !== of(two)) return `another ${what}: ${of(one)} and ${of(two)}`;
  const options = findOtherChoices(one.call, two.call);
  if (options.length > 0) return `other options: ${options.join(', ')}`;
  const hashes = [one, two].map(({ files = [] }) => files.map(({ sha256 }) => sha256));
  if (!isDeepStrictEqual(hashes[0], hashes[1])) return 'other scenario or known-issue files';
  const [own, theirs] = [planOf(one), planOf(two)].map((plan) =>
    plan.map((test) => `${testLabel(test.scenarioId, test.backend)} ${test.hash}`),
  );
  const [test] = [...(own ?? []), ...(theirs ?? [])].filter(
    (entry) => !own?.includes(entry) || !theirs?.includes(entry),
  );
  if (test !== undefined) return `another selection or catalog: ${test}`;
  return isDeepStrictEqual(own, theirs) ? null : 'another order of tests';
}

function findOtherChoices(one: RunCall | undefined, two: RunCall | undefined): string[] {
  const [own, theirs] = [new Map(Object.entries(one ?? {})), new Map(Object.entries(two ?? {}))];
  const names = SAME_CHOICES.flatMap(({ key, flag }) =>
    isDeepStrictEqual(own.get(key), theirs.get(key)) ? [] : [flag],
  );
  return [...new Set(names)];
}

/** Refuses shards of which one is missing or comes twice. */
function requireAll(sorted: readonly ReadShard[], { choice: { total }, started }: ReadShard): void {
  const twin = sorted.find(({ choice }, at) => sorted[at - 1]?.choice.index === choice.index);
  if (twin !== undefined) {
    const other = sorted.find(({ choice }) => choice.index === twin.choice.index);
    throw new KnownError(
      `Expected each shard once, found shard ${twin.choice.index} of ${total} in ${other?.path} and in ${twin.path}.`,
      { hint: 'Name only the one that counts.' },
    );
  }
  const missing = Array.from({ length: total }, (_, at) => at + 1).filter(
    (index) => !sorted.some(({ choice }) => choice.index === index),
  );
  if (missing.length === 0) return;
  const shardOf = [...dealTests(planOf(started), total).values()];
  const tests = shardOf.filter((shard) => missing.includes(shard)).length;
  throw new KnownError(
    `Expected all ${total} shards, found ${sorted.length}: shard ${missing.slice(0, 20).join(', ')} of ${total} is missing, with ${tests} of ${shardOf.length} tests.`,
    { hint: 'Name its blob, too. A shard that was killed writes one when `ralph-e2e resume` ends.' },
  );
}

/**
 * Refuses a shard that did not plan its part, or that has no result of a test although nobody interrupted it: a test that
 * nobody ran must not make the merged run pass.
 */
function requireResults(shard: ReadShard): void {
  const refuse = (found: string) =>
    new KnownError(`Expected a result of each test of ${nameOf(shard)}, found ${found}.`, {
      hint: 'Run that shard again.',
    });
  const { started, choice } = shard;
  const due = dealTests(planOf(started), choice.total);
  const planned = new Set(started.planned.map(keyOfTest));
  for (const [key, index] of due)
    if (index === choice.index && !planned.has(key)) throw refuse(`that it did not plan ${key}`);
  const plan = new Map(planOf(started).map((test) => [keyOfTest(test), test]));
  for (const test of started.planned) {
    const key = keyOfTest(test);
    const known = plan.get(key);
    if (known === undefined) throw refuse(`${key}, which is not in the plan of all shards`);
    // Where a call costs money, each shard runs the connect scenarios, too.
    const isShared = LANE_TRAITS[started.lane].costsMoney && known.gate === true;
    if (due.get(key) !== choice.index && !isShared)
      throw refuse(`${key}, which is in the part of shard ${due.get(key)}`);
    const isAsPlanned = [true, false].some((isSteady) => hashPlanned(test, isSteady) === known.hash);
    if (started.shard !== undefined && !isAsPlanned)
      throw refuse(`another ${key} than in the plan of all shards`);
  }
  const records = joinParts(shard.records);
  const finished = records.findLast((event) => event.type === 'run-finished');
  if (finished === undefined || finished.interrupted) return;
  for (const event of records)
    if (event.type === 'scenario-skipped' || (event.type === 'attempt-finished' && !isBrokenOff(event)))
      planned.delete(keyOfTest(event));
  for (const key of planned) throw refuse(`none of ${key}, and it was not interrupted`);
}

/** Refuses shards on which a backend was not the same: one run has one version of it, and either can use it or cannot. */
function requireSameBackends(sorted: readonly ReadShard[]): void {
  const known = new Map<BackendId, { readonly shard: ReadShard; readonly state: string }>();
  for (const shard of sorted)
    for (const found of [...shard.started.backends, ...shard.started.companions]) {
      const state = describeReadiness(found);
      const before = known.get(found.backend);
      if (before === undefined) known.set(found.backend, { shard, state });
      else if (before.state !== state)
        throw new KnownError(
          `Expected ${found.backend} to be the same everywhere, found it ${before.state} for ${nameOf(before.shard)} and ${state} for ${nameOf(shard)}.`,
          { hint: 'Run the shards again on machines that have the same one.' },
        );
    }
}

/** Machines may lack a backend for different reasons. */
function describeReadiness({ ready, version }: Readiness): string {
  return ready ? `ready (${version ?? 'no version'})` : 'not ready';
}
