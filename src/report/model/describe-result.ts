import { type AttemptFinished, isInconclusive, type Planned } from '../../domain/attempt.js';
import type { CheckResult } from '../../domain/check.js';
import type { Fault } from '../../domain/fault.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { Diagnosis, RunFacts } from '../../domain/report/analysis.js';
import { compareArms } from '../../domain/report/rates/baseline.js';
import type { ReportCheck, ReportFault, ReportResult } from '../../domain/report/result.js';
import type { Analysis } from '../../domain/report/run-analysis.js';
import type { MergedExecution } from '../../domain/results/merge-attempts.js';
import { headAndTail } from '../../domain/text/fit.js';
import { groupTitle, LANE_TRAITS } from '../../domain/vocabulary.js';
import { repeatCommand } from './commands.js';
import { describeContext, describeLogLine } from './context.js';
import { sumAttempts } from './describe-run.js';

type Examined = Extract<JournalEvent, { type: 'cause-examined' }>;
type Arm = Extract<JournalEvent, { type: 'baseline-finished' }>;

/** What a result takes from the run around it. */
export interface ResultSurroundings extends RunFacts {
  readonly call: Parameters<typeof repeatCommand>[1];
  readonly examined: readonly Examined[];
  readonly arms: readonly Arm[];
  readonly analysis: Analysis | undefined;
}

/** Whether a test did not simply pass. */
export function needsDiagnosis({ outcome }: Pick<ReportResult, 'outcome'>): boolean {
  return outcome !== 'passed' && outcome !== 'skipped';
}

/** Describes what became of one test. */
export function describeResult(
  execution: MergedExecution,
  diagnosis: Diagnosis | null,
  run: ResultSurroundings,
): ReportResult {
  const { analysis, lane } = run;
  const { scenarioId, backend, planned, all: attempts, outcome, decisive, repeats } = execution;
  const passed = outcome === 'passed' || outcome === 'flaky';
  const evidence = decisive?.evidence;
  return {
    scenario_id: scenarioId,
    scenario_description: planned?.description ?? '',
    scenario_hash: planned?.hash ?? null,
    backend,
    tier: planned ? groupTitle(planned) : 'Tier unknown',
    placed: planned?.placed ?? true,
    priority: planned?.priority ?? 'must',
    phase: planned?.phase ?? 'green',
    covers: planned?.covers ?? [],
    outcome,
    passed,
    fault: outcome === 'failed' ? describeFault(decisive?.fault) : null,
    // A threshold is the user's own rule: a rate below it is a failure, whoever caused it.
    inconclusive:
      outcome === 'failed' && decisive !== null && isInconclusive(decisive) && !repeats?.below_threshold,
    repeats,
    skip_reason: execution.skipReason,
    skip_cause: execution.skipCause,
    known_issue: describeKnownIssue(planned),
    known_issue_gone: isKnownIssueGone(execution),
    ...describeLasts(decisive),
    pressure_factors: (planned?.pressure ?? []).map(({ name, description, why }) => ({
      name,
      description,
      why_pressure: why,
    })),
    quality_criteria: decisive?.quality ?? [],
    error: decisive?.error ?? null,
    // Made when they are read: for ten thousand results, they take more memory than everything else.
    get assertions() {
      return decisive?.checks.map(describeCheck) ?? [];
    },
    duration_seconds: decisive?.durationSeconds ?? 0,
    harness_seconds: evidence ? Math.max(0, decisive.durationSeconds - evidence.durationSeconds) : null,
    attempts: attempts.map((attempt) => ({
      attempt: attempt.attempt,
      repeat: attempt.repeat ?? null,
      outcome: attempt.outcome,
      duration_seconds: attempt.durationSeconds,
      artifacts: attempt.artifacts,
      error: attempt.error,
      failed_assertions: attempt.checks.filter((check) => !check.passed).map(({ name }) => `${name}`),
      fault: describeFault(attempt.fault),
    })),
    artifacts: decisive?.artifacts ?? null,
    // Attempts share a folder that each one re-creates: its content belongs to the last one.
    workspace: decisive === attempts.at(-1) ? (decisive?.workspace ?? null) : null,
    spending: sumAttempts(attempts),
    repeat_command: repeatCommand(execution, run.call),
    get context() {
      return evidence ? describeContext(evidence, lane) : null;
    },
    examined: findExamined(execution, run.examined),
    baseline: findBaseline(execution, run),
    diagnosis,
    trace: analysis && needsDiagnosis(execution) ? analysis.trace(execution, run) : null,
    analysis: passed && analysis ? analysis.assess(execution, run) : null,
  };
}

function describeFault(fault: Fault | undefined): ReportFault | null {
  return fault === undefined
    ? null
    : { whose: fault.whose, because: fault.because, trouble: fault.trouble ?? null };
}

function describeKnownIssue(planned: Planned | null): ReportResult['known_issue'] {
  if (!planned?.knownIssue) return null;
  const { upTo, reason, link } = planned.knownIssue;
  return { up_to: upTo, reason, link };
}

function describeLasts(decisive: AttemptFinished | null): Pick<ReportResult, 'known_issue_lasts'> {
  const { upTo, version } = decisive?.knownIssueLasts ?? {};
  return upTo === undefined || version === undefined ? {} : { known_issue_lasts: { up_to: upTo, version } };
}

/** An issue that occurs in one attempt but not in another is not gone. */
function isKnownIssueGone({ planned, all, decisive }: MergedExecution): boolean {
  const issue = planned?.knownIssue ?? null;
  if (issue === null || decisive?.knownIssueGone !== true) return false;
  const shows = ({ checks }: AttemptFinished) =>
    checks.some((check) => !check.passed && issue.breaks.includes(check.key));
  return !all.some(shows);
}

const NOTHING = {};
const NO_PROMISES: ReportCheck['promises'] = [];

function describeCheck({ key, name, about = NOTHING, category, passed, ...check }: CheckResult): ReportCheck {
  const { expected, actual, diff, suggestion, promises = [] } = check;
  return {
    key,
    name: `${name}`,
    about,
    category,
    passed,
    expected: `${expected}`,
    actual: `${actual}`,
    diff,
    suggestion,
    // Earlier builds kept them for passed checks, too.
    promises: passed ? NO_PROMISES : [...promises],
  };
}

function findBaseline(
  { scenarioId, backend, decisive }: MergedExecution,
  { arms, lane }: { readonly arms: readonly Arm[]; readonly lane: RunFacts['lane'] },
): ReportResult['baseline'] {
  const arm = arms.findLast((event) => event.scenarioId === scenarioId && event.backend === backend);
  return arm === undefined || decisive === null ? null : compareArms(decisive, arm, LANE_TRAITS[lane]);
}

const MOST_EXAMINED_LINES = 80;

function findExamined(
  { scenarioId, backend }: MergedExecution,
  all: readonly Examined[],
): ReportResult['examined'] {
  const found = all.find((event) => event.scenarioId === scenarioId && event.backend === backend);
  if (found === undefined) return null;
  const { kept } = headAndTail(found.log, MOST_EXAMINED_LINES);
  return { recurred: found.recurred, log: kept.map(describeLogLine), artifacts: found.artifacts };
}
