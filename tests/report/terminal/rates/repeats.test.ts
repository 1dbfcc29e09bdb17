import { Chalk } from 'chalk';
import { expect, test } from 'vitest';
import { analysis } from '../../../../src/analysis.js';
import { buildReport } from '../../../../src/report/model/build-report.js';
import { createProgress } from '../../../../src/report/terminal/progress.js';
import { createRepeatLines, renderRepeatLines } from '../../../../src/report/terminal/rates/repeats.js';
import { journal, type RunStory } from '../../support/journal.js';

const STYLE = { chalk: new Chalk({ level: 0 }), columns: 120, verbose: false };

/** A run with one test that fails in some repeats through the agent, and one that always passes. */
function story(
  failing: readonly number[],
  repeat = { times: 4, threshold: null as number | null },
): RunStory {
  const repeats = Array.from({ length: repeat.times }, (_, index) => index + 1);
  const shaky = repeats.map((number) =>
    failing.includes(number)
      ? { repeat: number, outcome: 'failed' as const, fault: { whose: 'agent' as const, because: [] } }
      : { repeat: number },
  );
  return {
    run: { repeat },
    tests: [
      { scenarioId: 'shaky', attempts: shaky },
      { scenarioId: 'steady', attempts: repeats.map((number) => ({ repeat: number })) },
    ],
  };
}

test('the end of a run lists the tests that vary: rate, repeats and whose fault, spread', () => {
  const lines = renderRepeatLines(buildReport(journal(story([2, 3])), analysis), STYLE);
  expect(lines).toEqual([
    '',
    'Repeats: 4 of each test, 8 of 8 ran; 1 test varies',
    '  shaky [claude]: 2 of 4 passed, 50 % (95 % interval: 15 to 85 %)',
    '     Not passed: repeats 2, 3 (the agent)',
    '     Spread: iterations always 1; time always 1.5s',
  ]);
});

test('a test has one line, once its last repeat has ended', () => {
  const lines = createRepeatLines();
  const shown = journal(story([2])).map((event) => {
    lines.onEvent(event);
    return event.type === 'attempt-finished' ? lines.end(event, STYLE.chalk) : [];
  });
  expect(shown.flat()).toEqual([
    '  🔁 shaky [claude] (3 of 4 passed, interval 30 to 96 %, median 1.5s)',
    '  ✅ steady [claude] (4 of 4 passed, interval 51 to 100 %, median 1.5s)',
  ]);
});

test('a threshold is named beside the rate, as reached or not', () => {
  const lines = (failing: readonly number[]) =>
    renderRepeatLines(buildReport(journal(story(failing, { times: 10, threshold: 0.9 })), analysis), STYLE);
  expect(lines([3]).slice(2, 4)).toEqual([
    '  shaky [claude]: 9 of 10 passed, 90 % (95 % interval: 59 to 99 %)',
    '     Threshold: at least 0.9',
  ]);
  expect(lines([3, 4])[3]).toBe('     Threshold: below 0.9');
});

test('progress counts every repeat, also after failures that decide about the threshold', () => {
  const progress = createProgress(() => 0);
  const events = journal(story([1, 2], { times: 10, threshold: 0.9 }));
  const [started, ...rest] = events;
  if (started !== undefined) progress.onEvent(started);
  expect(progress.describe()).toContain('[0/20]');
  for (const event of rest.slice(0, 4)) progress.onEvent(event);
  expect(progress.describe()).toContain('[2/20]');
});
