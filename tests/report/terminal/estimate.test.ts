import { describe, expect, it } from 'vitest';
import { estimateLeft, type TimedTest } from '../../../src/report/terminal/progress.js';

const open = (expected: number | null, running: number | null = null): TimedTest => ({
  expected,
  running,
  took: null,
  settled: false,
});
const ended = (took: number | null, expected: number | null = null): TimedTest => ({
  expected,
  running: null,
  took,
  settled: true,
});

describe('the time that is left', () => {
  it('is unknown before anything is known', () => {
    expect(estimateLeft([open(null, 3), open(null)], 3)).toBeNull();
  });

  it('is shared by as many tests as this run gets done at once', () => {
    // 40 seconds of work were done in 10 seconds, and 80 are left.
    const done = Array.from({ length: 4 }, () => ended(10, 10));
    const left = Array.from({ length: 8 }, () => open(10));
    expect(estimateLeft([...done, ...left], 10)).toBe(20);
  });

  it('is never shorter than the longest test that is left', () => {
    expect(estimateLeft([...Array.from({ length: 4 }, () => ended(10, 10)), open(60)], 10)).toBe(60);
  });

  it('is longer on a machine that is slower today', () => {
    const slow = Array.from({ length: 3 }, () => ended(20, 10));
    expect(estimateLeft([...slow, open(10), open(10), open(10)], 60)).toBe(60);
  });

  it('takes the average of this run for a test that nobody knows, and less if others were skipped', () => {
    expect(estimateLeft([ended(4), ended(6), open(null)], 10)).toBe(5);
    expect(estimateLeft([ended(4), ended(6), ended(null), ended(null), open(null), open(null)], 10)).toBe(5);
  });
});
