import { expect, test } from 'vitest';
import type { Check } from '../../../../src/domain/check.js';
import { parseJson } from '../../../../src/domain/common/json-lines.js';
import { rowWithTopic } from '../../../../src/domain/evidence/ralph-words.js';
import { iterationCount } from '../../../../src/kinds/ralph/checks/ending.js';
import { readEvents } from '../../../../src/kinds/ralph/evidence/events.js';
import type { WorkspaceReader } from '../../../../src/workspace/read-inside.js';
import { makeEvidence } from '../../../domain/support/evidence.js';

const PATH = '.ralph/events-1.jsonl';
const BEGAN = new Date('2026-01-01T00:00:00Z');

function read(lines: readonly string[]) {
  const files: Record<string, string> = { '.ralph/current-events': PATH, [PATH]: lines.join('\n') };
  const reader: WorkspaceReader = {
    read: async (path) => files[path] ?? null,
    readRaw: async (path) => files[path] ?? null,
    redact: async (text) => text,
    readWhole: async () => ({ kind: 'absent' }),
    cut: new Set(),
  };
  return readEvents(reader, BEGAN);
}

const start = JSON.stringify({ topic: 'task.start', ts: '2026-01-01T00:00:01Z', iteration: 0, hat: 'loop' });
const emitted = (payload: unknown) => JSON.stringify({ topic: 'note', ts: '2026-01-01T00:00:02Z', payload });
const terminated = JSON.stringify({
  topic: 'loop.terminate',
  ts: '2026-01-01T00:00:03Z',
  iteration: 1,
  hat: 'loop',
  payload: '## Reason\ncompleted\n\n## Status\nAll done.\n\n## Summary\n- Iterations: 1\n- Exit code: 0',
});

test('fields count under their own names and those of other releases', async () => {
  const summary = (iteration: number, payload: object) =>
    JSON.stringify({
      ...{ topic: 'iteration.summary', ts: '2026-01-01T00:00:02Z', iteration, hat: 'loop' },
      payload: JSON.stringify(payload),
    });
  const rows = [summary(1, { duration_ms: 1500 }), summary(2, { elapsed_ms: 2500 })];
  const { durations } = await read([start, ...rows, terminated]);
  expect([...durations]).toEqual([
    [1, 1.5],
    [2, 2.5],
  ]);
});

test('of very many events the first and the last are kept, and the rest is counted', async () => {
  const many = Array.from({ length: 50_000 }, (_, index) => emitted(`${index}`));
  const { events, leftOut, termination } = await read([start, ...many, terminated]);
  expect(events.length).toBe(4000);
  expect(events.length + leftOut).toBe(50_002);
  expect(events[1]?.payload).toBe('0');
  expect(events.at(-2)?.payload).toBe('49999');
  expect(termination).toMatchObject({ reason: 'completed', status: 'All done.', exitCode: 0 });
});

test('few events with much text are kept up to two megabytes', async () => {
  const many = Array.from({ length: 30 }, () => emitted('x'.repeat(300_000)));
  const { events, leftOut } = await read([start, ...many, emitted('y'.repeat(3_000_000))]);
  expect(events.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0)).toBeLessThan(2_100_000);
  expect(events.at(-1)?.payload).toMatch(/^y+$/);
  expect(leftOut).toBeGreaterThan(20);
});

test('an event nested two million deep is a malformed line', async () => {
  const deep = `{"topic":"t","ts":"now","payload":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`;
  const { events, malformed } = await read([start, deep, emitted('after')]);
  expect(events.map(({ topic }) => topic)).toEqual(['task.start', 'note']);
  expect(malformed).toMatchObject([{ file: PATH, line: 2 }]);
});

test('brackets in texts do not count as depth', () => {
  const value = { text: `${'['.repeat(5000)}"\\` };
  expect(parseJson(JSON.stringify(value))).toEqual(value);
});

test('the events of the run before are dropped, also from what is counted', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => emitted(`${index}`));
  const { events, leftOut } = await read([start, ...many, terminated, start, emitted('own')]);
  expect(events.map(({ payload }) => payload)).toEqual([null, 'own']);
  expect(leftOut).toBe(0);
});

test('of the run before and of what came after it, the topics are kept', async () => {
  const between = JSON.stringify({ topic: 'news', ts: '2026-01-01T00:00:04Z' });
  const { earlierTopics } = await read([start, emitted('a'), terminated, between, start, emitted('own')]);
  expect(earlierTopics).toEqual(['task.start', 'note', 'loop.terminate', 'news']);
  expect((await read([start, emitted('own')])).earlierTopics).toEqual([]);
});

test('rows have an unknown form if none can be read, and the first one is JSON', async () => {
  const renamed = (line: string) => line.replace('"topic"', '"name"');
  const formOf = async (...lines: string[]) => (await read(lines)).unknownForm;
  expect(await formOf(renamed(start), renamed(emitted('a')), renamed(terminated))).toEqual([
    'name',
    'ts',
    'iteration',
    'hat',
  ]);
  // A line that somebody broke says nothing about the others.
  expect(await formOf(renamed(start), '{"half', renamed(terminated))).not.toBeNull();
  expect(await formOf(start, renamed(emitted('a')))).toBeNull();
  expect(await formOf('{"half', renamed(emitted('a')))).toBeNull();
  expect(await formOf('[1]')).toBeNull();
  expect(await formOf()).toBeNull();
});

test('scripts find rows by the text in which the reader finds the topic', async () => {
  const { events } = await read([`{${rowWithTopic('a.b')},"ts":"2026-01-01T00:00:02Z"}`]);
  expect(events).toMatchObject([{ topic: 'a.b' }]);
});

test('a check that counts cannot be judged if events are left out', () => {
  const judge = ({ judge: run }: Check, more: object) => run(makeEvidence({ iterations: [], ...more }));
  const whole = judge(iterationCount(0), {});
  const cut = judge(iterationCount(0), { cut: ['events'], eventsLeftOut: 7 });
  expect(whole.passed).toBe(true);
  expect(cut).toMatchObject({ passed: false, actual: expect.stringContaining('7 more') });
});
