import type { ChalkInstance } from 'chalk';
import { type AttemptFinished, isInconclusive, type Target } from '../../domain/attempt.js';
import { listedName } from '../../domain/backends.js';
import type { CheckResult } from '../../domain/check.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import { describeStopped } from '../../domain/evidence/isolation.js';
import type { Readiness } from '../../domain/evidence/readiness.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { FailureCause } from '../../domain/report/failure-cause.js';
import type { HistoryEntry } from '../../domain/report/history.js';
import type { LastFailed } from '../../domain/report/last-failed.js';
import type { Report } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';
import { groupSkips } from '../model/skips.js';
import { cleanText, oneLine } from '../text/safe-text.js';
import { quoteCommand } from '../text/shell.js';
import { countCauses, sourcesOf } from '../words/cause-words.js';
import { describeGone, isGoodNews } from '../words/failure-words.js';
import { countBroken, describeFault, describeResultFault, INCONCLUSIVE_MARK } from '../words/fault-words.js';
import { describeCost, formatUsd } from '../words/money-words.js';
import { countOf, describeMissingRalph, formatDuration, laneMeaning } from '../words/words.js';

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;
interface Style {
  readonly chalk: ChalkInstance;
  readonly verbose: boolean;
  /** The maximum number of assertions shown per test; all by default. */
  readonly assertions?: number;
}

const RULE = '━'.repeat(26);

/** Renders what is tested, how, and with which backends. */
export function renderRunHeader(run: RunStarted, chalk: ChalkInstance): string[] {
  return [
    '',
    chalk.bold(`🧪 E2E Test Harness v${oneLine(run.harnessVersion, 40)}`),
    RULE,
    '',
    ...describeTarget(run.target, chalk),
    `Lane: ${run.lane} (${laneMeaning(run.lane)})`,
    ...describeIsolation(run.environment.isolation),
    ...run.backends.flatMap((backend) => describeBackend(backend)),
    ...describeOrphans(run.endedOrphans),
    ...renderChoice(run),
    '',
    describePlan(run),
  ];
}

/** Renders what runs if earlier runs decided it, and the seed of a shuffled run. */
export function renderChoice({ shuffleSeed, lastFailed }: RunStarted): string[] {
  return [
    ...(lastFailed === undefined ? [] : describeLastFailed(lastFailed)),
    ...(shuffleSeed === undefined ? [] : [`Order: shuffled, --shuffle ${shuffleSeed} repeats it`]),
  ];
}

const SHOWN_RUNS = 4;

function describeLastFailed({ runs, unreadable }: LastFailed): string[] {
  const countIn = (counted: LastFailed['runs']) =>
    counted.reduce((sum, { failed, inconclusive = 0, notRun }) => sum + failed + inconclusive + notRun, 0);
  const shown = runs.slice(-SHOWN_RUNS).map(({ runId, failed, inconclusive = 0, notRun }) => {
    const counts = [
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(inconclusive > 0 ? [`${inconclusive} inconclusive`] : []),
      ...(notRun > 0 ? [`${notRun} not run`] : []),
    ];
    return `${counts.join(', ')} in ${oneLine(runId, 80)}`;
  });
  const earlier = runs.slice(0, -SHOWN_RUNS);
  const rest =
    earlier.length === 0 ? [] : [`${countIn(earlier)} in ${countOf(earlier.length, 'earlier run')}`];
  return [
    `Last failed: ${countOf(countIn(runs), 'test')}: ${[...rest, ...shown].join('; ')}`,
    ...unreadable.map((runId) => `Last failed: run ${oneLine(runId, 80)} cannot be read and does not count`),
  ];
}

/** Renders how long the latest similar run took, and what could not be read about it. */
export function renderLastRun({
  runs,
  unread = [],
}: Extract<JournalEvent, { type: 'history-known' }>): string[] {
  const last = runs.at(-1);
  return [...unread.map((why) => `Not read: ${oneLine(why, 400)}`), ...(last ? [describeLastRun(last)] : [])];
}

function describeLastRun(last: HistoryEntry): string {
  const passed = `${last.passed_tests} of ${countOf(last.total, 'test')} passed`;
  return `The last run like this: ${passed} in ${formatDuration(last.duration_seconds)}`;
}

function describeIsolation(isolation: RunStarted['environment']['isolation']): string[] {
  return isolation === undefined || isolation === 'host' ? [] : [`Isolation: ${isolation}`];
}

function describeOrphans(ended: readonly string[]): string[] {
  if (ended.length === 0) return [];
  return [
    `Ended ${countOf(ended.length, 'process', 'processes')} that an earlier run, killed in the middle, had left:`,
    ...ended.map((process) => `  ${oneLine(process, 160)}`),
  ];
}

function describePlan({ planned, backends }: RunStarted): string {
  const idle = new Set(backends.filter(({ ready }) => !ready).map(({ backend }) => backend));
  const due = planned.filter(({ backend }) => !idle.has(backend)).length;
  return due === 0 ? 'Nothing to run.' : `Running ${countOf(due, 'scenario')}...`;
}

function describeTarget(target: Target, chalk: ChalkInstance): string[] {
  const { kind, version, path } = target;
  const missing = describeMissingRalph(target);
  return kind === 'real'
    ? [`Target: ralph ${oneLine(version, 60)} (${oneLine(path, 300)})`]
    : [
        chalk.yellow(
          `Target: stand-in ralph ${oneLine(version, 60)}, a test double: Ralph itself is not tested`,
        ),
        ...(missing === null ? [] : [chalk.yellow(`  └─ ${missing}`)]),
      ];
}

function describeBackend({ backend, ready, version, authentication, reason, fix }: Readiness): string[] {
  const known = version === null ? '' : ` (${oneLine(version, 80)})`;
  if (!ready) {
    const todo = fix === null ? [] : [`  └─ ${oneLine(fix, 300)}`];
    return [
      `Backend: ${listedName(backend)}${known} ⏭️  ${oneLine(reason ?? 'cannot be used', 300)}`,
      ...todo,
    ];
  }
  const auth = authentication
    ? `Auth: ${authentication.authenticated ? '✅ Authenticated' : '❌ Not authenticated'} (${oneLine(authentication.source, 120)})`
    : 'Auth: not needed';
  return [`Backend: ${listedName(backend)}${known}`, auth];
}

/** Renders one attempt with its failed assertions; verbose adds all assertions and how it ran. */
export function renderAttempt(attempt: AttemptFinished, { chalk, verbose, assertions }: Style): string[] {
  const marks = { passed: '✅', failed: '❌', error: '💥', 'known-issue': '🐞' };
  const mark = isInconclusive(attempt) ? INCONCLUSIVE_MARK : marks[attempt.outcome];
  const again = attempt.attempt > 1 ? `, attempt ${attempt.attempt}` : '';
  const time = chalk.dim(`(${formatDuration(attempt.durationSeconds)}${again})`);
  const label = oneLine(testLabel(attempt.scenarioId, attempt.backend), 120);
  const all = verbose ? attempt.checks : attempt.checks.filter(({ passed }) => !passed);
  const shown = all.slice(0, assertions);
  return [
    `  ${mark} ${paintLabel(label, attempt, chalk)} ${time}`,
    ...renderFault(attempt, chalk),
    ...(attempt.error === null ? [] : [`     └─ ${chalk.red(`error: ${oneLine(attempt.error, 600)}`)}`]),
    ...shown.flatMap((check) => renderCheck(check, chalk)),
    ...renderStopped(attempt.evidence, verbose).map((line) => chalk.yellow(line)),
    ...(all.length > shown.length ? [`     └─ and ${all.length - shown.length} more`] : []),
    ...(attempt.outcome === 'passed' && attempt.knownIssueGone === true
      ? [chalk.green('     └─ 🎉 its known issue did not occur')]
      : []),
    ...(attempt.outcome === 'passed'
      ? []
      : [chalk.dim(`     └─ output: ${oneLine(attempt.artifacts, 400)}`)]),
    ...(verbose && attempt.evidence ? renderRun(attempt.evidence).map((line) => chalk.dim(line)) : []),
  ];
}

/** Renders whose fault it is if it is not the target's, and whether the test runs again. */
function renderFault(
  { fault, evidence, retryInSeconds, ...attempt }: AttemptFinished,
  chalk: ChalkInstance,
): string[] {
  const again =
    retryInSeconds === undefined
      ? ''
      : `runs again${retryInSeconds > 0 ? ` in ${formatDuration(retryInSeconds)}` : ''}`;
  if (fault === undefined || !isInconclusive({ ...attempt, fault }))
    return again === '' ? [] : [`     └─ ${again}`];
  const words = describeFault(fault, { isConversation: evidence?.conversation !== undefined });
  return [
    chalk.yellow(`     └─ ${words}${again === '' ? '' : `; ${again}`}`),
    ...fault.because.map((fact) => chalk.yellow(`        ${oneLine(fact, 300)}`)),
  ];
}

/** Renders why there is no analysis by Ralph. A finished one is in the reports. */
export function renderAnalysisEnd({
  outcome,
  notes,
}: Extract<JournalEvent, { type: 'analysis-finished' }>): string[] {
  if (outcome === 'done') return [];
  const why = oneLine(notes.join('; '), 300);
  return ['', `Analysis by Ralph: ${outcome === 'skipped' ? 'skipped' : 'failed'}: ${why}`];
}

/** Renders what the isolation stopped, even if everything passed. */
function renderStopped(evidence: Evidence | null, verbose: boolean): string[] {
  const stopped = evidence?.isolation?.stopped ?? [];
  const shown = verbose ? stopped : stopped.slice(0, 3);
  return [
    ...shown.map((what) => `     🚧 stopped: ${oneLine(describeStopped(what), 240)}`),
    ...(stopped.length > shown.length ? [`     🚧 and ${stopped.length - shown.length} more`] : []),
  ];
}

function paintLabel(label: string, attempt: AttemptFinished, chalk: ChalkInstance): string {
  const { outcome } = attempt;
  if (outcome === 'passed') return label;
  if (isInconclusive(attempt)) return chalk.yellow(label);
  return outcome === 'known-issue' ? chalk.yellow(`${label}: known issue`) : chalk.red(label);
}

function renderCheck(check: CheckResult, chalk: ChalkInstance): string[] {
  const name = oneLine(check.name, 160);
  if (check.passed) return [`     ✓ ${name}`];
  const line = `${name}: expected ${oneLine(check.expected, 240)}, got ${oneLine(check.actual, 240)}`;
  return [
    chalk.red(`     └─ ${line}`),
    ...(check.suggestion === null ? [] : [`        💡 ${oneLine(check.suggestion, 300)}`]),
  ];
}

function renderRun(evidence: Evidence): string[] {
  const { command, iterations, events, termination } = evidence;
  return [
    `     $ ${oneLine(quoteCommand(command), 600)}`,
    ...iterations.map(
      ({ number, hat, said, toolCalls }) =>
        `     iteration ${number}${hat === null ? '' : ` [${oneLine(hat, 40)}]`}: ${countOf(toolCalls.length, 'tool call')}, said ${JSON.stringify(oneLine(said, 160))}`,
    ),
    ...events.map(
      ({ topic, payload, source }) =>
        `     event ${oneLine(topic, 80)} by ${source}${payload === null ? '' : `: ${oneLine(payload, 160)}`}`,
    ),
    `     ended: ${describeExit(evidence)}${termination === null ? '' : `, ${oneLine(termination.reason, 80)}`}`,
  ];
}

function describeExit({ exit }: Evidence): string {
  switch (exit.kind) {
    case 'exited':
      return `exit ${exit.code}`;
    case 'killed':
      return `killed by ${oneLine(exit.signal, 20)}`;
    case 'timed-out':
      return `timed out after ${formatDuration(exit.afterSeconds)}`;
    case 'interrupted':
      return 'interrupted';
    default:
      return exit satisfies never;
  }
}

/** Renders the end of a run: skips with their reasons, the verdict, where the reports are, how to look closer. */
export function renderSummaryLines(
  report: Report,
  reportPaths: readonly string[],
  { chalk, verbose }: Style,
): string[] {
  const [command] = report.quick_fix_commands;
  return [
    ...renderSkipLines(report, verbose),
    ...renderGoneLines(report, chalk),
    '',
    RULE,
    ...renderCauseLines(report, chalk),
    renderVerdict(report, chalk),
    `${countWords(report)} in ${formatDuration(report.duration_seconds)}`,
    // Only a live run costs anything; in the scripted lane the CLI computes a price for a model that was not used.
    ...(report.lane === 'live' ? renderCost(report) : []),
    '',
    ...(command && !report.passed ? [`Look closer: ${cleanText(command.command)}`] : []),
    ...reportPaths.map((path) => `Report written to: ${oneLine(path, 600)}`),
  ];
}

const SHOWN_CAUSES = 6;

/** Renders why tests failed: a few lines for each cause, however many tests it breaks. */
export function renderCauseLines({ causes }: Report, chalk: ChalkInstance): string[] {
  if (causes.length === 0) return [];
  const left = causes.length - SHOWN_CAUSES;
  return [
    chalk.bold(countCauses(causes)),
    ...causes.slice(0, SHOWN_CAUSES).flatMap(describeCause),
    ...(left > 0 ? [`  ${countOf(left, 'more cause')}: see the report`] : []),
    '',
  ];
}

function describeCause(cause: FailureCause, index: number): string[] {
  const { areas, hypothesis, tests, contrast } = cause;
  const area = areas.length === 0 ? '' : `${areas.join(', ')}: `;
  const shown = tests.slice(0, 4).join(', ');
  const more = tests.length > 4 ? `, and ${tests.length - 4} more` : '';
  return [
    `  ${index + 1}. ${oneLine(`${area}${hypothesis}`, 300)}`,
    `     ${countOf(tests.length, 'test')}: ${oneLine(shown, 300)}${more}`,
    ...sourcesOf(cause)
      .slice(0, 2)
      .map((source) => `     look at: ${oneLine(source, 160)}`),
    ...contrast.slice(0, 1).map((line) => `     in common: ${oneLine(line, 200)}`),
  ];
}

/** Renders what was skipped, once per reason. */
export function renderSkipLines({ results }: Report, verbose: boolean): string[] {
  const groups = groupSkips(results);
  if (groups.length === 0) return [];
  return [
    '',
    ...groups.flatMap(({ backend, reason, ids }) => [
      `  ⏭️  ${countOf(ids.length, 'test')} skipped on ${backend}: ${oneLine(reason, 300)}`,
      ...(verbose ? [`     ${oneLine(ids.join(', '), 600)}`] : []),
    ]),
  ];
}

/** Renders known issues that no longer occur. */
export function renderGoneLines({ results }: Report, chalk: ChalkInstance): string[] {
  const gone = results.filter(isGoodNews);
  if (gone.length === 0) return [];
  return gone.map((result) =>
    chalk.green(
      `  🎉 ${oneLine(testLabel(result.scenario_id, result.backend), 120)}: ${oneLine(describeGone(result), 400)}`,
    ),
  );
}

/** Renders one line for the whole run, and the names of what did not pass. */
export function renderQuietSummary(report: Report, chalk: ChalkInstance): string[] {
  const broken = report.results.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
  return [
    renderVerdict(report, chalk),
    ...renderGoneLines(report, chalk),
    ...broken.map((result) => {
      const label = oneLine(testLabel(result.scenario_id, result.backend), 120);
      if (result.inconclusive) return `  ${INCONCLUSIVE_MARK} ${label}: ${describeResultFault(result)}`;
      return `  ${result.outcome === 'error' ? '💥' : '❌'} ${label}`;
    }),
  ];
}

/** Renders the verdict with its colored mark. */
export function renderVerdict(
  { passed, summary, run_errors, verdict }: Report,
  chalk: ChalkInstance,
): string {
  if (countBroken(summary) > 0) return chalk.red(`🔴 FAILED: ${oneLine(verdict)}`);
  if (summary.errors > 0 || run_errors.length > 0) return chalk.red(`💥 ERROR: ${oneLine(verdict)}`);
  return passed ? chalk.green(`🟢 PASSED: ${oneLine(verdict)}`) : chalk.yellow(`🟠 ${oneLine(verdict)}`);
}

function countWords({ summary }: Report): string {
  const parts = [
    [summary.passed, 'passed'],
    [countBroken(summary), 'failed'],
    [summary.inconclusive, 'inconclusive'],
    [summary.errors, summary.errors === 1 ? 'error' : 'errors'],
    [summary.flaky, 'flaky'],
    [summary.known_issues, summary.known_issues === 1 ? 'known issue' : 'known issues'],
    [summary.skipped, 'skipped'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return shown.length === 0 ? 'nothing ran' : shown.join(', ');
}

/** Renders what the run cost. Journals before format 1.2 know only what the CLIs reported. */
export function renderCost({ results, spending }: Report): string[] {
  const usages = results.flatMap(({ context }) => (context?.usage ? [context.usage] : []));
  const models = [...new Set(usages.flatMap(({ model }) => (model === null ? [] : [oneLine(model, 60)])))];
  if (spending !== null) return spending.calls > 0 ? describeCost(spending, models) : [];
  const cost = usages.reduce((sum, { cost_usd }) => sum + cost_usd, 0);
  return cost > 0 ? [`Cost: ${formatUsd(cost)} (${models.join(', ') || 'model unknown'})`] : [];
}
