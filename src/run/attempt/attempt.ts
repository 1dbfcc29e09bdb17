import { randomInt } from 'node:crypto';
import { basename, join } from 'node:path';
import * as z from 'zod';
import type { AttemptFinished } from '../../domain/attempt.js';
import { nameChecks, readsOf } from '../../domain/check.js';
import { findUnanswered, UNANSWERED_FILE } from '../../domain/checks/harness.js';
import { recordingFits } from '../../domain/checks/recording.js';
import { isKnownError } from '../../domain/common/known-error.js';
import { stackOf } from '../../domain/common/message-of.js';
import { journalEventSchema } from '../../domain/journal.js';
import type { ScenarioContext } from '../../domain/scenario/arrangement.js';
import { firstOther } from '../../domain/scenario/sample-context.js';
import type { Scenario, ScenarioOf } from '../../domain/scenario/scenario.js';
import { requireArrangement } from '../../domain/scenario/schema.js';
import { type BackendId, LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';
import { makeFolder } from '../../exec/files/make-folder.js';
import { replaceFile } from '../../exec/files/plain-file.js';
import { removeTree } from '../../exec/files/remove-tree.js';
import { redactRecord } from '../../exec/redact/record.js';
import { redactText } from '../../exec/redact.js';
import { executeConversation } from '../../kinds/conversation/execute.js';
import { executeRalph } from '../../kinds/ralph/execute.js';
import type { Attempt, AttemptJob } from '../../lane/job.js';
import type { SuiteSettings } from '../../lane/settings.js';
import type { Executed } from '../../lane/workbench.js';
import { removeWorkspace } from '../../workspace/create-workspace.js';
import { nameAttemptDir } from '../../workspace/runs/runs.js';
import { keyOfJob } from '../planned.js';
import { recordAttempt } from '../recording/record-attempt.js';
import { allChecks, judgeAttempt } from './judge.js';
import { callScenario } from './scenario-code.js';

type AttemptResult = Omit<
  AttemptFinished,
  'type' | 'at' | 'scenarioId' | 'backend' | 'attempt' | 'durationSeconds' | 'artifacts'
>;

/** Runs a scenario once: arranges, runs, collects, judges. A failure of the harness itself becomes an `error`. */
export async function runAttempt(job: AttemptJob, settings: SuiteSettings): Promise<AttemptFinished> {
  const { scenario, backend, attempt } = job;
  const startedAt = performance.now();
  const artifacts = nameAttemptDir(settings.run, scenario.id, backend, job.variant?.name ?? attempt);
  const result = await carryOutAttempt(job, artifacts, settings).catch((error) =>
    settings.signal.aborted ? INTERRUPTED : harnessError(describeError(error)),
  );
  return checkRecord({
    type: 'attempt-finished',
    at: new Date().toISOString(),
    scenarioId: scenario.id,
    backend,
    attempt,
    durationSeconds: (performance.now() - startedAt) / 1000,
    artifacts,
    ...result,
  });
}

/** Runs a changed scenario beside the tests of a run. Nobody looks at its workspace afterwards. */
export async function runAside(
  job: Omit<AttemptJob, 'attempt'>,
  { onOutput: _, ...settings }: SuiteSettings,
): Promise<AttemptFinished> {
  const finished = await runAttempt({ ...job, attempt: 1 }, settings);
  if (finished.workspace !== null) await removeWorkspace(settings.root, basename(finished.workspace));
  return finished;
}

/** Turns a record that could not be read back into an error: one bad record would cost the whole report. */
function checkRecord(finished: AttemptFinished): AttemptFinished {
  const parsed = journalEventSchema.safeParse(finished);
  if (parsed.success) return finished;
  const why = `the record of this attempt does not fit the journal: ${z.prettifyError(parsed.error)}`;
  return { ...finished, ...harnessError(why) };
}

async function carryOutAttempt(
  job: AttemptJob,
  artifacts: string,
  settings: SuiteSettings,
): Promise<AttemptResult> {
  const { backend, second } = job;
  const replay = settings.replays?.get(keyOfJob(job));
  if (replay?.kind === 'cannot') throw new Error(`${job.scenario.id}: ${replay.why}`);
  const scenario = replay === undefined ? job.scenario : { ...job.scenario, agent: replay.script };
  const lowest = job.variant?.largeNumbers ? { lowest: 500 } : {};
  const context = replay?.context ?? drawContext(backend, settings.lane, { second, ...lowest });
  const { nonce, numbers } = context;
  const home = join(artifacts, 'home');
  try {
    await makeFolder(home);
    const fits = replay === undefined ? [] : nameChecks({ recordingFits: recordingFits() });
    const checks = [...callScenario(() => allChecks(scenario, context)), ...fits];
    const asks = readsOf(checks);
    const attempt = {
      job: { ...job, scenario, second: context.second, asks },
      places: { artifacts, home },
      settings,
    };
    const executed = await execute(attempt, context);
    const { evidence, secrets, workspace } = executed;
    await replaceFile(join(artifacts, 'evidence.json'), `${JSON.stringify(evidence, null, 2)}\n`);
    const { unanswered } = findUnanswered(evidence) ?? {};
    if (unanswered !== undefined) await replaceFile(join(artifacts, UNANSWERED_FILE), unanswered);
    const drawn = { nonce, numbers, second: context.second };
    if (evidence.exit.kind === 'interrupted') {
      return { ...INTERRUPTED, evidence, drawn, workspace: workspace.path };
    }
    const recorded = LANE_TRAITS[settings.lane].costsMoney
      ? await recordAttempt(attempt, context, executed)
      : {};
    const known = { drawn, ...recorded };
    try {
      const isReplay = replay !== undefined;
      const view = { ...settings, lane: context.lane, isReplay };
      const judged = await redactRecord(judgeAttempt(scenario, checks, evidence, view), secrets);
      const keep = judged.outcome !== 'passed' || settings.keepWorkspace;
      if (!keep) await removeWorkspace(settings.root, workspace.name);
      return {
        ...judged,
        ...known,
        evidence,
        error: null,
        interrupted: false,
        workspace: keep ? workspace.path : null,
      };
    } catch (error) {
      // The agent was called and paid, whatever the scenario's own code does after that.
      return {
        ...harnessError(redactText(describeError(error), secrets)),
        ...known,
        evidence,
        workspace: workspace.path,
      };
    }
  } finally {
    // The agent may have left folders that cannot be deleted. That is no reason to lose the result.
    await removeTree(home).catch(() => {});
  }
}

/** Runs what the scenario arranges, by its kind. */
function execute(attempt: Attempt, context: ScenarioContext): Promise<Executed> {
  const { scenario } = attempt.job;
  switch (scenario.kind) {
    case 'ralph':
      return executeRalph(
        attempt,
        callScenario(() => arrange(scenario, context)),
      );
    case 'conversation':
      return executeConversation(
        attempt,
        callScenario(() => arrange(scenario, context)),
      );
    default:
      return scenario satisfies never;
  }
}

/** Asks the scenario what it arranges. It is checked again here: the answer may differ from the rehearsal's. */
function arrange<Plan>(scenario: ScenarioOf<Scenario['kind'], Plan>, context: ScenarioContext): Plan {
  const plan = scenario.arrange(context);
  requireArrangement(scenario, plan);
  return plan;
}

function harnessError(error: string): AttemptResult {
  return {
    outcome: 'error',
    checks: [],
    quality: [],
    evidence: null,
    error,
    interrupted: false,
    workspace: null,
  };
}

const INTERRUPTED: AttemptResult = { ...harnessError('interrupted by the user'), interrupted: true };

/** Describes a known error by its message, and a bug of ours by its stack. */
function describeError(error: unknown): string {
  if (isKnownError(error))
    return error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
  return stackOf(error);
}

/** Draws an integer from `low` (inclusive) to `high` (exclusive). */
type Draw = (low: number, high: number) => number;

interface DrawOptions {
  readonly draw?: Draw;
  /** The second backend of the run. */
  readonly second?: BackendId | undefined;
  /** The smallest number to draw. */
  readonly lowest?: number;
}

/** Draws the random word and numbers of an attempt. */
export function drawContext(
  backend: BackendId,
  lane: Lane,
  { draw = randomInt, lowest = 100, second = firstOther(backend) }: DrawOptions = {},
): ScenarioContext {
  for (;;) {
    const nonce = drawNonce(draw);
    const numbers = [draw(lowest, 1000), draw(lowest, 1000), draw(lowest, 1000)] as const;
    if (tellApart(nonce, numbers)) return { backend, lane, second, nonce, numbers };
  }
}

function drawNonce(draw: Draw): string {
  const letters = Array.from({ length: 6 }, () => String.fromCharCode(97 + draw(0, 26))).join('');
  return `${letters}${draw(1000, 10_000)}`;
}

/**
 * Whether all numbers and sums differ and none is in the nonce. Once in hundreds of runs they would not: equal numbers
 * would fail a scenario (one id for two memories), and a sum inside the prompt would let an agent pass that echoes it.
 */
function tellApart(nonce: string, [a, b, c]: ScenarioContext['numbers']): boolean {
  const telling = [a, b, c, a + b, a + c, b + c, a + b + c];
  return (
    new Set(telling).size === telling.length && !telling.some((number) => nonce.includes(String(number)))
  );
}
