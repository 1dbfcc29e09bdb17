import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeBlob } from '../../src/blob/describe.js';
import { BLOB_LIMITS, type BlobLimits } from '../../src/blob/format.js';
import { readShardBlob } from '../../src/blob/read-shard.js';
import { KnownError } from '../../src/domain/common/known-error.js';
import type { JournalEvent } from '../../src/domain/journal.js';
import { createSealer } from '../../src/journal/seal.js';
import { mergeRuns } from '../../src/merge-runs.js';
import { tempFolder } from '../support/cli.js';
import { type Archive, closeArchive, type HandMade, packArchive, recordsOf } from './support/archive.js';

const PLAN = [1, 2].map((number) => ({
  ...{ scenarioId: `test-${number}`, backend: 'claude' as const, shard: 1, seconds: 1 },
}));
const RECORDS = recordsOf({ index: 1, total: 1, plan: PLAN }, '/home/somebody/.e2e-tests');
const HEADER = describeBlob(RECORDS);
const FINE: HandMade = { path: 'test-1-claude/1/stdout.txt', content: 'hello' };

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

/** Makes the lines of a journal, with their seals. */
function createLine(): (record: JournalEvent) => string {
  const seal = createSealer();
  return (record) => `${seal(JSON.stringify(record))}\n`;
}

/** Merges a blob, and returns why it was refused. Nothing may be written anywhere. */
async function refusalOf(content: Buffer): Promise<string> {
  const folder = tempFolder();
  const blob = join(folder, 'blob-1-of-1.ralph-e2e');
  writeFileSync(blob, content);
  const merge = {
    blobs: [blob],
    output: join(folder, 'deep/merged'),
    formats: [],
    program: [],
    startedIn: folder,
  };
  const error = await mergeRuns(merge).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(readdirSync(folder)).toEqual(['blob-1-of-1.ralph-e2e']);
  expect(error).toBeInstanceOf(KnownError);
  return error instanceof KnownError ? error.message : '';
}

const archive = (change: Partial<Archive>) =>
  packArchive({ header: HEADER, records: RECORDS, files: [FINE], ...change });

test('the blob that the others are made from is fine', async () => {
  const folder = tempFolder();
  const blob = join(folder, 'blob');
  writeFileSync(blob, archive({}));
  expect((await readShardBlob(blob)).records).toHaveLength(RECORDS.length);
});

describe('a blob is refused, and nothing is written, with', () => {
  test.each<[string, HandMade]>([
    ['a path that leaves the folder', { path: '../../evil.txt', content: '' }],
    [
      'a path that leaves the folder in the middle',
      { path: 'test-1-claude/../../evil/stdout.txt', content: '' },
    ],
    ['an attempt that is the folder above', { path: 'test-1-claude/../stdout.txt', content: '' }],
    ['an absolute path', { path: '/etc/cron.d/evil', content: '' }],
    ['a path with a drive', { path: 'C:\\evil\\stdout.txt', content: '' }],
    ['a path with backslashes', { path: 'test-1-claude\\1\\stdout.txt', content: '' }],
    ['an empty path', { path: '', content: '' }],
    ['a path with a line feed', { path: 'test-1-claude/1/stdout.txt\n', content: '' }],
    ['a path with an escape sequence', { path: 'test-1-claude/1/\u001b[2Jstdout.txt', content: '' }],
    ['a path with a null', { path: 'test-1-claude/1/stdout.txt\u0000.exe', content: '' }],
    [
      'a path with a character that turns text around',
      { path: 'test-1-claude/1/\u202etxt.stdout', content: '' },
    ],
    ['a path of a million characters', { path: 'a'.repeat(60_000), content: '' }],
    ['the journal as a file', { path: 'journal.jsonl', content: '' }],
    ['a report as a file', { path: 'report.html', content: '<script>' }],
    ['a program', { path: 'test-1-claude/1/ralph', content: '#!/bin/sh' }],
    ['a file of a test that did not run', { path: 'test-9-claude/1/stdout.txt', content: '' }],
    ['a file of an attempt that did not run', { path: 'test-1-claude/2/stdout.txt', content: '' }],
    ['a file with the name of a folder', { path: 'test-1-claude/1', content: '' }],
  ])('%s', async (_, file) => {
    expect(await refusalOf(archive({ files: [FINE, file] }))).toContain('which no run leaves');
  });

  test.each<[string, Buffer, string]>([
    ['a file twice', archive({ files: [FINE, FINE] }), 'twice'],
    [
      'a wrong hash',
      archive({ files: [{ ...FINE, sha256: '0'.repeat(64) }] }),
      'other content than recorded',
    ],
    ['a file longer than it says', archive({ files: [{ ...FINE, size: 3 }] }), 'other content than recorded'],
    ['a file that ends before its length', archive({ files: [{ ...FINE, size: 5000 }] }), 'fewer bytes'],
    ['a file of a terabyte', archive({ files: [{ ...FINE, size: 2 ** 40 }] }), `with ${2 ** 40} bytes`],
    [
      'a file of a negative length',
      archive({ files: [{ ...FINE, size: -1 }] }),
      'something else where file 1',
    ],
    [
      'a link',
      archive({ files: ['{"path":"test-1-claude/1/stdout.txt","link":"/etc/passwd"}\n'] }),
      'something else where file 1',
    ],
    [
      'a file with more fields, such as a mode',
      archive({ files: ['{"path":"test-1-claude/1/stdout.txt","size":0,"sha256":"","mode":493}\n\n'] }),
      'something else where file 1',
    ],
    ['no end', archive({ end: '' }), 'no end where file 2'],
    ['another number of files', archive({ end: '{"end":true,"files":7,"leftOut":0}\n' }), 'its end says 7'],
    [
      'something after its end',
      archive({ end: '{"end":true,"files":1,"leftOut":0}\n{"more":1}\n' }),
      'something after its end',
    ],
    ['no records', archive({ records: [] }), 'records without a beginning'],
    ['records without a beginning', archive({ records: RECORDS.slice(1) }), 'records without a beginning'],
    ['two beginnings', archive({ records: [...RECORDS, ...RECORDS] }), 'damaged'],
    [
      'a record that is none',
      closeArchive([`${JSON.stringify(HEADER)}\n`, '{"type":"run-started"}\n', '\n']),
      'record 1, which is none',
    ],
    [
      'a record nested ten thousand times',
      closeArchive([`${JSON.stringify(HEADER)}\n`, `${'['.repeat(10_000)}${']'.repeat(10_000)}\n`, '\n']),
      'record 1, which is none',
    ],
    [
      'records whose seals are broken',
      closeArchive([
        `${JSON.stringify(HEADER)}\n`,
        ...RECORDS.map(createLine()).map((line) => line.replace('"outcome":"failed"', '"outcome":"passed"')),
        '\n{"end":true,"files":0,"leftOut":0}\n',
      ]),
      'records of which line',
    ],
    ['a header of another run', archive({ header: { ...HEADER, runId: 'another' } }), 'about another run'],
    [
      'a header of another shard',
      archive({ header: { ...HEADER, shard: { index: 1, total: 9 } } }),
      'about another run',
    ],
    ['another format', archive({ header: { ...HEADER, format: 2 } }), 'has format 2'],
    ['no header', closeArchive(['hello\n']), 'its header'],
    ['a header of a megabyte', closeArchive([`${'x'.repeat(1_000_000)}\n`]), 'a line of more than'],
    [
      'a record with a folder elsewhere',
      archive({ records: withAttempt({ artifacts: '/etc' }) }),
      'the folder "/etc" in a record',
    ],
    [
      'a record with a folder that leads out',
      archive({
        records: withAttempt({
          artifacts: `/home/somebody/.e2e-tests/runs/${HEADER.runId}/test-1-claude/../../..`,
        }),
      }),
      'in a record',
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
    ['no content', Buffer.alloc(0), 'an empty file'],
    ['something else', Buffer.from('PK\u0003\u0004 a zip archive'), 'something else'],
  ])('%s', async (_, content, found) => {
    expect(await refusalOf(content)).toContain(found);
  });

  test('a path that is a pipe, a folder or nothing', async () => {
    const folder = tempFolder();
    await expect(readShardBlob(join(folder, 'none'))).rejects.toThrow('no readable file');
    await expect(readShardBlob('/dev/zero')).rejects.toThrow('no readable file');
    await expect(readShardBlob(folder)).rejects.toThrow('no readable file');
  });
});

describe('a blob that unpacks to more than it may is refused', () => {
  const LIMITS: BlobLimits = { ...BLOB_LIMITS, unpackedBytes: 200_000, fileBytes: 150_000, files: 3 };

  test.each<[string, readonly HandMade[], string]>([
    ['in one file', [{ ...FINE, content: 'x'.repeat(160_000) }], 'with 160000 bytes'],
    [
      'in all files together',
      [
        FINE,
        { path: 'test-1-claude/1/stderr.txt', content: 'x'.repeat(140_000) },
        { path: 'test-1-claude/1/evidence.json', content: 'x'.repeat(140_000) },
      ],
      'more than 200000 bytes when unpacked',
    ],
    ['in the number of files', Array.from({ length: 4 }, () => FINE), 'more than 3 files'],
  ])('%s', async (_, files, found) => {
    const blob = join(tempFolder(), 'bomb');
    writeFileSync(blob, archive({ files }));
    await expect(readShardBlob(blob, LIMITS)).rejects.toThrow(found);
  });

  test('before it is unpacked, if the file itself is too large', async () => {
    const blob = join(tempFolder(), 'bomb');
    writeFileSync(blob, archive({}));
    await expect(readShardBlob(blob, { ...BLOB_LIMITS, packedBytes: 100 })).rejects.toThrow('at most 100');
  });
});

test('links in a folder of blobs are not followed', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'elsewhere'));
  writeFileSync(join(folder, 'elsewhere/blob-1-of-1.ralph-e2e'), archive({}));
  mkdirSync(join(folder, 'blobs'));
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'blobs/link'));
  const merge = {
    blobs: [join(folder, 'blobs')],
    output: join(folder, 'merged'),
    formats: [],
    program: [],
    startedIn: folder,
  };
  await expect(mergeRuns(merge)).rejects.toThrow('expected a folder with blobs, found none');
  expect(existsSync(join(folder, 'merged'))).toBe(false);
});
