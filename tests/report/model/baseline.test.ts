import { expect, test } from 'vitest';
import { turnSays } from '../../../src/authoring.js';
import { type Baseline, compareArms, recordArm } from '../../../src/domain/report/rates/baseline.js';
import { describeArm } from '../../../src/report/sections/repeats.js';
import { type AttemptFields, attempt, broken, held } from '../support/journal.js';

const says = turnSays(1, 'hello');
const GOOD: AttemptFields = { checks: [held(says)] };
const BAD: AttemptFields = { outcome: 'failed', checks: [broken(says)] };
const LOST: AttemptFields = { outcome: 'error', error: 'no room', checks: [], evidence: null };
const OFFLINE = { costsMoney: false };

function compare(withIt: AttemptFields, without: AttemptFields): { passed: boolean; baseline: Baseline } {
  const baseline = compareArms(attempt(withIt), recordArm(attempt(without), OFFLINE), OFFLINE);
  return { passed: withIt.outcome !== 'failed', baseline };
}

test('checks that were not judged without the plugin are no difference', () => {
  expect(compare(GOOD, BAD).baseline.only_with).toEqual([says.name]);
  expect(compare(GOOD, LOST).baseline).toMatchObject({
    outcome: 'error',
    also_without: [],
    only_with: [],
    only_without: [],
  });
});

test.each<{ pairs: readonly (readonly [AttemptFields, AttemptFields])[]; words: string }>([
  { pairs: [[GOOD, BAD]], words: 'no test passes without the plugin (1 test compared)' },
  {
    pairs: [
      [GOOD, GOOD],
      [GOOD, BAD],
    ],
    words: '1 of 2 tests passes without the plugin too, and shows nothing about it',
  },
  { pairs: [[BAD, GOOD]], words: '1 of 1 test passes only without the plugin' },
  { pairs: [[GOOD, LOST]], words: '1 test could not be carried out without the plugin' },
  {
    pairs: [
      [GOOD, BAD],
      [GOOD, LOST],
    ],
    words:
      'no test passes without the plugin (1 test compared); 1 test could not be carried out without the plugin',
  },
])('the arm in words: $words', ({ pairs, words }) => {
  expect(describeArm(pairs.map(([withIt, without]) => compare(withIt, without)))).toBe(words);
});
