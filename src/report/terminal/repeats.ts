import type { ChalkInstance } from 'chalk';
import type { AttemptFinished } from '../../domain/attempt.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { RepeatPlan } from '../../domain/options/repeat-plan.js';
import { median } from '../../domain/report/expectation.js';
import { intervalOf } from '../../domain/report/rates/rate.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import { endsOfRepeats, isCounted } from '../../domain/results/repeats.js';
import { executionKey, testLabel } from '../../domain/vocabulary.js';
import type { ReportBlock } from '../content/content.js';
import { formatInterval, repeatBlocks } from '../sections/repeats.js';
import { oneLine } from '../text/safe-text.js';
import { formatDuration } from '../words/words.js';

/** Follows the repeats of a run, so that a test has one line when its last repeat has ended. */
export function createRepeatLines() {
  let plan: RepeatPlan | null = null;
  const attempts = new Map<string, AttemptFinished[]>();
  const keyOf = ({ scenarioId, backend }: AttemptFinished) => executionKey(scenarioId, backend);
  return {
    onEvent: (event: JournalEvent): void => {
      if (event.type === 'run-started') plan = event.repeat ?? null;
      if (event.type !== 'attempt-finished' || plan === null) return;
      // Evidence is large, and a line needs none.
      attempts.set(keyOf(event), [...(attempts.get(keyOf(event)) ?? []), { ...event, evidence: null }]);
    },
    /** Null if the run is not repeated. */
    plan: () => plan,
    /** Returns the line of the test if this was its last repeat, or nothing. */
    end: (attempt: AttemptFinished, chalk: ChalkInstance): string[] => {
      const ends = endsOfRepeats(attempts.get(keyOf(attempt)) ?? []);
      if (plan === null || attempt.retryInSeconds !== undefined || ends.length < plan.times) return [];
      return [renderTest(attempt, ends, chalk)];
    },
  };
}

function renderTest(
  { scenarioId, backend }: AttemptFinished,
  ends: readonly AttemptFinished[],
  chalk: ChalkInstance,
): string {
  const counted = ends.filter(isCounted);
  const passed = counted.filter(({ outcome }) => outcome === 'passed').length;
  const label = oneLine(testLabel(scenarioId, backend), 120);
  const isSteady = passed === ends.length;
  const known = ends.filter(({ outcome }) => outcome === 'known-issue').length;
  const mark = isSteady ? '✅' : known === ends.length ? '🐞' : passed === 0 ? '❌' : '🔁';
  const issue = known > 0 ? `, known issue in ${known}` : '';
  const interval =
    counted.length === 0
      ? ''
      : `, interval ${formatInterval(intervalOf({ passed, failed: counted.length - passed }))}`;
  const time = `median ${formatDuration(median(ends.map(({ durationSeconds }) => durationSeconds)))}`;
  const facts = chalk.dim(`(${passed} of ${ends.length} passed${interval}${issue}, ${time})`);
  return `  ${mark} ${isSteady ? label : chalk.yellow(label)} ${facts}`;
}

const SHOWN_TESTS = 20;

/** Says what the repeats show: unless verbose, of the tests that vary or did not pass. */
export function notableRepeats(report: Report, verbose: boolean): ReportBlock[] {
  const results = report.results.filter((result) => verbose || isNotable(result));
  return repeatBlocks({ ...report, results }, verbose ? results.length : SHOWN_TESTS);
}

/** Whether the repeats of a test say more than its outcome. */
function isNotable({ repeats, outcome }: ReportResult): boolean {
  if (repeats === null) return false;
  const { flips, defect, below_threshold } = repeats;
  return flips > 0 || defect || below_threshold || outcome === 'error';
}
