import { join } from 'node:path';
import { ensureDir, outputJson } from 'fs-extra/esm';
import * as z from 'zod';
import { type Check, judgeAll } from '../domain/check.js';
import { endedByItself, nothingLeftBehind, scriptAnswered } from '../domain/checks/index.js';
import { type AttemptFinished, journalEventSchema } from '../domain/journal.js';
import { KnownError } from '../domain/known-error.js';
import type { Scenario, ScenarioContext } from '../domain/scenario.js';
import type { BackendId } from '../domain/vocabulary.js';
import { removeWorkspace } from '../workspace/create-workspace.js';
import { removeTree } from '../workspace/remove-tree.js';
import { attemptDir } from '../workspace/runs.js';
import { drawContext } from './draw-context.js';
import { executeRalph } from './execute-ralph.js';
import type { SuiteSettings } from './settings.js';

export interface AttemptJob {
  readonly scenario: Scenario;
  readonly backend: BackendId;
  readonly attempt: number;
}

type AttemptResult = Pick<AttemptFinished, 'outcome' | 'checks' | 'evidence' | 'error' | 'workspace'>;

/** Runs a scenario once: arrange, run, collect, judge. Whatever goes wrong in the harness itself is an `error`. */
export async function runAttempt(job: AttemptJob, settings: SuiteSettings): Promise<AttemptFinished> {
  const { scenario, backend, attempt } = job;
  const startedAt = performance.now();
  const artifacts = await attemptDir(settings.run, scenario.id, backend, attempt);
  const result = await judgeAttempt(job, artifacts, settings).catch((error) =>
    harnessError(settings.signal.aborted ? INTERRUPTED : describeError(error)),
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

/** A record that the journal cannot be read back with would cost the whole report: better one error. */
function checkRecord(finished: AttemptFinished): AttemptFinished {
  const parsed = journalEventSchema.safeParse(finished);
  if (parsed.success) return finished;
  const why = `what the run left does not fit the journal: ${z.prettifyError(parsed.error)}`;
  return { ...finished, ...harnessError(why) };
}

async function judgeAttempt(
  job: AttemptJob,
  artifacts: string,
  settings: SuiteSettings,
): Promise<AttemptResult> {
  const { scenario, backend } = job;
  const context = drawContext(backend, settings.lane);
  const home = join(artifacts, 'home');
  await ensureDir(home);
  try {
    const { evidence, workspace } = await executeRalph(
      job,
      scenario.arrange(context),
      { artifacts, home },
      settings,
    );
    await outputJson(join(artifacts, 'evidence.json'), evidence, { spaces: 2 });
    if (evidence.exit.kind === 'interrupted') {
      return { ...harnessError(INTERRUPTED), evidence, workspace: workspace.path };
    }
    const checks = judgeAll(allChecks(scenario, context), evidence);
    const passed = checks.every((check) => check.passed);
    const keep = !passed || settings.keepWorkspace;
    if (!keep) await removeWorkspace(settings.root, workspace.name);
    return {
      outcome: passed ? 'passed' : 'failed',
      checks,
      evidence,
      error: null,
      workspace: keep ? workspace.path : null,
    };
  } finally {
    // The agent may have left folders that cannot be deleted: no reason to lose the result.
    await removeTree(home).catch(() => {});
  }
}

/** What a scenario expects, and what every scenario is held to. */
function allChecks(scenario: Scenario, context: ScenarioContext): Check[] {
  const offline = context.lane === 'live' ? [] : [scriptAnswered()];
  return [...scenario.expect(context), endedByItself(), nothingLeftBehind(), ...offline];
}

const INTERRUPTED = 'interrupted by the user';

function harnessError(error: string): AttemptResult {
  return { outcome: 'error', checks: [], evidence: null, error, workspace: null };
}

/** A known error in its own words; anything else is a bug of ours, and its stack is what finds it. */
function describeError(error: unknown): string {
  if (error instanceof KnownError)
    return error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
