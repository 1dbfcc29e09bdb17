import type { AttemptFinished } from '../domain/attempt.js';
import type { Readiness } from '../domain/evidence/readiness.js';
import type { JournalEvent } from '../domain/journal.js';
import { ONCE, type RepeatPlan } from '../domain/options/repeat-plan.js';
import { listRepeats } from '../domain/results/repeats.js';
import type { RunCall } from '../domain/run-call.js';
import { type BackendId, LANE_TRAITS } from '../domain/vocabulary.js';
import type { SuiteSettings } from '../lane/settings.js';
import { runAttempt } from './attempt/attempt.js';
import { keyOfJob, type Selected } from './planned.js';
import type { TakenOver } from './resume/taken-over.js';
import { decideRetry, type Pause, type RetryRules, type Skip, watchServices } from './retries.js';
import { runScheduled, type ScheduleLimits } from './schedule.js';
import { whySkipped } from './select/why-skipped.js';

export interface SuiteOptions extends Pick<RunCall, 'retries' | 'repeat' | 'bail' | 'maxFailures'> {
  readonly selected: readonly Selected[];
  readonly readiness: ReadonlyMap<BackendId, Readiness>;
  readonly limits: ScheduleLimits;
  /** Waits before a test runs again. */
  readonly pause: Pause;
  /** Whether the budget is used up: then nothing new starts. */
  readonly isBudgetReached: (ended?: AttemptFinished) => boolean;
  /** What an earlier part of this run has done. Default: nothing. */
  readonly takenOver?: TakenOver | undefined;
  readonly emit: (event: JournalEvent) => void;
}

/** Runs the selected tests and reports everything as events. Callers decide how to show them. */
export async function runSuite(options: SuiteOptions, settings: SuiteSettings): Promise<void> {
  const { selected, emit } = options;
  const { costsMoney } = LANE_TRAITS[settings.lane];
  const plan = options.repeat ?? ONCE;
  const isRepeated = plan.times > 1;
  const unreachable = new Map<BackendId, Skip>();
  const services = watchServices();
  const inTurn = createTurns();
  let failures = 0;
  const { settled, attempts: finished, skipped: gone } = options.takenOver ?? NOTHING_TAKEN_OVER;
  /** The attempts of each test so far. */
  const attempts = new Map([...finished].map(([key, earlier]) => [key, earlier.map(dropEvidence)]));
  const attemptsOf = (job: Selected) => attempts.get(keyOfJob(job)) ?? [];

  /** Whether the rest of a backend is hopeless without this one. A gate that is repeated must have failed through Ralph. */
  const isClosed = (job: Selected, { fault }: AttemptFinished): boolean => {
    if (!costsMoney || !job.scenario.gate) return false;
    return (
      !isRepeated ||
      (fault?.whose !== 'agent' && !attemptsOf(job).some(({ outcome }) => outcome === 'passed'))
    );
  };

  const note = (job: Selected, last: AttemptFinished): void => {
    const { scenario, backend } = job;
    const lost = services.take(last);
    if (last.outcome === 'passed' || last.outcome === 'known-issue') return;
    failures += 1;
    // Every other scenario would fail the same way, and cost time and money.
    if (lost !== null) unreachable.set(backend, lost);
    else if (isClosed(job, last))
      unreachable.set(backend, {
        reason: `${scenario.id} failed, so no other scenario ran on ${backend}`,
        cause: { kind: 'gate-failed', gate: scenario.id },
      });
  };

  /** The tests that do not go on, each with one record that says why. */
  const ended = new Set<string>();
  const leave = (job: Selected, skip: Skip): void => {
    if (ended.has(keyOfJob(job))) return;
    ended.add(keyOfJob(job));
    emit(skipped(job, skip));
  };

  // Asked before anything starts: nothing may come between the look at the budget and the start of an attempt.
  const skips = new Map<string, Skip | null>();
  for (const job of selected) skips.set(keyOfJob(job), await findSkip(job, options.readiness, settings));
  const skipOf = (job: Selected) => unreachable.get(job.backend) ?? skips.get(keyOfJob(job)) ?? null;

  const runTurn = async ({ job, repeat }: Turn): Promise<void> => {
    const skip = skipOf(job);
    if (skip !== null) return leave(job, skip);
    const earlier = attemptsOf(job);
    attempts.set(keyOfJob(job), earlier);
    note(
      job,
      await runWithRetries(
        { job, repeat: isRepeated ? repeat : undefined, earlier },
        options,
        settings,
        inTurn,
      ),
    );
  };

  const known = new Map(selected.map((job) => [keyOfJob(job), job]));
  for (const [key, last] of settled) {
    const job = known.get(key);
    if (job !== undefined) note(job, last);
  }
  const due = selected.filter((job) => !settled.has(keyOfJob(job)) && !gone.has(keyOfJob(job)));
  const isGate = ({ scenario }: Selected) => costsMoney && scenario.gate;
  // Gates come first, whatever the order of the rest: an unreachable backend then costs only its gate.
  const ordered = [
    ...due.filter(isGate),
    ...startEarly(
      due.filter((job) => !isGate(job)),
      options.limits,
    ),
  ];
  const rules = retryRules(options, settings);
  const isDone = ({ job, repeat }: Turn) => {
    const tries = attemptsOf(job).filter((one) => one.repeat === repeat);
    return tries.length > 0 && decideRetry(tries, rules) === null;
  };
  const turns = listTurns(ordered, plan).filter((turn) => !isDone(turn));
  const jobs = turns.map((turn) => ({
    job: turn,
    lane: turn.job.backend,
    first: isGate(turn.job) && turn.repeat === 1,
    series: keyOfJob(turn.job),
    waits: turn.job.scenario.waitsSeconds > 0,
  }));
  const bailed = () => failures >= mostFailures(options);
  const isOver = () => settings.signal.aborted || options.isBudgetReached();
  // A failure does not stop what runs already, so it does not stop what ran before the run was cut off, either.
  const isRunning = ({ job }: Turn) => !isRepeated && finished.has(keyOfJob(job));
  const running = jobs.filter(({ job }) => isRunning(job));
  const waiting = jobs.filter(({ job }) => !isRunning(job));
  const left = [
    ...(await runScheduled(running, options.limits, runTurn, isOver)),
    ...(await runScheduled(waiting, options.limits, runTurn, () => isOver() || bailed())),
  ].filter(({ job }) => isRepeated || attemptsOf(job).length === 0);
  const skip = whyLeft({ interrupted: settings.signal.aborted, bailed: bailed() }, options);
  for (const { job } of left) leave(job, skipOf(job) ?? skip);
}

/** One repeat of a test. */
interface Turn {
  readonly job: Selected;
  readonly repeat: number;
}

/** Lists the repeats of all tests: each test once, then each again. What drifts during a run then meets all tests alike. */
function listTurns(jobs: readonly Selected[], plan: RepeatPlan): Turn[] {
  return listRepeats(plan).flatMap((repeat) => jobs.map((job) => ({ job, repeat })));
}

/** What waits longest comes first, so that nobody waits for it at the end. Only if it takes nobody's place. */
function startEarly(jobs: readonly Selected[], { waiting }: ScheduleLimits): readonly Selected[] {
  if (waiting === undefined) return jobs;
  return jobs.toSorted((a, b) => b.scenario.waitsSeconds - a.scenario.waitsSeconds);
}

const NOTHING_TAKEN_OVER: TakenOver = {
  settled: new Map(),
  attempts: new Map(),
  skipped: new Set(),
};

/** How many failures end the run. Those of an earlier part of it count. */
function mostFailures({ bail, maxFailures }: SuiteOptions): number {
  return bail ? 1 : (maxFailures ?? Number.POSITIVE_INFINITY);
}

/** Why the jobs in the queue did not start. */
function whyLeft(
  { interrupted, bailed }: { interrupted: boolean; bailed: boolean },
  { bail, maxFailures }: SuiteOptions,
): Skip {
  if (interrupted) return { reason: 'not run: the run was interrupted', cause: { kind: 'run-ended' } };
  if (!bailed) return { reason: 'not run: --max-cost was reached', cause: { kind: 'budget-reached' } };
  const limit = bail ? '--bail ended the run after a failure' : `--max-failures ${maxFailures} was reached`;
  return { reason: `not run: ${limit}`, cause: { kind: 'run-ended' } };
}

async function findSkip(
  job: Selected,
  readiness: SuiteOptions['readiness'],
  settings: Pick<SuiteSettings, 'lane' | 'env' | 'target' | 'replays'>,
): Promise<Skip | null> {
  const replay = settings.replays?.get(keyOfJob(job));
  if (replay?.kind === 'cannot')
    return { reason: `cannot be replayed: ${replay.why}`, cause: { kind: 'not-ready' } };
  const obstacle = await whySkipped(job, readiness, settings);
  if (obstacle === null) return null;
  const { reason, ...needs } = obstacle;
  return { reason, cause: { kind: 'not-ready', ...needs } };
}

/** The rules for retries in a lane. */
export function retryRules(
  { retries, repeat }: Pick<SuiteOptions, 'retries' | 'repeat'>,
  { lane }: Pick<SuiteSettings, 'lane'>,
): RetryRules {
  return { retries, hasService: LANE_TRAITS[lane].costsMoney, repeated: repeat !== null && repeat.times > 1 };
}

/** Runs a test, or one of its repeats, until nothing is left to retry. Adds each attempt to `earlier`. */
async function runWithRetries(
  {
    job,
    repeat,
    earlier,
  }: { readonly job: Selected; readonly repeat: number | undefined; readonly earlier: AttemptFinished[] },
  options: SuiteOptions,
  settings: SuiteSettings,
  inTurn: Turns,
): Promise<AttemptFinished> {
  const rules = retryRules(options, settings);
  const numbered = repeat === undefined ? {} : { repeat };
  for (let attempt = earlier.length + 1; ; attempt += 1) {
    const run = async () => {
      options.emit({
        type: 'attempt-started',
        at: new Date().toISOString(),
        scenarioId: job.scenario.id,
        backend: job.backend,
        attempt,
        ...numbered,
      });
      return { ...(await runAttempt({ ...job, attempt }, settings)), ...numbered };
    };
    const tries = earlier.filter((one) => one.repeat === repeat);
    // A service in trouble gets one retry at a time: all at once would overload it again.
    const afterTrouble = tries.at(-1)?.fault?.whose === 'infrastructure';
    const finished = await (afterTrouble ? inTurn(job.backend, run) : run());
    const pause =
      settings.signal.aborted || options.isBudgetReached(finished)
        ? null
        : decideRetry([...tries, finished], rules);
    const record = pause === null ? finished : { ...finished, retryInSeconds: pause };
    earlier.push(dropEvidence(record));
    options.emit(record);
    if (pause === null) return record;
    await options.pause(pause, settings.signal);
    if (settings.signal.aborted || options.isBudgetReached()) return record;
  }
}

/** Evidence is large, and only the journal needs it. */
function dropEvidence(attempt: AttemptFinished): AttemptFinished {
  return { ...attempt, evidence: null };
}

type Turns = (key: string, work: () => Promise<AttemptFinished>) => Promise<AttemptFinished>;

/** Lets work with the same key run one after the other. */
function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    return turn;
  };
}

function skipped({ scenario, backend }: Selected, skip: Skip): JournalEvent {
  return {
    type: 'scenario-skipped',
    at: new Date().toISOString(),
    scenarioId: scenario.id,
    backend,
    ...skip,
  };
}
