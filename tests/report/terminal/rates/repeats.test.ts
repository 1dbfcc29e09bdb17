import { expect, test } from 'vitest';
import { createProgress } from '../../../../src/report/terminal/progress.js';
import { journal, type RunStory } from '../../support/journal.js';

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

test('progress counts every repeat, also after failures that decide about the threshold', () => {
  const progress = createProgress(() => 0);
  const events = journal(story([1, 2], { times: 10, threshold: 0.9 }));
  const [started, ...rest] = events;
  if (started !== undefined) progress.onEvent(started);
  expect(progress.describe()).toContain('[0/20]');
  for (const event of rest.slice(0, 4)) progress.onEvent(event);
  expect(progress.describe()).toContain('[2/20]');
});
