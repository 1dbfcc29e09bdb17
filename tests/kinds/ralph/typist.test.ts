import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Typist } from '../../../src/kinds/ralph/typist.js';
import { tempFolder } from '../../support/cli.js';

const NOW = new Date('2026-01-01T12:00:00Z');
const LATER = '2026-01-01T12:00:01+00:00';
const TICK_MS = 50;
const EARLIER = '2026-01-01T11:00:00+00:00';

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A typist at work in a workspace, and what it typed so far. */
function begin(terminal: 'tui' | 'rpc') {
  const workspace = tempFolder();
  mkdirSync(join(workspace, '.ralph'));
  writeFileSync(join(workspace, '.ralph/current-events'), '.ralph/events-1.jsonl\n');
  let typed = '';
  const stdin = new Writable({
    write: (data, _, done) => {
      typed += String(data);
      done();
    },
  });
  const typist = new Typist(workspace, terminal);
  typist.start(stdin);
  return {
    append: (file: string, text: string) => appendFileSync(join(workspace, file), text),
    record: (row: object) =>
      appendFileSync(join(workspace, '.ralph/events-1.jsonl'), `${JSON.stringify(row)}\n`),
    workspace,
    look: async (seconds = 1) => {
      for (let left = seconds * 1000; left > 0; left -= TICK_MS) {
        vi.advanceTimersByTime(TICK_MS);
        // The next tick is planned when this one has read its files.
        while (vi.getTimerCount() === 0 && !stdin.writableEnded) await setImmediate();
      }
      return { typed, closed: stdin.writableEnded };
    },
  };
}

const start = (ts: string) => ({ topic: 'task.start', ts, iteration: 0, hat: 'loop' });
const end = (ts: string) => ({ topic: 'loop.terminate', ts, iteration: 1, hat: 'loop' });

test('types what the agent asks for, once, and keeps the input open', async () => {
  const { append, look } = begin('rpc');
  append('typed.txt', 'one\n');
  expect(await look()).toEqual({ typed: 'one\n', closed: false });
  append('typed.txt', 'two\n');
  expect(await look()).toEqual({ typed: 'one\ntwo\n', closed: false });
});

test('closes the input when the loop has recorded its end and Ralph has written its last file', async () => {
  const { append, record, look } = begin('rpc');
  record(start(LATER));
  record(end(LATER));
  expect(await look()).toMatchObject({ closed: false });
  append('.ralph/loops.json', '{}');
  expect(await look()).toEqual({ typed: '', closed: true });
});

test('leaves the interface with q first, as a person does', async () => {
  const { append, record, look } = begin('tui');
  record(start(LATER));
  record(end(LATER));
  append('.ralph/loops.json', '{}');
  expect(await look(0.4)).toEqual({ typed: '', closed: false });
  expect(await look(2)).toEqual({ typed: expect.stringMatching(/^q{5,}$/), closed: true });
});

test('takes nothing for the end that Ralph did not record for this loop', async () => {
  const { append, record, look } = begin('rpc');
  append('.ralph/loops.json', '{}');
  // The session that this one continues.
  record(start(EARLIER));
  record(end(EARLIER));
  expect(await look()).toMatchObject({ closed: false });
  record(start(LATER));
  expect(await look()).toMatchObject({ closed: false });
  // What an agent emits under that name.
  record({ topic: 'loop.terminate', ts: LATER, payload: null });
  record({ topic: 'note', ts: LATER, payload: JSON.stringify(end(LATER)) });
  append('.ralph/events-1.jsonl', '{"topic":"loop.terminate"\n');
  expect(await look()).toMatchObject({ closed: false });
  record(end(LATER));
  expect(await look()).toMatchObject({ closed: true });
});

test.each<[what: string, put: (path: string) => void]>([
  ['a link out of the workspace', (path) => symlinkSync(outside(), path)],
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['an endless device', (path) => symlinkSync('/dev/zero', path)],
])('neither types, waits for nor believes %s in place of a file', async (_what, put) => {
  for (const file of ['typed.txt', '.ralph/loops.json', '.ralph/current-events', '.ralph/events-1.jsonl']) {
    const { workspace, append, record, look } = begin('rpc');
    append('.ralph/loops.json', '{}');
    record(start(LATER));
    record(end(LATER));
    rmSync(join(workspace, file), { force: true });
    put(join(workspace, file));
    expect(await look(), file).toEqual({ typed: '', closed: file === 'typed.txt' });
  }
});

test('reads no events outside of the workspace', async () => {
  const { workspace, append, look } = begin('rpc');
  append('.ralph/loops.json', '{}');
  writeFileSync(join(workspace, '.ralph/current-events'), relative(workspace, outside()));
  expect(await look()).toMatchObject({ closed: false });
});

/** A file that would end the loop. */
function outside(): string {
  const path = join(tempFolder(), 'outside');
  writeFileSync(path, `${JSON.stringify(start(LATER))}\n${JSON.stringify(end(LATER))}\n`);
  return path;
}
