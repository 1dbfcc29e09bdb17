import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  joinCaptures,
  joinHeadAndTail,
  readCapture,
  StreamCapture,
} from '../../../src/exec/process/capture.js';
import { makeTempDir } from '../support.js';

test('a pipe that somebody keeps open does not keep us, and what came through it counts', async () => {
  const path = join(makeTempDir(), 'stdout');
  const capture = await StreamCapture.open(path, { secrets: [] });
  const source = new PassThrough();
  capture.attach(source);
  source.write('before');
  expect(await capture.finish(60_000)).toMatchObject({ head: 'before', bytes: 6 });
  expect(source.destroyed).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('before');
});

test('a pipe into which somebody keeps writing does not keep us either', async () => {
  const capture = await StreamCapture.open(join(makeTempDir(), 'stdout'), { secrets: [] });
  const source = new PassThrough();
  const writer = setInterval(() => source.write('more\n'), 1);
  capture.attach(source);
  const { head } = await capture.finish(100);
  clearInterval(writer);
  expect(head).toMatch(/^(more\n)+$/);
});

test('what is still in the pipe while the disk is slow counts', async () => {
  const folder = makeTempDir();
  let wrote = () => {};
  const writing = new Promise<void>((resolve) => {
    wrote = resolve;
  });
  const capture = await StreamCapture.open(join(folder, 'stdout'), { secrets: [], onOutput: () => wrote() });
  const source = new PassThrough();
  const release = occupyDisk(join(folder, 'gate'));
  capture.attach(source);
  source.write('first ');
  await writing;
  source.end('last');
  const finished = capture.finish(60_000);
  // More looks at the pipe than a silent one gets.
  for (let look = 0; look < 60; look += 1) await sleep(10);
  release();
  expect(await finished).toMatchObject({ head: 'first last' });
});

/** Keeps all of Node's threads for files busy: each waits for somebody who writes into a pipe. */
function occupyDisk(gate: string): () => void {
  execFileSync('mkfifo', [gate]);
  const waiting = Array.from({ length: 4 }, () => open(gate, 'r'));
  return () => {
    const writer = openSync(gate, 'r+');
    void Promise.all(waiting).then((files) => {
      closeSync(writer);
      return Promise.all(files.map((file) => file.close()));
    });
  };
}

test('a character across the border of the two ends stays whole', async () => {
  const capture = await StreamCapture.open(join(makeTempDir(), 'stdout'), { secrets: [] });
  const source = new PassThrough();
  capture.attach(source);
  const text = `x${'ü'.repeat(40_000)}`;
  source.end(text);
  expect(await capture.finish(60_000)).toMatchObject({ head: text, tail: '', truncated: false });
});

/** Everything that a capture gives back to who reads it. */
async function readAll(captured: Parameters<typeof readCapture>[0]): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readCapture(captured)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Captures `before`, lets somebody do something to the file, then captures `after`. */
async function captureWith(deed: (path: string) => void, more = '') {
  const path = join(makeTempDir(), 'stdout');
  const capture = await StreamCapture.open(path, { secrets: [] });
  const source = new PassThrough();
  capture.attach(source);
  source.write('before ');
  await expect.poll(() => readFileSync(path, 'utf8'), { timeout: 30_000 }).toBe('before ');
  deed(path);
  source.end(`${more}after`);
  return { path, captured: await capture.finish(60_000) };
}

const moveAway = (path: string) => renameSync(path, `${path}-away`);

test.each<[string, readonly ((path: string) => void)[], string]>([
  ['removes it', [(path) => rmSync(path)], 'was removed'],
  ['removes its folder', [(path) => rmSync(join(path, '..'), { recursive: true })], 'was removed'],
  ['moves it away', [moveAway], 'was removed'],
  ['puts another file there', [moveAway, (path) => writeFileSync(path, 'forged words')], 'was replaced'],
  ['puts a folder there', [moveAway, (path) => mkdirSync(path)], 'was replaced'],
  ['puts a link there', [moveAway, (path) => symlinkSync(`${path}-away`, path)], 'was replaced'],
  ['cuts it short', [(path) => writeFileSync(path, '')], 'was changed'],
  ['writes into it', [(path) => appendFileSync(path, 'forged')], 'was changed'],
])('somebody who %s is told of, and what was printed is remembered', async (_, deeds, told) => {
  const { path, captured } = await captureWith((file) => {
    for (const deed of deeds) deed(file);
  });
  expect(captured).toMatchObject({ head: 'before after', bytes: 12 });
  expect(captured.error).toBe(`${path} ${told} while it was written`);
  expect(await readAll(captured)).toBe('before after');
});

test('what is lost for good is not said to be in the file', async () => {
  const { captured } = await captureWith((path) => rmSync(path), 'x'.repeat(300_000));
  expect(joinHeadAndTail(captured)).toMatch(
    /\n… \d+ bytes omitted, \S+ was removed while it was written …\n/,
  );
});

test('captures are joined though one is gone since, and something else lies where they go', async () => {
  const parts = [(await captureWith(() => {})).captured, (await captureWith(() => {})).captured];
  expect(parts.map(({ error }) => error)).toEqual([undefined, undefined]);
  const [gone = ''] = parts.map(({ path }) => path);
  rmSync(gone);
  const folder = makeTempDir();
  mkdirSync(join(folder, 'joined/of-the-agent'), { recursive: true });
  const joined = await joinCaptures(parts, join(folder, 'joined'));
  expect(joined).toMatchObject({ head: 'before afterbefore after', bytes: 24 });
  expect(joined.error).toBe(`${gone} was removed or replaced later`);
  expect(readFileSync(joined.path, 'utf8')).toBe('before afterbefore after');
});

test('a link in the place of a new file is not followed', async () => {
  const folder = makeTempDir();
  writeFileSync(join(folder, 'precious'), 'precious');
  symlinkSync(join(folder, 'precious'), join(folder, 'stdout'));
  const capture = await StreamCapture.open(join(folder, 'stdout'), { secrets: [] });
  expect((await capture.finish(0)).error).toBeUndefined();
  expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('precious');
});

test.runIf(existsSync('/dev/full'))('a full disk is told, and memory keeps what it can', async () => {
  const capture = await StreamCapture.open('/dev/full', { secrets: [] });
  const source = new PassThrough();
  capture.attach(source);
  source.write('one ');
  source.end('two');
  const captured = await capture.finish(60_000);
  expect(captured).toMatchObject({ head: 'one two', bytes: 7 });
  expect(captured.error).toContain('ENOSPC');
});
