import { expect, it } from 'vitest';
import type { JournalEvent } from '../../../../src/domain/journal.js';
import { createTiers } from '../../../../src/report/terminal/tiers.js';
import { journal } from '../../support/journal.js';

/** The headings and notes of a run whose tests end in this order. */
function place(tiers: Readonly<Record<string, 1 | 2 | 3>>, order: readonly string[], shuffleSeed?: number) {
  const tests = Object.entries(tiers).map(([scenarioId, tier]) => ({ scenarioId, tier, attempts: [{}] }));
  const events = journal({ tests, run: shuffleSeed === undefined ? {} : { shuffleSeed } });
  const ends = events.filter((event) => event.type === 'attempt-finished');
  const headings = createTiers();
  const take = (event: JournalEvent | undefined) => event && headings.onEvent(event);
  take(events[0]);
  return order.map((scenarioId) => {
    take(ends.find((event) => event.scenarioId === scenarioId));
    const { heading, note } = headings.place({ scenarioId, backend: 'claude' });
    return `${heading === null ? '' : `${heading.slice(0, 6)}: `}${scenarioId}${note && ` (${note})`}`;
  });
}

it('come once each, in order, and a test that is early names its tier', () => {
  expect(place({ a: 1, b: 1, c: 2, d: 2, e: 3 }, ['a', 'c', 'b', 'd', 'e'])).toEqual([
    'Tier 1: a',
    'c (tier 2)',
    'b',
    'Tier 2: d',
    'Tier 3: e',
  ]);
});

it('do not appear in a shuffled run', () => {
  expect(place({ a: 1, b: 2 }, ['b', 'a'], 7)).toEqual(['b', 'a']);
});
