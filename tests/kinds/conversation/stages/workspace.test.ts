import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFileAfter, WorkspaceWatch } from '../../../../src/kinds/conversation/stages/workspace.js';
import { covers } from '../../../coverage/covers.js';
import { tempFolder } from '../../../support/cli.js';

async function openWatch(asks: readonly string[], secrets: readonly string[] = []) {
  const folder = tempFolder();
  const put = (path: string, text: string) => writeFileSync(join(folder, path), text);
  put('kept.txt', 'as it was');
  put('note.txt', 'zero');
  const watch = await WorkspaceWatch.open(folder, { asks, secrets });
  return {
    folder,
    watch,
    put,
    after: (turn: number, path: string) => findFileAfter(watch.snapshots, turn, path),
  };
}

const whole = (text: string, scrubbed = false) => ({ kind: 'whole', text, scrubbed });

test('the content of a file after each turn stays known, whatever later turns do to it', async () => {
  covers('C56');
  const { folder, watch, put, after } = await openWatch(['note.txt', 'kept.txt', 'new.txt']);
  put('note.txt', 'one');
  await watch.look(1);
  put('note.txt', 'two!');
  put('new.txt', 'made in two');
  await watch.look(2);
  rmSync(join(folder, 'note.txt'));
  await watch.look(3);
  put('note.txt', 'four');
  await watch.look(4);
  expect([0, 1, 2, 3, 4].map((turn) => after(turn, 'note.txt'))).toEqual([
    whole('zero'),
    whole('one'),
    whole('two!'),
    { kind: 'absent' },
    whole('four'),
  ]);
  expect([1, 2, 4].map((turn) => after(turn, 'new.txt'))).toEqual([
    { kind: 'absent' },
    whole('made in two'),
    whole('made in two'),
  ]);
  expect(after(4, 'kept.txt')).toEqual(whole('as it was'));
  expect(watch.snapshots.map(({ files }) => files.map(({ path, change }) => `${path} ${change}`))).toEqual([
    ['note.txt present', 'kept.txt present'],
    ['note.txt modified'],
    ['note.txt modified', 'new.txt added'],
    ['note.txt deleted'],
    ['note.txt added'],
  ]);
});

test('what was not looked at is not known', async () => {
  const { watch } = await openWatch(['note.txt']);
  await watch.look(1);
  expect(findFileAfter(watch.snapshots, 1, 'kept.txt', ['note.txt'])).toMatchObject({ kind: 'unknown' });
  expect(findFileAfter(watch.snapshots, 2, 'note.txt', ['note.txt'])).toMatchObject({ kind: 'unknown' });
});

test('files that nobody asks for are kept if they are short, and named if they are not', async () => {
  const { watch, put } = await openWatch([]);
  put('short.txt', 'short');
  put('long.txt', 'x'.repeat(5000));
  await watch.look(1);
  expect(watch.snapshots[1]?.files).toEqual([
    expect.objectContaining({
      path: 'long.txt',
      change: 'added',
      content: expect.objectContaining({ kind: 'unknown' }),
    }),
    { path: 'short.txt', change: 'added', sizeBytes: 5, content: whole('short') },
  ]);
});

test('credentials are not kept, and a change of one is a change', async () => {
  const secrets = ['s3cret-value-one', 's3cret-value-two'];
  const { watch, put, after } = await openWatch(['note.txt'], secrets);
  put('note.txt', 'key=s3cret-value-one');
  put('other.txt', 'key=s3cret-value-one');
  await watch.look(1);
  expect(after(1, 'other.txt')).toMatchObject({ scrubbed: true });
  put('note.txt', 'key=s3cret-value-two');
  await watch.look(2);
  expect(JSON.stringify(watch.snapshots)).not.toContain('s3cret');
  expect(after(2, 'note.txt')).toMatchObject({ kind: 'whole', scrubbed: true });
  expect(watch.snapshots[2]?.files.map(({ change }) => change)).toEqual(['modified']);
});

test('a file behind a link is followed inside the workspace and nowhere else', async () => {
  const { folder, watch, put, after } = await openWatch(['linked/note.txt', 'out/note.txt']);
  mkdirSync(join(folder, 'real'));
  put('real/note.txt', 'inside');
  symlinkSync('real', join(folder, 'linked'));
  const outside = tempFolder();
  writeFileSync(join(outside, 'note.txt'), 'not yours');
  symlinkSync(outside, join(folder, 'out'));
  await watch.look(1);
  put('real/note.txt', 'inside, again');
  await watch.look(2);
  expect([after(1, 'linked/note.txt'), after(2, 'linked/note.txt')]).toEqual([
    whole('inside'),
    whole('inside, again'),
  ]);
  expect(after(2, 'out/note.txt').kind).toBe('unknown');
  expect(JSON.stringify(watch.snapshots)).not.toContain('not yours');
});

test('however much is written, the snapshots stay small, and say what they left out', async () => {
  const { watch, put, after } = await openWatch(['note.txt']);
  for (let turn = 1; turn <= 6; turn += 1) {
    put('note.txt', `${turn}`.repeat(1_000_000));
    await watch.look(turn);
  }
  expect(JSON.stringify(watch.snapshots).length).toBeLessThan(5_000_000);
  expect(after(1, 'note.txt').kind).toBe('whole');
  expect(after(6, 'note.txt')).toMatchObject({ kind: 'unknown', why: expect.stringContaining('limit') });
});
