import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decideNow,
  decideRate,
  moreToDecide,
  passesToDecide,
  sequentialInterval,
} from '../../../src/domain/statistics/sequence.js';

const passes = (count: number): boolean[] => Array.from({ length: count }, () => true);

// The evidence at these counts, by numeric integration with scipy: 38.77 after 43 passes, 42.60 after 44; 6.2 after one
// failure, 47.1 after two; 51.2 against 0.9 after 5 of 10, 6.9 after 6 of 10. Enough is 40.
describe('the decision about a threshold of 0.9', () => {
  test('takes 44 passes in a row', () => {
    expect(decideRate(passes(43), 0.9)).toEqual({ decision: 'undecided', after: 43 });
    expect(decideRate(passes(60), 0.9)).toEqual({ decision: 'above', after: 44 });
    expect(passesToDecide(0.9)).toBe(44);
  });

  test('takes two failures in a row', () => {
    expect(decideRate([false], 0.9).decision).toBe('undecided');
    expect(decideRate([false, false, true], 0.9)).toEqual({ decision: 'below', after: 2 });
  });

  test('falls with 5 of 10 and not with 6 of 10', () => {
    expect(decideNow({ passed: 5, failed: 5 }, 0.9)).toBe('below');
    expect(decideNow({ passed: 6, failed: 4 }, 0.9)).toBe('undecided');
  });

  test('stands once it is made, whatever comes later', () => {
    expect(decideRate([false, false, ...passes(200)], 0.9)).toEqual({ decision: 'below', after: 2 });
  });
});

describe('the interval that stays valid under stopping', () => {
  test('has the ends where the evidence is 40', () => {
    const { low, high } = sequentialInterval({ passed: 7, failed: 3 });
    expect(low).toBeCloseTo(0.2401615565, 8);
    expect(high).toBeCloseTo(0.9736283733, 8);
  });

  test('excludes a threshold exactly if it is decided', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 150 }),
        fc.integer({ min: 0, max: 150 }),
        fc.double({ min: 0.02, max: 0.98, noNaN: true }),
        (passed, failed, threshold) => {
          fc.pre(passed + failed > 0);
          const { low, high } = sequentialInterval({ passed, failed });
          const excluded = threshold < low ? 'above' : threshold > high ? 'below' : 'undecided';
          const near = Math.min(Math.abs(threshold - low), Math.abs(threshold - high)) < 1e-9;
          return near || excluded === decideNow({ passed, failed }, threshold);
        },
      ),
    );
  });
});

describe('how many more repeats would decide', () => {
  test('counts on from what passed', () => {
    expect(moreToDecide({ passed: 10, failed: 0 }, 0.9)).toBe(34);
  });

  test('is nothing if it is decided, and unknown at the threshold itself', () => {
    expect(moreToDecide({ passed: 44, failed: 0 }, 0.9)).toBe(0);
    expect(moreToDecide({ passed: 9, failed: 1 }, 0.9)).toBeNull();
    expect(moreToDecide({ passed: 0, failed: 0 }, 0.9)).toBeNull();
  });
});
