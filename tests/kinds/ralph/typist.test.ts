import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Typist } from '../../../src/kinds/ralph/typist.js';
import { tempFolder } from '../../support/cli.js';

const NOW = new Date('2026-01-01T12:00:00Z');
const LATER = '2026-01-01T12:00:01+00:00';
const EARLIER = '2026-01-01T11:00:00+00:00';

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
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
    look: (seconds = 1) => {
      vi.advanceTimersByTime(seconds * 1000);
      return { typed, closed: stdin.writableEnded };
    },
  };
}

const start = (ts: string) => ({ topic: 'task.start', ts, iteration: 0, hat: 'loop' });
const end = (ts: string) => ({ topic: 'loop.terminate', ts, iteration: 1, hat: 'loop' });

test('types what the agent asks for, once, and keeps the input open', () => {
  const { append, look } = begin('rpc');
  append('typed.txt', 'one\n');
  expect(look()).toEqual({ typed: 'one\n', closed: false });
  append('typed.txt', 'two\n');
  expect(look()).toEqual({ typed: 'one\ntwo\n', closed: false });
});

test('closes the input when the loop has recorded its end and Ralph has written its last file', () => {
  const { append, record, look } = begin('rpc');
  record(start(LATER));
  record(end(LATER));
  expect(look()).toMatchObject({ closed: false });
  append('.ralph/loops.json', '{}');
  expect(look()).toEqual({ typed: '', closed: true });
});

test('leaves the interface with q first, as a person does', () => {
  const { append, record, look } = begin('tui');
  record(start(LATER));
  record(end(LATER));
  append('.ralph/loops.json', '{}');
  expect(look(0.4)).toEqual({ typed: '', closed: false });
  expect(look(2)).toEqual({ typed: expect.stringMatching(/^q{5,}$/), closed: true });
});

test('takes nothing for the end that Ralph did not record for this loop', () => {
  const { append, record, look } = begin('rpc');
  append('.ralph/loops.json', '{}');
  // The session that this one continues.
  record(start(EARLIER));
  record(end(EARLIER));
  expect(look()).toMatchObject({ closed: false });
  record(start(LATER));
  expect(look()).toMatchObject({ closed: false });
  // What an agent emits under that name.
  record({ topic: 'loop.terminate', ts: LATER, payload: null });
  record({ topic: 'note', ts: LATER, payload: JSON.stringify(end(LATER)) });
  append('.ralph/events-1.jsonl', '{"topic":"loop.terminate"\n');
  expect(look()).toMatchObject({ closed: false });
  record(end(LATER));
  expect(look()).toMatchObject({ closed: true });
});
