import { expect, test } from 'vitest';
import { createMeter } from '../../../src/run/money/meter.js';

const spent = (usd: number) => ({ calls: 1, tokens: null, usd, estimatedUsd: 0 });

test('what a run spent before it was resumed counts for --max-cost', () => {
  const options = { maxUsd: 1, expected: new Map<string, number>(), model: null };
  expect(createMeter({ ...options, already: [spent(0.4), spent(0.5)] }).isReached()).toBe(false);
  expect(createMeter({ ...options, already: [spent(0.4), spent(0.6)] }).isReached()).toBe(true);
});
