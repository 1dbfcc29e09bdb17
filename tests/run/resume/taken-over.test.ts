import { expect, test } from 'vitest';
import { takeOver } from '../../../src/run/resume/taken-over.js';
import { journal } from '../../report/support/journal.js';

const OFFLINE = { retries: 1, hasService: false };
const KEY = 'connect on claude';

const story = (test: Parameters<typeof journal>[0]['tests'][number], interrupted = true) =>
  journal({ tests: [{ scenarioId: 'connect', ...test }], end: { interrupted } });

test('a test that passed is taken over', () => {
  const { settled } = takeOver(story({ attempts: [{}] }), OFFLINE);
  expect([...settled.keys()]).toEqual([KEY]);
});

test('an attempt that was cut off counts for nothing, whether Ctrl-C or a kill ended it', () => {
  const cut = { outcome: 'error' as const, error: 'interrupted by the user', interrupted: true };
  for (const records of [story({ attempts: [cut] }), story({ unfinished: true })]) {
    const { settled, attempts } = takeOver(records, OFFLINE);
    expect(settled.size).toBe(0);
    expect(attempts.get(KEY)).toEqual([]);
  }
});

test('a failed attempt leaves as many retries as an undisturbed run has', () => {
  const failed = { outcome: 'failed' as const };
  const once = takeOver(story({ attempts: [failed] }), OFFLINE);
  expect(once.attempts.get(KEY)).toMatchObject([{ attempt: 1, outcome: 'failed' }]);
  expect(takeOver(story({ attempts: [failed] }), { ...OFFLINE, retries: 0 }).settled.size).toBe(1);
  expect(takeOver(story({ attempts: [failed, failed] }), OFFLINE).settled.get(KEY)).toMatchObject({
    attempt: 2,
  });
});

test('a skip stays if its reason still holds, and goes if only the interrupt was the reason', () => {
  const because = (kind: 'not-ready' | 'run-ended') =>
    takeOver(story({ skipped: 'not run', cause: { kind } }), OFFLINE).skipped.has(KEY);
  expect(because('not-ready')).toBe(true);
  expect(because('run-ended')).toBe(false);
});

test('a test that is repeated is settled once all repeats ran, whatever its threshold', () => {
  const rules = { retries: 0, hasService: false, repeated: true };
  const repeats = (outcomes: readonly ('passed' | 'failed')[]) =>
    story({ attempts: outcomes.map((outcome, index) => ({ outcome, repeat: index + 1 })) });
  const after = (outcomes: readonly ('passed' | 'failed')[], threshold: number | null = null) =>
    takeOver(repeats(outcomes), rules, { times: 3, threshold });
  expect(after(['passed', 'failed']).attempts.get(KEY)).toHaveLength(2);
  expect(after(['passed', 'failed', 'passed']).settled.has(KEY)).toBe(true);
  expect(after(['failed', 'failed'], 0.9).settled.has(KEY)).toBe(false);
  expect(after(['failed', 'failed', 'passed'], 0.9).settled.has(KEY)).toBe(true);
});
