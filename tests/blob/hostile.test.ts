import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { mergeRuns } from '../../src/blob/merge.js';
import { BLOB_LIMITS, type BlobLimits, unpackBlob } from '../../src/blob/pack.js';
import { KnownError } from '../../src/domain/common/known-error.js';
import type { JournalEvent } from '../../src/domain/journal.js';
import { tempFolder } from '../support/cli.js';
import { type Archive, PLAN, packArchive, recordsOf } from './support/archive.js';

const HOME = '/home/somebody/.e2e-tests';
const RECORDS = recordsOf({ index: 1, total: 1, plan: PLAN.slice(0, 2) }, HOME);
const FINE = { path: 'test-1-claude/1/stdout.txt', bytes: 'hello' };

/** The records, with the first attempt that ended changed. */
function withAttempt(change: Partial<Extract<JournalEvent, { type: 'attempt-finished' }>>): JournalEvent[] {
  const at = RECORDS.findIndex(({ type }) => type === 'attempt-finished');
  return RECORDS.map((event, index) =>
    event.type === 'attempt-finished' && index === at ? { ...event, ...change } : event,
  );
}

const CHECK = {
  ...({
    key: 'ends',
    kind: 'completed',
    name: 'the loop completes',
    category: 'TerminationReason',
    passed: true,
  } as const),
  ...{ expected: '', actual: '', diff: null, suggestion: null },
};

/** The records of a run with `--repeat 2`, which retries nothing, and in which a test has a second attempt. */
const RETRIED = withAttempt({ outcome: 'failed' }).flatMap((event): JournalEvent[] => {
  if (event.type === 'run-started') return [{ ...event, repeat: { times: 2, threshold: null } }];
  if (event.type !== 'attempt-finished' || event.scenarioId !== 'test-1') return [event];
  const { scenarioId, backend, at } = event;
  const artifacts = event.artifacts.replace(/1$/, '2');
  return [
    event,
    { type: 'attempt-started', at, scenarioId, backend, attempt: 2 },
    { ...event, attempt: 2, outcome: 'passed', artifacts },
  ];
});

async function merge(blob: string) {
  const folder = tempFolder();
  const call = { blobs: [blob], output: join(folder, 'merged'), program: [], startedIn: folder };
  const records = await mergeRuns(call, async (run) => run.records);
  return { records, output: join(folder, 'merged') };
}

/** Merges a blob, and returns why it was refused. Nothing may be written anywhere. */
async function refusalOf(content: Buffer): Promise<string> {
  const folder = tempFolder();
  const blob = join(folder, 'blob-1-of-1.ralph-e2e');
  writeFileSync(blob, content);
  const call = { blobs: [blob], output: join(folder, 'deep/merged'), program: [], startedIn: folder };
  const error = await mergeRuns(call, async () => null).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(readdirSync(folder)).toEqual(['blob-1-of-1.ralph-e2e']);
  expect(error).toBeInstanceOf(KnownError);
  return error instanceof KnownError ? error.message : '';
}

const archive = (change: Partial<Archive>) => packArchive({ records: RECORDS, files: [FINE], ...change });

test('the blob that the others are made from is fine', async () => {
  const blob = join(tempFolder(), 'blob');
  writeFileSync(blob, archive({}));
  const { records } = await merge(blob);
  expect(records.filter(({ type }) => type === 'attempt-finished')).toHaveLength(2);
});

describe('a blob is refused, and nothing is written, with', () => {
  test.each<[string, { readonly path: string; readonly bytes: string }]>([
    ['a path that leaves the folder', { path: '../../evil.txt', bytes: '' }],
    [
      'a path that leaves the folder in the middle',
      { path: 'test-1-claude/../../evil/stdout.txt', bytes: '' },
    ],
    ['an attempt that is the folder above', { path: 'test-1-claude/../stdout.txt', bytes: '' }],
    ['an absolute path', { path: '/etc/cron.d/evil', bytes: '' }],
    ['a path with a drive', { path: 'C:\\evil\\stdout.txt', bytes: '' }],
    ['a path with backslashes', { path: 'test-1-claude\\1\\stdout.txt', bytes: '' }],
    ['an empty path', { path: '', bytes: '' }],
    ['a path with a line feed', { path: 'test-1-claude/1/stdout.txt\n', bytes: '' }],
    ['a path with an escape sequence', { path: 'test-1-claude/1/\u001b[2Jstdout.txt', bytes: '' }],
    ['a path with a null', { path: 'test-1-claude/1/stdout.txt\u0000.exe', bytes: '' }],
    [
      'a path with a character that turns text around',
      { path: 'test-1-claude/1/\u202etxt.stdout', bytes: '' },
    ],
    ['a path of a million characters', { path: 'a'.repeat(60_000), bytes: '' }],
    ['a report as a file', { path: 'report.html', bytes: '<script>' }],
    ['a program', { path: 'test-1-claude/1/ralph', bytes: '#!/bin/sh' }],
    ['a file with the name of a folder', { path: 'test-1-claude/1', bytes: '' }],
  ])('%s', async (_, file) => {
    expect(await refusalOf(archive({ files: [FINE, file] }))).toContain('which no run leaves');
  });

  test.each<[string, Buffer, string]>([
    [
      'a file twice on some file systems',
      archive({ files: [FINE, { path: 'Test-1-claude/1/stdout.txt', bytes: '' }] }),
      'twice',
    ],
    [
      'a file below a file',
      archive({ more: '{"path":"journal.jsonl/1/stdout.txt","bytes":""}\n' }),
      'a file where a folder should be',
    ],
    ['a file without a path', archive({ more: '{"bytes":""}\n' }), 'something else in line 4'],
    [
      'a link',
      archive({ more: '{"path":"test-1-claude/1/stdout.txt","link":"/etc/passwd"}\n' }),
      'something else in line 4',
    ],
    [
      'a file with more fields, such as a mode',
      archive({ more: '{"path":"test-1-claude/1/stdout.txt","bytes":"","mode":493}\n' }),
      'something else in line 4',
    ],
    ['a line without its end', archive({ more: '{' }), 'a line without its end'],
    ['no journal', gzipSync('{"blob":"ralph-e2e","format":1}\n'), 'no journal'],
    ['no records', archive({ records: [] }), 'records without a beginning'],
    ['records without a beginning', archive({ records: RECORDS.slice(1) }), 'records without a beginning'],
    [
      'a shard beyond the last one',
      archive({ records: recordsOf({ index: 9, total: 2, plan: [] }, HOME) }),
      'a part of a run that cannot be',
    ],
    ['two beginnings', archive({ records: [...RECORDS, ...RECORDS] }), 'damaged'],
    [
      'records whose seals are broken',
      archive({
        records: RECORDS,
        files: [{ path: 'journal.jsonl', bytes: `${JSON.stringify(RECORDS.at(-1))}\n` }],
      }),
      'a journal that was changed: line ',
    ],
    [
      'a record nested ten thousand times',
      archive({ files: [{ path: 'journal.jsonl', bytes: `${'['.repeat(10_000)}${']'.repeat(10_000)}\n` }] }),
      'of the journal: expected a record',
    ],
    ['another format', archive({ header: { blob: 'ralph-e2e', format: 2 } }), 'has format 2'],
    ['no header', gzipSync('hello\n'), 'something else where its format is'],
    ['a line of 20 megabytes', gzipSync('x'.repeat(20_000_000)), 'a line of more than'],
    [
      'a record with a folder that leads out',
      archive({ records: withAttempt({ artifacts: `${HOME}/test-1-claude/..` }) }),
      'Expected a plain attempt name',
    ],
    [
      'a test that was not planned',
      archive({ records: withAttempt({ scenarioId: 'test-9' }) }),
      'not in the plan',
    ],
    [
      'a pass beside a failed check',
      archive({ records: withAttempt({ checks: [{ ...CHECK, passed: false }] }) }),
      'attempt 1 of test-1 [claude] is recorded as passed beside a failed check: the loop completes',
    ],
    ['a pass without a check', archive({ records: withAttempt({ checks: [] }) }), 'passed without a check'],
    [
      'a known issue that nobody planned',
      archive({ records: withAttempt({ outcome: 'known-issue', checks: [{ ...CHECK, passed: false }] }) }),
      'known-issue where none is planned',
    ],
    ['a second attempt without a retry', archive({ records: RETRIED }), 'passed after its last retry'],
    ['no content', Buffer.alloc(0), 'something else, or a file'],
    ['something else', Buffer.from('PK\u0003\u0004 a zip archive'), 'something else, or a file'],
  ])('%s', async (_, content, found) => {
    expect(await refusalOf(content)).toContain(found);
  });

  test('a path that is a pipe, a folder or nothing', async () => {
    const folder = tempFolder();
    for (const [path, found] of [
      [join(folder, 'none'), 'found no file: it does not exist.'],
      ['/dev/zero', 'found no readable file.'],
      [folder, 'found a folder.'],
    ] as const)
      await expect(unpackBlob(path, folder)).rejects.toThrow(found);
  });
});

test('what a record names elsewhere is neither read nor linked to', async () => {
  const blob = join(tempFolder(), 'blob');
  writeFileSync(blob, archive({ records: withAttempt({ artifacts: '/etc' }) }));
  const { records, output } = await merge(blob);
  const folders = records.flatMap((event) => (event.type === 'attempt-finished' ? [event.artifacts] : []));
  for (const folder of folders) expect(folder.startsWith(`${output}/runs/`)).toBe(true);
  expect(folders[0]).toMatch(/\/test-1-claude\/etc$/);
  expect(existsSync(folders[0] ?? '')).toBe(false);
});

describe('a blob that unpacks to more than it may is refused', () => {
  const LIMITS: BlobLimits = { ...BLOB_LIMITS, unpackedBytes: 200_000, pieces: 5 };

  test.each<[string, Archive['files'], string]>([
    ['in bytes', [{ ...FINE, bytes: 'x'.repeat(260_000) }], 'more than 200000 bytes when unpacked'],
    ['in pieces', Array.from({ length: 6 }, () => FINE), 'more than 5 pieces'],
  ])('%s', async (_, files = [], found) => {
    const folder = tempFolder();
    const blob = join(folder, 'bomb');
    writeFileSync(blob, archive({ files }));
    await expect(unpackBlob(blob, join(folder, 'out'), LIMITS)).rejects.toThrow(found);
  });

  test('before it is unpacked, if the file itself is too large', async () => {
    const folder = tempFolder();
    const blob = join(folder, 'bomb');
    writeFileSync(blob, archive({}));
    const limits = { ...BLOB_LIMITS, packedBytes: 100 };
    await expect(unpackBlob(blob, join(folder, 'out'), limits)).rejects.toThrow('at most 100');
  });
});

test('links in a folder of blobs are not followed', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'elsewhere'));
  writeFileSync(join(folder, 'elsewhere/blob-1-of-1.ralph-e2e'), archive({}));
  mkdirSync(join(folder, 'blobs'));
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'blobs/link'));
  await expect(merge(join(folder, 'blobs'))).rejects.toThrow('expected a folder with blobs, found none');
});
