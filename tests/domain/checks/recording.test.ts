import { expect, test } from 'vitest';
import { whereDiverged } from '../../../src/domain/checks/recording.js';

const played = (rule: number) => ({ outcome: 'played', place: { kind: 'rule', rule } }) as const;

test('a replay that ends early, or makes parallel calls in another order, keeps to its recording', () => {
  expect(whereDiverged({ invocations: [] })).toBeNull();
  expect(whereDiverged({ invocations: [played(0), played(2), played(1)] })).toBeNull();
});

test('one that leaves out a call in the middle does not', () => {
  expect(whereDiverged({ invocations: [played(0), played(2)] })).toBe(
    'Ralph did not make the recorded call 2, but made call 3.',
  );
});
