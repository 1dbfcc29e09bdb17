import { expect, it } from 'vitest';
import { type ExitRules, exitCodeOf } from '../../src/cli/exit-codes.js';
import type { JournalEvent } from '../../src/domain/journal.js';
import type { ReportRepeats } from '../../src/domain/report/rates/repeats.js';
import { analysis } from '../../src/harness/analysis.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { expectGolden } from '../support/golden.js';
import { parseJournal } from '../support/parse-journal.js';
import { SAVED_RUNS } from './support/saved-runs.js';

const RULES: Readonly<Record<string, ExitRules>> = {
  alone: {},
  '--allow inconclusive': { allow: ['inconclusive'] },
  '--fail-on flaky': { failOn: ['flaky'] },
  '--fail-on skipped': { failOn: ['skipped'] },
  '--fail-on fixed-issue': { failOn: ['fixed-issue'] },
};

function describeRepeats(repeats: ReportRepeats): string {
  const { ran, planned, counted, passed, rate, flips, interval, below_threshold, defect } = repeats;
  return [
    `${ran} of ${planned} ran, ${passed} of ${counted} passed, rate ${rate?.toFixed(3)}`,
    `interval ${interval?.low.toFixed(3)} to ${interval?.high.toFixed(3)}, ${flips} flips`,
    ...(below_threshold ? ['below the threshold'] : []),
    ...(defect ? ['a defect'] : []),
    ...(repeats.left_reason === null ? [] : [`the others: ${repeats.left_reason}`]),
  ].join(', ');
}

/** What a run of ours says in the end, from the lines of its journal. */
function describeRun([name, events]: readonly [string, readonly JournalEvent[]]): string {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const report = buildReport(parseJournal(lines).events, analysis);
  const { passed, verdict, results, causes } = report;
  return [
    `## ${name}`,
    `${passed ? 'passed' : 'not passed'}: ${verdict}`,
    ...results.map(
      ({
        scenario_id,
        backend,
        outcome,
        inconclusive,
        known_issue_gone,
        skip_cause,
        skip_reason,
        fault,
        repeats,
      }) =>
        `- ${scenario_id} [${backend}]: ${[
          outcome,
          ...(inconclusive ? ['inconclusive'] : []),
          ...(known_issue_gone ? ['issue gone'] : []),
          ...(skip_cause ? [skip_cause.kind] : []),
          ...(skip_reason ? [`"${skip_reason}"`] : []),
          ...(fault ? [fault.whose] : []),
          ...(repeats ? [describeRepeats(repeats)] : []),
        ].join(', ')}`,
    ),
    ...causes.map(({ blames, hypothesis, tests }) => `- cause: ${blames}, ${tests.length}: ${hypothesis}`),
    `- exit code: ${Object.entries(RULES)
      .map(([rule, rules]) => `${exitCodeOf(report, rules)} ${rule}`)
      .join(', ')}`,
  ].join('\n');
}

it('each kind of run has its verdict, exit code and causes', () => {
  const table = Object.entries(SAVED_RUNS).map(describeRun).join('\n\n');
  expectGolden(new URL('golden/verdicts.md', import.meta.url), `${table}\n`);
});

it('there are at least forty runs, and every exit code', () => {
  const codes = Object.values(SAVED_RUNS).map((events) => exitCodeOf(buildReport(events)));
  expect(codes.length).toBeGreaterThan(40);
  expect(new Set(codes)).toEqual(new Set([0, 1, 2, 130]));
});
