import { type AttemptFinished, isInconclusive, isTroubled, type Planned } from '../attempt.js';
import { isBrokenOff } from '../joined-parts.js';
import { handleRecord, type JournalEvent } from '../journal.js';
import type { RepeatPlan } from '../options/repeat-plan.js';
import type { Execution } from '../report/analysis.js';
import type { Usual } from '../report/expectation.js';
import type { ReportRepeats } from '../report/rates/repeats.js';
import type { SkipCause } from '../report/skip-cause.js';
import { type BackendId, keyOfTest, LANE_TRAITS, type Outcome } from '../vocabulary.js';
import { decideRepeated, describeRepeats } from './repeats.js';

/** One scenario on one backend, according to the journal. */
export interface MergedExecution extends Execution {
  readonly outcome: Outcome;
  /** The attempt that decides the outcome; the report describes this one. */
  readonly decisive: AttemptFinished | null;
  readonly skipReason: string | null;
  readonly skipCause: SkipCause | null;
  /** Every attempt. `attempts` has only those that decide if the test was repeated: the diagnosis reads one repeat. */
  readonly all: readonly AttemptFinished[];
  /** Null if the test was not repeated, or did not run. */
  readonly repeats: ReportRepeats | null;
}

/** Joins plan, attempts and skips: one entry per scenario and backend, in the order of the plan. */
export function mergeAttempts(events: readonly JournalEvent[]): MergedExecution[] {
  const drafts = new Map<string, Draft>();
  const draftOf = (test: Pick<Draft, 'scenarioId' | 'backend'>): Draft => {
    const { scenarioId, backend } = test;
    const key = keyOfTest(test);
    const known = drafts.get(key);
    if (known) return known;
    const draft: Draft = {
      scenarioId,
      backend,
      planned: null,
      attempts: [],
      skipReason: null,
      skipCause: null,
      started: new Set(),
    };
    drafts.set(key, draft);
    return draft;
  };
  for (const event of events)
    handleRecord(event, {
      'run-started': ({ planned }) => {
        for (const test of planned) draftOf(test).planned = test;
      },
      'scenario-skipped': (skip) => {
        Object.assign(draftOf(skip), { skipReason: skip.reason, skipCause: skip.cause });
      },
      'attempt-started': (start) => {
        draftOf(start).started.add(start.attempt);
      },
      'attempt-finished': (attempt) => {
        draftOf(attempt).attempts.push(attempt);
      },
      'history-known': ({ expected }) => {
        for (const test of expected) {
          const draft = drafts.get(keyOfTest(test));
          if (draft && test.usual) draft.usual = test.usual;
        }
      },
    });
  const started = events.find((event) => event.type === 'run-started');
  const plan = started?.repeat;
  const isOffline = started !== undefined && !LANE_TRAITS[started.lane].costsMoney;
  return [...drafts.values()].map((draft) => {
    const execution = settle(draft, events);
    return plan === undefined ? execution : settleRepeated(execution, { plan, isOffline, draft });
  });
}

interface Draft {
  readonly scenarioId: string;
  readonly backend: BackendId;
  readonly attempts: AttemptFinished[];
  planned: Planned | null;
  skipReason: string | null;
  skipCause: SkipCause | null;
  /** The numbers of the attempts that started. */
  readonly started: Set<number>;
  usual?: Usual;
}

const RUN_ENDED: SkipCause = { kind: 'run-ended' };

function settle(draft: Draft, events: readonly JournalEvent[]): MergedExecution {
  const { scenarioId, backend, planned, usual } = draft;
  const who = { scenarioId, backend, planned, ...(usual === undefined ? {} : { usual }) };
  const interrupted = wasInterrupted(events);
  // Only a run that was not interrupted had time to record the end of each attempt.
  const lost = interrupted ? [] : findLost(draft);
  const all = [...draft.attempts, ...lost].sort((a, b) => a.attempt - b.attempt);
  const ended = all.filter((attempt) => !(interrupted && isBrokenOff(attempt)));
  const attempts = ended.length > 0 ? ended : all;
  const last = ended.at(-1);
  if (!last) {
    const skip =
      draft.skipReason === null
        ? { skipReason: `not run: ${reasonNotRun(draft, events)}`, skipCause: RUN_ENDED }
        : { skipReason: draft.skipReason, skipCause: draft.skipCause };
    const none = { outcome: 'skipped', decisive: attempts.at(-1) ?? null, repeats: null } as const;
    return { ...who, attempts, all: attempts, ...none, ...skip };
  }
  const whole = { all: attempts, repeats: null, skipReason: null, skipCause: null };
  return { ...who, attempts, ...decide(attempts, last), ...whole };
}

/** Judges a test by all of its repeats. */
function settleRepeated(
  execution: MergedExecution,
  {
    plan,
    isOffline,
    draft,
  }: { readonly plan: RepeatPlan; readonly isOffline: boolean; readonly draft: Draft },
): MergedExecution {
  const { all, outcome } = execution;
  const decided = outcome === 'skipped' ? null : decideRepeated(all, { plan, isOffline });
  if (decided === null) return execution;
  const { read, decisive } = decided;
  return {
    ...execution,
    outcome: decided.outcome,
    decisive,
    attempts: read,
    repeats: describeRepeats(all, { plan, isOffline, leftReason: draft.skipReason }),
  };
}

function decide(
  attempts: readonly AttemptFinished[],
  last: AttemptFinished,
): Pick<MergedExecution, 'outcome' | 'decisive'> {
  if (last.outcome === 'passed') {
    // Trouble with the service says nothing about the test: a pass after it is a pass.
    const steady = attempts.every((attempt) => attempt.outcome === 'passed' || isTroubled(attempt));
    return { outcome: steady ? 'passed' : 'flaky', decisive: last };
  }
  if (last.outcome === 'known-issue') return { outcome: 'known-issue', decisive: last };
  // Neither a later error of the harness nor a later fault of somebody else cancels a failure of the target.
  const failed =
    attempts.findLast((attempt) => attempt.outcome === 'failed' && !isInconclusive(attempt)) ??
    attempts.findLast((attempt) => attempt.outcome === 'failed' && !isTroubled(attempt)) ??
    attempts.findLast(({ outcome }) => outcome === 'failed');
  return failed ? { outcome: 'failed', decisive: failed } : { outcome: last.outcome, decisive: last };
}

/** Finds attempts that started but have no recorded end: they are not skipped, and cannot pass. */
function findLost({ scenarioId, backend, attempts, started }: Draft): AttemptFinished[] {
  const open = [...started].filter((number) => !attempts.some(({ attempt }) => attempt === number));
  return open.map((attempt) => ({
    type: 'attempt-finished',
    at: '',
    scenarioId,
    backend,
    attempt,
    outcome: 'error',
    durationSeconds: 0,
    checks: [],
    quality: [],
    evidence: null,
    error: `Attempt ${attempt} started but never finished.`,
    interrupted: false,
    artifacts: '',
    workspace: null,
  }));
}

function reasonNotRun({ started }: Draft, events: readonly JournalEvent[]): string {
  const finished = events.findLast((event) => event.type === 'run-finished');
  if (started.size > 0) return 'the run was interrupted while this test was running';
  if (!finished) return 'the run did not come to its end (it was killed, or it is still going on)';
  // Whatever else ends a run early says so in a record of its own.
  return finished.interrupted ? 'the run was interrupted' : 'the run ended before its turn came';
}

/** Whether the run ended early: interrupted, or killed before its last record was written. */
export function wasInterrupted(events: readonly JournalEvent[]): boolean {
  const finished = events.findLast((event) => event.type === 'run-finished');
  return finished === undefined || finished.interrupted;
}
