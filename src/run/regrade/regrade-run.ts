import type { AttemptFinished, Planned } from '../../domain/attempt.js';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { Origin } from '../../domain/recording/origin.js';
import { gradeAll } from '../../domain/scenario/pressure.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { testLabel } from '../../domain/vocabulary.js';
import { openJournal } from '../../journal/writer.js';
import { acquireLock } from '../../workspace/lock.js';
import { openWorkspaceRoot } from '../../workspace/workspace-root.js';
import { faultIn } from '../attempt/fault.js';
import { allChecks, judge, listExcused } from '../attempt/judge.js';
import { callScenario } from '../attempt/scenario-code.js';
import { startRun } from '../hold-folder.js';
import { lastAttempts } from '../recording/earlier-attempts.js';
import type { RunStarted } from '../resume/whole-journal.js';
import type { FinishedRun } from '../run-options.js';
import { describePlanned } from '../run-suite.js';

/** A run whose evidence is judged again. */
export interface Regraded {
  readonly started: RunStarted;
  readonly records: readonly JournalEvent[];
}

interface RegradeOptions {
  /** Judge only this test. Default: all. */
  readonly test: string | undefined;
  readonly catalogue: readonly Scenario[];
  /** The absolute path of the folder for the report. */
  readonly output: string;
  readonly harnessVersion: string;
  readonly program: readonly string[];
  readonly repeatWith: readonly string[];
  readonly onEvent: (event: JournalEvent) => void;
}

/** Judges the kept evidence of a run with today's checks, and records the result as a run of its own. */
export async function regradeRun<Result>(
  { started, records }: Regraded,
  options: RegradeOptions,
  finish: (run: FinishedRun) => Promise<Result>,
): Promise<Result> {
  const { runId, lane, target } = started;
  const attempts = lastAttempts(records, runId, options.test);
  const jobs = attempts.map((attempt) => ({
    attempt,
    scenario: requireScenarioOf(attempt, options.catalogue),
  }));
  const planned = jobs.map(({ attempt, scenario }) =>
    describePlanned({ scenario, backend: attempt.backend }, { timeoutSeconds: null, target, lane }),
  );
  const origin: Origin = {
    kind: 'regrade',
    runId,
    lane,
    target,
    outcomes: attempts.map(({ scenarioId, backend, outcome }) => ({ scenarioId, backend, outcome })),
    changed: planned.flatMap((test) =>
      hasChanged(test, started) ? [testLabel(test.scenarioId, test.backend)] : [],
    ),
  };
  const root = await openWorkspaceRoot(options.output);
  const lock = await acquireLock(root);
  try {
    const run = await startRun(root);
    const journal = openJournal(run);
    const emit = (event: JournalEvent): void => {
      journal.append(event);
      options.onEvent(event);
    };
    const at = new Date().toISOString();
    const {
      call: _call,
      files: _files,
      budget: _budget,
      lastFailed: _last,
      shuffleSeed: _seed,
      ...same
    } = started;
    const { harnessVersion, program, repeatWith } = options;
    emit({
      ...same,
      ...{ at, runId: run.id, harnessVersion, planned, origin, endedOrphans: [] },
      ...{ program: [...program], repeatWith: [...repeatWith] },
      environment: { ...started.environment, workspace: root.path, startedIn: process.cwd() },
    });
    for (const { attempt, scenario } of jobs) {
      const { scenarioId, backend } = attempt;
      emit({ type: 'attempt-started', at, scenarioId, backend, attempt: 1 });
      emit(regrade(attempt, scenario, started));
    }
    emit({ type: 'run-finished', at, interrupted: false, durationSeconds: 0 });
    await journal.close();
    return await finish({ root, run, records: journal.records });
  } finally {
    lock.release();
  }
}

function requireScenarioOf({ scenarioId }: AttemptFinished, catalogue: readonly Scenario[]): Scenario {
  const scenario = catalogue.find(({ id }) => id === scenarioId);
  if (scenario !== undefined) return scenario;
  throw new KnownError(`The run has a test of ${scenarioId}: expected this scenario, found none.`, {
    hint: 'Name the module that contains it with --scenarios <file>, or update ralph-e2e.',
  });
}

function hasChanged({ scenarioId, backend, hash }: Planned, { planned }: RunStarted): boolean {
  const before = planned.find((test) => test.scenarioId === scenarioId && test.backend === backend);
  return before?.hash !== undefined && before.hash !== hash;
}

/** Judges one attempt again. What it cost was paid before. */
function regrade(attempt: AttemptFinished, scenario: Scenario, run: RunStarted): AttemptFinished {
  const {
    spending: _spending,
    fault: _fault,
    retryInSeconds: _retry,
    knownIssueGone: _gone,
    ...kept
  } = attempt;
  const same = { ...kept, attempt: 1 };
  const { evidence, drawn, backend } = attempt;
  if (evidence === null) return same;
  if (drawn === undefined) return unjudged(same, 'an older ralph-e2e did not record its random values');
  try {
    return {
      ...same,
      error: null,
      ...judgeAgain(scenario, evidence, { ...run, context: { ...drawn, backend } }),
    };
  } catch (error) {
    return unjudged(same, messageOf(error));
  }
}

function unjudged(attempt: AttemptFinished, why: string): AttemptFinished {
  return {
    ...attempt,
    outcome: 'error',
    checks: [],
    quality: [],
    error: `It cannot be judged again: ${why}.`,
  };
}

function judgeAgain(
  scenario: Scenario,
  evidence: Evidence,
  {
    lane,
    target,
    call,
    context,
  }: Pick<RunStarted, 'lane' | 'target' | 'call'> & {
    readonly context: NonNullable<AttemptFinished['drawn']> & Pick<AttemptFinished, 'backend'>;
  },
): Pick<AttemptFinished, 'outcome' | 'checks' | 'quality' | 'fault' | 'knownIssueGone'> {
  const checks = callScenario(() => allChecks(scenario, { ...context, lane }));
  const view = { lane, target, strictKnownIssues: call?.strictKnownIssues ?? false };
  const judged = judge(scenario, checks, evidence, view);
  const quality = callScenario(() => gradeAll(scenario.quality, evidence));
  if (judged.outcome !== 'failed') return { ...judged, quality };
  const facts = { checks: judged.checks, evidence, excused: listExcused(scenario, view) };
  return { ...judged, quality, fault: faultIn({ lane, isReplay: false }, facts) };
}
