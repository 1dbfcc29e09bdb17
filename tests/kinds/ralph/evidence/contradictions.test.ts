import { describe, expect, test } from 'vitest';
import type { Invocation } from '../../../../src/domain/agent-script.js';
import type { EventRecord } from '../../../../src/domain/evidence/evidence.js';
import { fingerprint } from '../../../../src/domain/text/fingerprint.js';
import { findContradictions } from '../../../../src/kinds/ralph/evidence/contradictions.js';
import { cutToSent } from '../../../../src/kinds/ralph/evidence/prompt-log.js';

const record = (topic: string, iteration: number): EventRecord => ({
  ...{ topic, iteration, payload: '', timestamp: '', hat: 'loop', source: 'ralph' },
});
const output = (number: number, seconds?: number) => ({
  ...{ number, hat: 'ralph', lines: [], stderr: [] },
  ...(seconds === undefined ? {} : { seconds }),
});
const call = (prompt: string): Invocation => ({
  ...{ at: '', backend: 'claude', argv: [], cwd: '', environmentNames: [], promptSource: 'stdin' },
  promptBytes: 0,
  promptHash: fingerprint(prompt),
  ...{ conversation: '', place: null, matched: null, outcome: 'played' },
});
const prompt = (iteration: number, text: string) => ({
  ...{ iteration, hat: 'ralph', prompt: text },
  hash: fingerprint(text),
});
const SUMMARY = 'iteration.summary';

type Sources = Parameters<typeof findContradictions>[0];
const find = (events: EventRecord[], more: Partial<Sources> = {}) =>
  findContradictions({
    events: {
      ...{ path: 'e', events, leftOut: 0, earlierTopics: [], malformed: [], unknownForm: null },
      ...{ termination: null, durations: new Map() },
    },
    prompts: [prompt(1, 'one'), prompt(2, 'two')],
    transcript: [output(1, 0), output(2, 0)],
    invocations: [call('one'), call('two')],
    recordsSummaries: true,
    isWithin: () => true,
    ...more,
  });
const honest = [record(SUMMARY, 1), record(SUMMARY, 2), record('loop.terminate', 2)];

describe('contradictions between the records of Ralph and what it printed and sent', () => {
  test('are none in an honest run, in one that was cut short, and in one that printed no iterations', () => {
    expect(find(honest)).toEqual([]);
    expect(find(honest.slice(0, 1), { transcript: [output(1, 0), output(2)] })).toEqual([]);
    expect(find(honest, { transcript: [] })).toEqual([]);
  });

  test.each([
    ['an iteration that was not printed', [...honest, record(SUMMARY, 3)], 'an end of iteration 3'],
    ['an iteration recorded twice', [...honest, record(SUMMARY, 2)], 'several ends of iteration 2'],
    ['an iteration that is not recorded', honest.slice(1), 'the end of iteration 1'],
    ['two ends of the loop', [...honest, record('loop.terminate', 2)], '2 ends of the loop'],
  ])('show %s', (_name, events, words) => {
    expect(find(events)).toEqual([expect.stringContaining(words)]);
  });

  test('show a prompt that nobody was sent, unless a command of somebody else may have got it', () => {
    const forged = [prompt(1, 'one'), prompt(2, 'forged')];
    expect(find(honest, { prompts: forged })).toEqual([expect.stringContaining('prompt of iteration 2')]);
    expect(find(honest, { prompts: forged, invocations: [call('one')] })).toEqual([]);
    expect(find(honest, { prompts: forged, invocations: [] })).toEqual([]);
    const third = [prompt(1, 'one'), prompt(2, 'two'), prompt(3, 'two')];
    expect(find(honest, { prompts: third })).toEqual([expect.stringContaining('a prompt of iteration 3')]);
  });
});

describe('a log that goes on with the prompts of another run', () => {
  const sent = { ...call('one'), promptBytes: 4 };
  const cut = (text: string) => cutToSent([prompt(1, text)], [sent])[0]?.prompt;

  test('is cut to what was sent', () => {
    expect(cut('one\n\n---\n\n# Iteration 1 — ralph\n\nother')).toBe('one');
    expect(cut('one')).toBe('one');
  });

  test('is left as it is if it begins otherwise', () => {
    expect(cut('two\n\n---')).toBe('two\n\n---');
  });
});
