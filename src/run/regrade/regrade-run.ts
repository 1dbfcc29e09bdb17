import type { AttemptFinished, Planned } from '../../domain/attempt.js';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { isBrokenOff } from '../../domain/joined-parts.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { Origin } from '../../domain/recording/origin.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { keyOfTest, testLabel } from '../../domain/vocabulary.js';
import { openJournal } from '../../journal/writer.js';
import { acquireLock } from '../../workspace/lock.js';
import { openWorkspaceRoot } from '../../workspace/workspace-root.js';
import { allChecks, judgeAttempt } from '../attempt/judge.js';
import { callScenario } from '../attempt/scenario-code.js';
import { startRun } from '../hold-folder.js';
import { describePlanned } from '../planned.js';
import { lastAttempts, type RecordedRun, requireScenarioOf } from '../recording/earlier-attempts.js';
import type { RunStarted } from '../resume/whole-journal.js';
import type { FinishedRun, RunOptions } from '../run-options.js';

interface RegradeOptions
  extends Pick<RunOptions, 'catalogue' | 'output' | 'harnessVersion' | 'program' | 'repeatWith' | 'onEvent'> {
  /** Judge only this test. Default: all. */
  readonly test: string | undefined;
}

/**
 * Judges the kept evidence of a run with today's checks, and records the result as a run of its own. Everything else that
 * the run recorded stays as it is: its plan, repeats, retries, skips and interrupts decide the verdict as well.
 */
export async function regradeRun<Result>(
  regraded: Omit<RecordedRun, 'run'>,
  options: RegradeOptions,
  finish: (run: FinishedRun) => Promise<Result>,
): Promise<Result> {
  const { started, records } = regraded;
  requireOriginal(started);
  const last = lastAttempts(records, started.runId, options.test);
  const chosen = new Set(last.map(keyOfTest));
  const isChosen = (test: Parameters<typeof keyOfTest>[0]) =>
    options.test === undefined || chosen.has(keyOfTest(test));
  const scenarios = new Map(
    last.map((attempt) => [attempt.scenarioId, requireScenarioOf(attempt, started.runId, options.catalogue)]),
  );
  const planned = started.planned.filter(isChosen).map((test) => replan(test, scenarios, started));
  const events = records.slice(1).flatMap((event): JournalEvent[] => {
    if ('scenarioId' in event && !isChosen(event)) return [];
    // Workspaces belong to the run that made them, and a later run may have removed them.
    if (event.type === 'run-finished') return [{ ...event, workspaces: { own: [], earlier: [] } }];
    const scenario = event.type === 'attempt-finished' ? scenarios.get(event.scenarioId) : undefined;
    return event.type === 'attempt-finished' && scenario !== undefined
      ? [regrade(event, scenario, started)]
      : [event];
  });
  const root = await openWorkspaceRoot(options.output);
  const lock = await acquireLock(root);
  try {
    const run = await startRun(root);
    const journal = openJournal(run);
    const { call: _call, files: _files, ...same } = started;
    const { harnessVersion, program, repeatWith } = options;
    const first: JournalEvent = {
      ...same,
      ...{ runId: run.id, harnessVersion, planned, endedOrphans: [] },
      origin: describeOrigin(regraded, last, planned),
      ...{ program: [...program], repeatWith: [...repeatWith] },
      environment: { ...started.environment, workspace: root.path, startedIn: process.cwd() },
    };
    for (const event of [first, ...events]) {
      journal.append(event);
      options.onEvent(event);
    }
    await journal.close();
    return await finish({ root, run, records: journal.records });
  } finally {
    lock.release();
  }
}

/** A divergence of a replay is not in its evidence, so judging it again could turn it green. */
function requireOriginal({ runId, origin }: RunStarted): void {
  if (origin === undefined) return;
  throw new KnownError(
    `Run ${runId} is a ${origin.kind}: expected a run of its own, found one that repeats ${origin.runId}.`,
    {
      hint: 'Regrade that run instead.',
    },
  );
}

/** Describes a test as it would be planned today. A test of which nothing is judged stays as it was. */
function replan(
  test: Planned,
  scenarios: ReadonlyMap<string, Scenario>,
  { target, lane, call }: RunStarted,
): Planned {
  const scenario = scenarios.get(test.scenarioId);
  if (scenario === undefined) return test;
  const { backend } = test;
  return describePlanned(
    { scenario, backend },
    { timeoutSeconds: call?.timeoutSeconds ?? null, target, lane },
  );
}

function describeOrigin(
  { started, source }: Pick<RecordedRun, 'started' | 'source'>,
  last: readonly AttemptFinished[],
  planned: readonly Planned[],
): Origin {
  const { runId, lane, target } = started;
  return {
    ...{ kind: 'regrade', runId, source, isSingle: false, lane, target },
    outcomes: last.map(({ scenarioId, backend, outcome }) => ({ scenarioId, backend, outcome })),
    changed: planned.flatMap((test) =>
      hasChanged(test, started) ? [testLabel(test.scenarioId, test.backend)] : [],
    ),
  };
}

function hasChanged({ scenarioId, backend, hash }: Planned, { planned }: RunStarted): boolean {
  const before = planned.find((test) => test.scenarioId === scenarioId && test.backend === backend);
  return before?.hash !== undefined && before.hash !== hash;
}

/** Judges one attempt again. An attempt without evidence, or one that was interrupted, stays as it is. */
function regrade(
  attempt: AttemptFinished,
  scenario: Scenario,
  { lane, target }: RunStarted,
): AttemptFinished {
  const { evidence, drawn, backend } = attempt;
  if (evidence === null || drawn === undefined || isBrokenOff(attempt)) return attempt;
  const { fault: _fault, knownIssueGone: _gone, knownIssueLasts: _lasts, ...kept } = attempt;
  try {
    const checks = callScenario(() => allChecks(scenario, { ...drawn, backend, lane }));
    return { ...kept, error: null, ...judgeAttempt(scenario, checks, evidence, { lane, target }) };
  } catch (error) {
    return unjudged(attempt, messageOf(error));
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
