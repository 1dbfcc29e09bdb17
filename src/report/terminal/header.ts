import type { ChalkInstance } from 'chalk';
import { involvesRalph } from '../../domain/attempt.js';
import { nameIn } from '../../domain/backends.js';
import type { Readiness } from '../../domain/evidence/readiness.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { RepeatPlan } from '../../domain/options/repeat-plan.js';
import type { HistoryEntry } from '../../domain/report/history.js';
import type { LastFailed } from '../../domain/report/last-failed.js';
import { LANE_TRAITS } from '../../domain/vocabulary.js';
import { describeMergedShards, describePart } from '../model/describe-run.js';
import { oneLine } from '../text/safe-text.js';
import { INCONCLUSIVE } from '../words/outcomes.js';
import {
  countOf,
  describeConversationTarget,
  describeMissingRalph,
  describeOriginRun,
  describeShard,
  describeShards,
  formatDuration,
  formatUsd,
  laneMeaning,
} from '../words/words.js';
import { RULE } from './layout.js';

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;

/** Renders what is tested, how, and with which backends; `brief` leaves out how they are logged in. */
export function renderRunHeader(run: RunStarted, chalk: ChalkInstance, brief = false): string[] {
  const { isolation = 'host' } = run.environment;
  return [
    '',
    chalk.bold(`🧪 E2E Test Harness v${oneLine(run.harnessVersion, 40)}`),
    RULE,
    '',
    ...describeTarget(run, chalk),
    `Lane: ${run.lane} (${laneMeaning(run.lane)})`,
    ...describeOrigin(run),
    ...(isolation === 'host' ? [] : [`Isolation: ${isolation}`]),
    ...run.backends.flatMap((backend) => describeBackend(backend, run.lane, brief)),
    ...describeOrphans(run.endedOrphans),
    ...renderChoice(run),
    '',
    describePlan(run),
  ];
}

function describeOrigin({ origin }: RunStarted): string[] {
  if (origin === undefined) return [];
  const { kind, runId, lane, target } = origin;
  return [`This is a ${describeOriginRun({ kind, run_id: runId, lane, ralph_version: target.version })}`];
}

/** Renders how much of a run is done when it goes on. */
export function renderResumed({
  takenOver,
  left,
  endedOrphans,
}: Extract<JournalEvent, { type: 'run-resumed' }>): string[] {
  return [
    ...describeOrphans(endedOrphans),
    `Resumed: ${countOf(takenOver, 'result')} taken over, ${countOf(left, 'test')} left`,
  ];
}

/** Renders what runs if earlier runs decided it, and the seed of a shuffled run. */
export function renderChoice(run: RunStarted): string[] {
  const { shuffleSeed, lastFailed, repeat } = run;
  return [
    ...renderShard(run),
    ...(repeat === undefined ? [] : [describePlannedRepeats(repeat)]),
    ...(lastFailed === undefined ? [] : describeLastFailed(lastFailed)),
    ...(shuffleSeed === undefined ? [] : [`Order: shuffled (repeat it with --shuffle ${shuffleSeed})`]),
  ];
}

/** Renders which part of a run this is, or of which parts it was merged. */
function renderShard(run: RunStarted): string[] {
  const [part, shards] = [describePart(run), describeMergedShards(run)];
  if (shards !== null) return [`Merged from: ${describeShards(shards)}`];
  if (part === null) return [];
  const maxUsd = run.budget?.maxUsd ?? null;
  return [
    `Part: ${describeShard(part)}`,
    ...(maxUsd === null ? [] : [`Mind: --max-cost ${formatUsd(maxUsd)} counts for each shard`]),
  ];
}

/** Renders how often tests run, and how many of the repeats must pass. */
function describePlannedRepeats({ times, threshold }: RepeatPlan): string {
  const needed = threshold === null ? '' : `; at least ${threshold} of them must pass`;
  return `Repeats: ${times} of each test, without retries${needed}`;
}

const SHOWN_RUNS = 4;

function describeLastFailed({ runs, unreadable }: LastFailed): string[] {
  const countIn = (counted: LastFailed['runs']) =>
    counted.reduce((sum, { failed, inconclusive, notRun }) => sum + failed + inconclusive + notRun, 0);
  const shown = runs.slice(-SHOWN_RUNS).map(({ runId, failed, inconclusive, notRun }) => {
    const counts = Object.entries({ failed, [INCONCLUSIVE]: inconclusive, 'not run': notRun }).filter(
      ([, count]) => count > 0,
    );
    return `${counts.map(([name, count]) => `${count} ${name}`).join(', ')} in ${oneLine(runId, 80)}`;
  });
  const earlier = runs.slice(0, -SHOWN_RUNS);
  if (earlier.length > 0) shown.unshift(`${countIn(earlier)} in ${countOf(earlier.length, 'earlier run')}`);
  return [
    `Last failed: ${countOf(countIn(runs), 'test')}: ${shown.join('; ')}`,
    ...unreadable.map(
      (runId) => `Last failed: run ${oneLine(runId, 80)} cannot be read, or somebody tampered with it`,
    ),
  ];
}

/** Renders how long the latest run of the same tests took, and what could not be read about it. */
export function renderLastRun({
  runs,
  previous,
  unread = [],
}: Extract<JournalEvent, { type: 'history-known' }>): string[] {
  const last = runs.find(({ run_id }) => run_id === previous);
  return [...unread.map((why) => `Not read: ${oneLine(why, 400)}`), ...(last ? [describeLastRun(last)] : [])];
}

function describeLastRun(last: HistoryEntry): string {
  const passed =
    last.pass_rate === null
      ? 'nothing passed or failed'
      : `${last.passed_tests} of ${countOf(last.total, 'test')} passed`;
  return `Previous run of these tests: ${passed} in ${formatDuration(last.duration_seconds)}`;
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
  if (due === 0) return 'Nothing to run.';
  const scenarios = countOf(new Set(planned.map(({ scenarioId }) => scenarioId)).size, 'scenario');
  const of = due === planned.length ? '' : `${due} of `;
  return `Running ${of}${countOf(planned.length, 'test')} (${scenarios})...`;
}

function describeTarget({ target, lane }: RunStarted, chalk: ChalkInstance): string[] {
  const { kind, version, path } = target;
  if (!involvesRalph(target)) {
    const line = `Target: ${describeConversationTarget(lane)}`;
    return [LANE_TRAITS[lane].standIns ? chalk.yellow(line) : line];
  }
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

function describeBackend(
  { backend, ready, version, authentication, reason, fix }: Readiness,
  lane: RunStarted['lane'],
  brief: boolean,
): string[] {
  const known = version === null ? '' : ` (${oneLine(version, 80)})`;
  if (!ready) {
    const todo = fix === null ? [] : [`  └─ ${oneLine(fix, 300)}`];
    return [
      `Backend: ${nameIn(lane, backend)}${known} ⏭️  ${oneLine(reason ?? 'cannot be used', 300)}`,
      ...todo,
    ];
  }
  const auth = authentication
    ? `Auth: ${authentication.authenticated ? '✅ Authenticated' : '❌ Not authenticated'} (${oneLine(authentication.source, 120)})`
    : 'Auth: not needed';
  return [`Backend: ${nameIn(lane, backend)}${known}`, ...(brief ? [] : [auth])];
}
