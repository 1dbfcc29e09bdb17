import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createApproval } from '../../src/cli/conduct-run.js';
import type { Estimate } from '../../src/domain/money/spending.js';

const ESTIMATE: Estimate = {
  ...{ tests: 91, calls: 169, tokens: 8_130_000, usd: 13.01, seconds: 1570 },
  ...{ measured: 0, unpriced: [] },
};

/** Approves an estimate on streams that may be terminals. */
async function approve(
  estimate: Estimate,
  { typed = null as string | null, isTTY = true, yes = false, interrupt = false } = {},
) {
  const controller = new AbortController();
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough(), { isTTY });
  const ask = createApproval({ input, output, yes, notes: [], signal: controller.signal });
  const answer = ask(estimate);
  if (typed !== null) input.end(typed);
  if (interrupt) controller.abort();
  const approved = await answer;
  return { approved, shown: String(output.read()) };
}

describe('a live run on a terminal', () => {
  test.each([
    ['y\n', true],
    ['YES\n', true],
    ['n\n', false],
    ['\n', false],
    ['yellow\n', false],
    ['', false],
  ])('that may cost much asks, and takes %j as %s', async (typed, approved) => {
    const result = await approve(ESTIMATE, { typed });
    expect(result.approved).toBe(approved);
    expect(result.shown).toBe(
      'Estimate: 91 tests, about 169 agent calls, 8.1 million tokens, $13.01, 27m 00s; from averages, no test was measured here before\nGo on? [y/N] ',
    );
  });

  test('takes Ctrl-C as no', async () => {
    expect(await approve(ESTIMATE, { interrupt: true })).toMatchObject({ approved: false });
  });

  test('asks if the price is unknown', async () => {
    const unknown = { ...ESTIMATE, usd: 0, unpriced: ['codex'] };
    const { approved, shown } = await approve(unknown, { typed: 'n\n' });
    expect(approved).toBe(false);
    expect(shown).toContain('$0.00 (without codex: price unknown)');
  });

  test.each([
    ['costs up to $5', { ...ESTIMATE, usd: 5 }, {}],
    ['is told yes', ESTIMATE, { yes: true }],
    ['has no terminal', ESTIMATE, { isTTY: false }],
  ])('does not ask if it %s', async (_why, estimate, options) => {
    const { approved, shown } = await approve(estimate, options);
    expect(approved).toBe(true);
    expect(shown).not.toContain('[y/N]');
  });
});
