import type { Target } from '../../domain/attempt.js';
import { FORMATS } from '../../domain/common/formats.js';
import { joinParts } from '../../domain/joined-parts.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { Diagnosis, RunFacts } from '../../domain/report/analysis.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import type { Analysis } from '../../domain/report/run-analysis.js';
import { decideVerdict } from '../../domain/report/verdict.js';
import { type MergedExecution, mergeAttempts, wasInterrupted } from '../../domain/results/merge-attempts.js';
import { sumRepeats } from '../../domain/results/repeats.js';
import { isFailure, LANE_TRAITS } from '../../domain/vocabulary.js';
import { goOnCommand, suggestCommands } from './commands.js';
import { describeResult, needsDiagnosis } from './describe-result.js';
import {
  countBy,
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
} from './describe-run.js';
import { describeHistory } from './history.js';
import { describeVerdict, type Unjudged } from './verdict.js';

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
  const surroundings = { ...run, call: started, examined, arms, analysis };
  const described = executions.map((execution) =>
    describeResult(execution, diagnoses.get(execution) ?? null, surroundings),
  );
  const results = forgetRemoved(described, finished, folder);
  const excuses = analysis?.findExcuses(executions.filter(needsDiagnosis));
  const counts = countOutcomes(results);

  const unjudged: Unjudged = {
    format: FORMATS.report.format,
    run_id: started.runId,
    timestamp: started.at,
    duration_seconds: finished?.durationSeconds ?? sumDurations(results),
    harness_version: started.harnessVersion,
    ralph_version: describeVersion(started.target),
    target: started.target,
    lane: started.lane,
    // Both follow from the rest.
    ...{ passed: false, verdict: '' },
    run_errors: events.flatMap((event) =>
      event.type === 'journal-changed' ? [describeTampering(event)] : [],
    ),
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
    backends_untested: findUntested(started, results, { interrupted }),
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
      by_tier: countBy(results, 'tier'),
      by_backend: countBy(results, 'backend'),
    },
    analyst: describeAnalyst(events),
    // What an interrupted attempt cost was paid, although the attempt does not count.
    spending: describeSpending(recorded, results),
    repeat: sumRepeats(results, started.repeat),
    causes: describeCauses(executions, diagnoses, analysis),
    results,
    kept_workspaces: placeWorkspaces(finished, folder),
    recommendations: [...(analysis?.recommend(results, run) ?? [])],
    rationalizations: [...(excuses?.rationalizations ?? [])],
    loopholes: [...(excuses?.loopholes ?? [])],
    proof: events.findLast((event) => event.type === 'proof-known')?.proof ?? null,
    quick_fix_commands: suggestCommands(results, started),
    artifacts: listArtifacts(results),
  };
  const passed = decideVerdict(unjudged) === 'passed';
  const report = { ...unjudged, passed, verdict: describeVerdict(unjudged, started.planned) };
  return { ...report, history: describeHistory(events, report) };
}

/** Says why the run as a whole has no verdict. */
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

function describeAnalyst(events: readonly JournalEvent[]): Report['analyst'] {
  const record = events.findLast((event) => event.type === 'analysis-finished');
  if (record === undefined) return null;
  const { outcome, by, backend, durationSeconds, notes, answer } = record;
  return { outcome, by, backend, duration_seconds: durationSeconds, notes, answer };
}

type Diagnoses = ReadonlyMap<MergedExecution, Diagnosis>;

function diagnoseAll(
  executions: readonly MergedExecution[],
  run: RunFacts,
  analysis: Analysis | undefined,
): Diagnoses {
  const troubled = executions.filter(needsDiagnosis);
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
    .filter(([execution]) => isFailure(execution))
    .map(([execution, diagnosis]) => ({ execution, diagnosis }));
  const passed = executions.filter(({ outcome }) => outcome === 'passed');
  return [...(analysis?.listCauses(failed, passed) ?? [])];
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
