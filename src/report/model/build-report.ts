import { type AttemptFinished, isInconclusive, type Planned, type Target } from '../../domain/attempt.js';
import type { CheckResult } from '../../domain/check.js';
import { FORMATS } from '../../domain/common/formats.js';
import type { Fault } from '../../domain/fault.js';
import { joinParts } from '../../domain/joined-parts.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { Diagnosis, RunFacts } from '../../domain/report/analysis.js';
import { compareArms } from '../../domain/report/rates/baseline.js';
import type {
  Report,
  ReportAssertion,
  ReportFault,
  ReportProof,
  ReportResult,
} from '../../domain/report/report.js';
import type { Analysis } from '../../domain/report/run-analysis.js';
import { type MergedExecution, mergeAttempts, wasInterrupted } from '../../domain/results/merge-attempts.js';
import { sumRepeats } from '../../domain/results/repeats.js';
import { groupTitle, LANE_TRAITS } from '../../domain/vocabulary.js';
import { headAndTail } from '../text/fit.js';
import { goOnCommand, repeatCommand, suggestCommands } from './commands.js';
import { describeContext, describeLogLine } from './context.js';
import {
  countByBackend,
  countByTier,
  countOutcomes,
  countQuality,
  describeMergedShards,
  describeOrigin,
  describePart,
  describeSpending,
  findUntested,
  forgetRemoved,
  listArtifacts,
  placeWorkspaces,
  sumAttempts,
} from './describe-run.js';
import { describeHistory } from './history.js';
import { describeVerdict } from './verdict.js';

/** Builds the report of a run from only its journal. `analysis` judges the results; without it they are not judged. */
export function buildReport(recorded: readonly JournalEvent[], analysis?: Analysis): Report {
  const events = joinParts(recorded);
  const started = events.find((event) => event.type === 'run-started') ?? NOT_STARTED;
  const finished = events.findLast((event) => event.type === 'run-finished');
  const run: RunFacts = {
    target: started.target,
    lane: started.lane,
    // What a replay plays is what a model did.
    agentIsHonest: LANE_TRAITS[started.lane].hasScript && started.origin?.kind !== 'replay',
  };
  const interrupted = wasInterrupted(events);
  const executions = mergeAttempts(events);
  const diagnoses = diagnoseAll(executions, run, analysis);
  const examined = events.filter((event) => event.type === 'cause-examined');
  const arms = events.filter((event) => event.type === 'baseline-finished');
  const folder = started.environment.workspace;
  const described = describeResults(
    executions,
    diagnoses,
    { ...run, call: started, examined, arms },
    analysis,
  );
  const results = forgetRemoved(described, finished, folder);
  const excuses = analysis?.findExcuses(executions.filter(isTroubled));
  const counts = countOutcomes(results);
  const runErrors = findRunErrors(events);
  const untested = findUntested(started, results, { interrupted });
  const sound = counts.total > 0 && counts.failed === 0 && counts.errors === 0;
  // What an interrupted attempt cost was paid, although the attempt does not count.
  const spending = describeSpending(recorded, results);
  const repeat = sumRepeats(results, started.repeat);
  const open = repeat === null ? 0 : repeat.incomplete + repeat.defects;
  const everyTestRan = !results.some(({ skip_cause }) => skip_cause?.kind === 'run-ended');
  const complete = untested.length === 0 && (spending?.not_run ?? 0) === 0 && open === 0 && everyTestRan;
  const healthy = sound && runErrors.length === 0 && complete;

  const report = {
    format: FORMATS.report.format,
    run_id: started.runId,
    timestamp: started.at,
    duration_seconds: finished?.durationSeconds ?? sumDurations(results),
    harness_version: started.harnessVersion,
    ralph_version: describeVersion(started.target),
    target: started.target,
    lane: started.lane,
    passed: healthy && !interrupted,
    verdict: describeVerdict(counts, {
      ...started,
      interrupted,
      runErrors,
      untested,
      results,
      spending,
      repeat,
    }),
    run_errors: runErrors,
    interrupted,
    resumed: describeResumed(events),
    origin: describeOrigin(started, results),
    shard: describePart(started),
    shards: describeMergedShards(started),
    resume_command: interrupted ? goOnCommand(started) : null,
    backends_tested: started.backends.map(({ backend, version, available, authentication, reason }) => ({
      backend,
      version,
      available,
      authenticated: authentication?.authenticated ?? null,
      authentication_source: authentication?.source ?? null,
      reason,
    })),
    backends_named: started.named ?? [],
    backends_untested: untested,
    environment: {
      os: started.environment.os,
      node: started.environment.node,
      ralph_binary: started.target.path,
      workspace: started.environment.workspace,
      started_in: started.environment.startedIn,
      env_vars: started.environment.credentialVariables,
      inherited: started.environment.inherited,
      isolation: started.environment.isolation ?? 'host',
      containment: started.environment.containment ?? null,
    },
    summary: {
      ...counts,
      quality_breakdown: countQuality(results),
      by_tier: countByTier(results),
      by_backend: countByBackend(results),
    },
    analyst: describeAnalyst(events),
    spending,
    repeat,
    causes: describeCauses(executions, diagnoses, analysis),
    results,
    kept_workspaces: placeWorkspaces(finished, folder),
    recommendations: [...(analysis?.recommend(results, run) ?? [])],
    rationalizations: [...(excuses?.rationalizations ?? [])],
    loopholes: [...(excuses?.loopholes ?? [])],
    proof: describeProof(events),
    quick_fix_commands: suggestCommands(results, started),
    artifacts: listArtifacts(results),
  };
  return { ...report, history: describeHistory(events, report) };
}

/** Finds errors that take away the verdict of the whole run. */
function findRunErrors(events: readonly JournalEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'journal-changed' ? [describeTampering(event)] : []));
}

function describeTampering({ what, found }: Extract<JournalEvent, { type: 'journal-changed' }>): string {
  switch (what) {
    case undefined:
      return `the journal was changed while the run went on: ${found}. This report rests on what the harness saw`;
    case 'journal-later':
      return `the journal was changed after it was written: ${found}`;
    case 'journal-unwritten':
      return `the journal could not be written: ${found}`;
    case 'target':
      return `the Ralph under test was changed while the run went on: ${found}`;
    case 'earlier-runs':
      return `earlier runs were changed while the run went on: ${found}`;
    default:
      return what satisfies never;
  }
}

function describeResumed(events: readonly JournalEvent[]): Report['resumed'] {
  const parts = events.filter((event) => event.type === 'run-resumed');
  const last = parts.at(-1);
  return last === undefined ? null : { times: parts.length, taken_over: last.takenOver };
}

interface Judged extends MergedExecution {
  readonly diagnosis: Diagnosis | null;
  readonly repeat: string;
  readonly examined: ReportResult['examined'];
  readonly baseline: ReportResult['baseline'];
}

function describeAnalyst(events: readonly JournalEvent[]): Report['analyst'] {
  const record = events.findLast((event) => event.type === 'analysis-finished');
  if (record === undefined) return null;
  const { outcome, by, backend, durationSeconds, notes, answer } = record;
  return { outcome, by, backend, duration_seconds: durationSeconds, notes, answer };
}

type Examined = Extract<JournalEvent, { type: 'cause-examined' }>;
type Arm = Extract<JournalEvent, { type: 'baseline-finished' }>;
type Diagnoses = ReadonlyMap<MergedExecution, Diagnosis>;

function diagnoseAll(
  executions: readonly MergedExecution[],
  run: RunFacts,
  analysis: Analysis | undefined,
): Diagnoses {
  const troubled = executions.filter(isTroubled);
  const found = analysis?.diagnose(troubled, run) ?? [];
  return new Map(
    troubled.flatMap((execution, index) => {
      const diagnosis = found[index];
      return diagnosis === undefined ? [] : [[execution, diagnosis] as const];
    }),
  );
}

function describeCauses(
  executions: readonly MergedExecution[],
  diagnoses: Diagnoses,
  analysis: Analysis | undefined,
): Report['causes'] {
  const failed = [...diagnoses]
    .filter(([{ outcome }]) => outcome === 'failed' || outcome === 'error')
    .map(([execution, diagnosis]) => ({ execution, diagnosis }));
  const passed = executions.filter(({ outcome }) => outcome === 'passed');
  return [...(analysis?.listCauses(failed, passed) ?? [])];
}

function describeResults(
  executions: readonly MergedExecution[],
  diagnoses: Diagnoses,
  run: RunFacts & {
    readonly call: Parameters<typeof repeatCommand>[1];
    readonly examined: readonly Examined[];
    readonly arms: readonly Arm[];
  },
  analysis: Analysis | undefined,
): ReportResult[] {
  return executions.map((execution) => {
    const diagnosis = diagnoses.get(execution) ?? null;
    return describeResult(
      {
        ...execution,
        diagnosis,
        repeat: repeatCommand(execution, run.call),
        examined: findExamined(execution, run.examined),
        baseline: findBaseline(execution, run),
      },
      run,
      analysis,
    );
  });
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

function isTroubled({ outcome }: MergedExecution): boolean {
  return outcome !== 'passed' && outcome !== 'skipped';
}

function describeResult(execution: Judged, run: RunFacts, analysis: Analysis | undefined): ReportResult {
  const { scenarioId, backend, planned, all: attempts, outcome, decisive, repeats } = execution;
  const passed = outcome === 'passed' || outcome === 'flaky';
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
    pressure_factors: (planned?.pressure ?? []).map(({ name, description, why }) => ({
      name,
      description,
      why_pressure: why,
    })),
    quality_criteria: decisive?.quality ?? [],
    error: decisive?.error ?? null,
    assertions: decisive?.checks.map(describeAssertion) ?? [],
    duration_seconds: decisive?.durationSeconds ?? 0,
    harness_seconds: decisive?.evidence
      ? Math.max(0, decisive.durationSeconds - decisive.evidence.durationSeconds)
      : null,
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
    repeat_command: execution.repeat,
    context: decisive?.evidence ? describeContext(decisive.evidence, run.lane) : null,
    examined: execution.examined,
    baseline: execution.baseline,
    diagnosis: execution.diagnosis,
    trace: analysis && isTroubled(execution) ? analysis.trace(execution, run) : null,
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

/** An issue that occurs in one attempt but not in another is not gone. */
function isKnownIssueGone({ planned, all, decisive }: MergedExecution): boolean {
  const issue = planned?.knownIssue ?? null;
  if (issue === null || decisive?.knownIssueGone !== true) return false;
  const shows = ({ checks }: AttemptFinished) =>
    checks.some((check) => !check.passed && issue.breaks.includes(check.key));
  return !all.some(shows);
}

function describeAssertion(check: CheckResult) {
  const { name, about = {}, category, passed, expected, actual, diff, suggestion, promises = [] } = check;
  const key = check.key;
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
    promises: [...promises],
  } satisfies ReportAssertion;
}

function describeProof(events: readonly JournalEvent[]): ReportProof | null {
  const known = events.findLast((event) => event.type === 'proof-known');
  if (known === undefined) return null;
  const { provedAt, scenarios, ...rest } = known.proof;
  return {
    timestamp: provedAt,
    ...rest,
    scenarios: scenarios.map(({ scenarioId, ...counts }) => ({ scenario_id: scenarioId, ...counts })),
  };
}

/** The version of a stand-in is not a version of Ralph. */
function describeVersion({ kind, version }: Target): string {
  return kind === 'real' ? version : `stand-in ${version}`;
}

function sumDurations(results: readonly ReportResult[]): number {
  return results
    .flatMap(({ attempts }) => attempts)
    .reduce((sum, { duration_seconds }) => sum + duration_seconds, 0);
}

/** Replaces the lost first record of a journal. It claims as little as possible. */
const NOT_STARTED = {
  type: 'run-started',
  origin: undefined,
  format: FORMATS.journal.format,
  at: '',
  runId: 'unknown',
  harnessVersion: 'unknown',
  lane: 'sim',
  target: { kind: 'stand-in', path: 'unknown', version: 'unknown' },
  backends: [],
  named: [],
  environment: {
    os: 'unknown',
    node: 'unknown',
    workspace: '',
    startedIn: '',
    credentialVariables: {},
    inherited: [],
    isolation: 'host',
    containment: undefined,
  },
  endedOrphans: [],
  program: ['ralph-e2e'],
  repeatWith: [],
  companions: [],
  planned: [],
  repeat: undefined,
  shard: undefined,
  merged: undefined,
} satisfies JournalEvent;
