import { join } from 'node:path';
import * as z from 'zod';
import type { AttemptFinished } from '../../domain/attempt.js';
import {
  type Check,
  type CheckResult,
  type CommonCheck,
  judgeAll,
  keyOf,
  type NamedCheck,
  nameChecks,
  readsOf,
} from '../../domain/check.js';
import { endedByItself, nothingLeftBehind, recordsAgree, scriptAnswered } from '../../domain/checks/index.js';
import { freezeDeep } from '../../domain/common/freeze-deep.js';
import { isKnownError } from '../../domain/common/known-error.js';
import { stackOf } from '../../domain/common/message-of.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import { journalEventSchema } from '../../domain/journal.js';
import type { ScenarioContext } from '../../domain/scenario/arrangement.js';
import {
  findDifferences,
  isBrokenAsKnown,
  isKnownFor,
  type KnownIssue,
} from '../../domain/scenario/known-issue.js';
import { gradeAll } from '../../domain/scenario/pressure.js';
import type { Scenario, ScenarioOf } from '../../domain/scenario/scenario.js';
import { requireArrangement, requireChecks } from '../../domain/scenario/schema.js';
import { LANE_TRAITS } from '../../domain/vocabulary.js';
import { makeFolder } from '../../exec/files/make-folder.js';
import { replaceFile } from '../../exec/files/plain-file.js';
import { redactRecord } from '../../exec/redact/record.js';
import { redactText } from '../../exec/redact.js';
import { statesKept } from '../../kinds/conversation/checks/context.js';
import { executeConversation } from '../../kinds/conversation/execute.js';
import { executeRalph } from '../../kinds/ralph/execute.js';
import type { Attempt, AttemptJob } from '../../lane/job.js';
import type { SuiteSettings } from '../../lane/settings.js';
import type { Executed } from '../../lane/workbench.js';
import { removeWorkspace } from '../../workspace/create-workspace.js';
import { removeTree } from '../../workspace/remove-tree.js';
import { nameAttemptDir } from '../../workspace/runs/runs.js';
import { drawContext } from './draw-context.js';
import { faultIn } from './fault.js';
import { callScenario } from './scenario-code.js';

type AttemptResult = Pick<
  AttemptFinished,
  | 'outcome'
  | 'fault'
  | 'knownIssueGone'
  | 'checks'
  | 'quality'
  | 'evidence'
  | 'error'
  | 'interrupted'
  | 'workspace'
>;

/** Runs a scenario once: arranges, runs, collects, judges. A failure of the harness itself becomes an `error`. */
export async function runAttempt(job: AttemptJob, settings: SuiteSettings): Promise<AttemptFinished> {
  const { scenario, backend, attempt } = job;
  const startedAt = performance.now();
  const artifacts = nameAttemptDir(settings.run, scenario.id, backend, job.variant?.name ?? attempt);
  const result = await judgeAttempt(job, artifacts, settings).catch((error) =>
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

/** Turns a record that could not be read back into an error: one bad record would cost the whole report. */
function checkRecord(finished: AttemptFinished): AttemptFinished {
  const parsed = journalEventSchema.safeParse(finished);
  if (parsed.success) return finished;
  const why = `the record of this attempt does not fit the journal: ${z.prettifyError(parsed.error)}`;
  return { ...finished, ...harnessError(why) };
}

async function judgeAttempt(
  job: AttemptJob,
  artifacts: string,
  settings: SuiteSettings,
): Promise<AttemptResult> {
  const { scenario, backend, second } = job;
  const lowest = job.variant?.largeNumbers ? { lowest: 500 } : {};
  const context = drawContext(backend, settings.lane, { second, ...lowest });
  const home = join(artifacts, 'home');
  try {
    await makeFolder(home);
    const checks = callScenario(() => allChecks(scenario, context));
    const asks = readsOf(checks);
    const attempt = { job: { ...job, asks }, places: { artifacts, home }, settings };
    const { evidence, secrets, workspace } = await execute(attempt, context);
    await replaceFile(join(artifacts, 'evidence.json'), `${JSON.stringify(evidence, null, 2)}\n`);
    if (evidence.exit.kind === 'interrupted') {
      return { ...INTERRUPTED, evidence, workspace: workspace.path };
    }
    try {
      const { outcome, ...judged } = await redactRecord(judge(scenario, checks, evidence, settings), secrets);
      const keep = outcome !== 'passed' || settings.keepWorkspace;
      if (!keep) await removeWorkspace(settings.root, workspace.name);
      return {
        outcome,
        ...judged,
        ...(outcome === 'failed'
          ? {
              fault: faultIn(settings.lane, {
                checks: judged.checks,
                evidence,
                excused: listExcused(scenario, settings),
              }),
            }
          : {}),
        quality: await redactRecord(
          callScenario(() => gradeAll(scenario.quality, evidence)),
          secrets,
        ),
        evidence,
        error: null,
        interrupted: false,
        workspace: keep ? workspace.path : null,
      };
    } catch (error) {
      // The agent was called and paid, whatever the scenario's own code does after that.
      return {
        ...harnessError(redactText(describeError(error), secrets)),
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

/** Runs the checks and decides the outcome, with known issues of the target taken into account. */
function judge(
  scenario: Scenario,
  declared: readonly NamedCheck[],
  evidence: Evidence,
  { target, lane, strictKnownIssues = false }: SuiteSettings,
): Pick<AttemptResult, 'outcome' | 'checks' | 'knownIssueGone'> {
  // Frozen, because a check that sorts or empties a list would change what later checks see.
  const checks = callScenario(() => judgeAll(declared, freezeDeep(evidence), scenario.promises));
  const broken = checks.filter(({ passed }) => !passed);
  const issue = scenario.knownIssue;
  if (issue === null || !isKnownFor(issue, { version: target.version, lane })) {
    return { outcome: broken.length === 0 ? 'passed' : 'failed', checks };
  }
  if (broken.length === 0) {
    return strictKnownIssues
      ? { outcome: 'failed', checks: [...checks, judgeVanished(issue)], knownIssueGone: true }
      : { outcome: 'passed', checks, knownIssueGone: true };
  }
  const differences = findDifferences(issue, checks, { agentVaries: !LANE_TRAITS[lane].hasScript });
  const known = broken.filter((check) => isBrokenAsKnown(issue, check));
  if (known.length === broken.length && differences.length === 0) return { outcome: 'known-issue', checks };
  const told = broken.some((check) => issue.breaks.includes(keyOf(check))) && differences.length > 0;
  return { outcome: 'failed', checks: told ? [...checks, judgeChanged(issue, differences)] : checks };
}

/** Lists the checks that a known issue of this target breaks. */
function listExcused({ knownIssue }: Scenario, { target, lane }: SuiteSettings): readonly string[] {
  if (knownIssue === null || !isKnownFor(knownIssue, { version: target.version, lane })) return [];
  return knownIssue.breaks;
}

/** Returns the scenario's own checks and the common ones. */
export function allChecks(scenario: Scenario, context: ScenarioContext): NamedCheck[] {
  return [...requireChecks(scenario, scenario.expect(context)), ...commonChecks(scenario, context)];
}

/** Returns the checks that every scenario of this kind has to pass. */
export function commonChecks({ kind }: Scenario, { lane }: ScenarioContext): NamedCheck[] {
  return nameChecks({
    endedByItself: endedByItself(kind === 'ralph' ? 'Ralph' : 'the agent CLI'),
    nothingLeftBehind: nothingLeftBehind(),
    recordsAgree: kind === 'ralph' ? recordsAgree() : undefined,
    scriptAnswered: LANE_TRAITS[lane].hasScript ? scriptAnswered() : undefined,
    statesKept: kind === 'conversation' ? statesKept() : undefined,
  } satisfies Record<CommonCheck, Check | undefined>);
}

/** Fails a known issue that shows in another way than it is known to. */
function judgeChanged({ shows = {}, reason }: KnownIssue, differences: readonly string[]): CheckResult {
  return {
    kind: 'knownIssue',
    name: 'the known issue shows as it is known to',
    category: 'Harness',
    passed: false,
    expected: `${reason}. ${Object.entries(shows)
      .map(([key, shows]) => `${key}: ${shows}`)
      .join('; ')}`,
    actual: differences.join('; '),
    diff: null,
    suggestion:
      'The target breaks the promise in another way than before. If that is not a regression, update `breaks` of the known issue.',
  };
}

/** Fails a known issue that no longer occurs, for `--strict-known-issues`. */
function judgeVanished(issue: KnownIssue): CheckResult {
  return {
    kind: 'knownIssue',
    name: 'the known issue is still there',
    category: 'Harness',
    passed: false,
    expected: `broken up to version ${issue.upTo}: ${issue.reason}`,
    actual: 'every check passed',
    diff: null,
    suggestion: 'The target keeps its promise now: remove knownIssue from the scenario, or lower its upTo.',
  };
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
