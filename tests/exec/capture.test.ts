import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { StreamCapture } from '../../src/exec/capture.js';
import { makeTempDir } from './support.js';

test('a pipe that somebody keeps open does not keep us, and what came through it counts', async () => {
  const path = join(makeTempDir(), 'stdout');
  const capture = await StreamCapture.open(path, []);
  const source = new PassThrough();
  capture.attach(source);
  source.write('before');
  expect(await capture.finish(60_000)).toMatchObject({ head: 'before', bytes: 6 });
  expect(source.destroyed).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('before');
});

test('a pipe into which somebody keeps writing does not keep us either', async () => {
  const capture = await StreamCapture.open(join(makeTempDir(), 'stdout'), []);
  const source = new PassThrough();
  const writer = setInterval(() => source.write('more\n'), 1);
  capture.attach(source);
  const { head } = await capture.finish(100);
  clearInterval(writer);
  expect(head).toMatch(/^(more\n)+$/);
});

test('a character across the border of the two ends stays whole', async () => {
  const capture = await StreamCapture.open(join(makeTempDir(), 'stdout'), []);
  const source = new PassThrough();
  capture.attach(source);
  const text = `x${'ü'.repeat(40_000)}`;
  source.end(text);
  expect(await capture.finish(60_000)).toMatchObject({ head: text, tail: '', truncated: false });
});

test.runIf(existsSync('/dev/full'))('a full disk is told, and memory keeps what it can', async () => {
  const capture = await StreamCapture.open('/dev/full', []);
  const source = new PassThrough();
  capture.attach(source);
  source.write('one ');
  source.end('two');
  const captured = await capture.finish(60_000);
  expect(captured).toMatchObject({ head: 'one two', bytes: 7 });
  expect(captured.error).toContain('ENOSPC');
});
