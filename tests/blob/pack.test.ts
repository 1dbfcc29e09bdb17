import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openShard } from '../../src/blob/one-run.js';
import { BLOB_LIMITS, packRun, unpackBlob } from '../../src/blob/pack.js';
import { openJournal } from '../../src/journal/writer.js';
import { tempFolder } from '../support/cli.js';
import { recordsOf } from './support/archive.js';

/** A run that failed, with the file of its journal closed. */
async function finishRun(files: Readonly<Record<string, Buffer>> = {}) {
  const folder = tempFolder();
  const id = '20260120-143000-000000001';
  const run = { id, path: join(folder, 'runs', id) };
  mkdirSync(run.path, { recursive: true });
  const writer = openJournal(run);
  for (const event of recordsOf({ index: 1, total: 1 }, folder)) writer.append(event);
  await writer.close();
  for (const event of writer.records) {
    if (event.type !== 'attempt-finished' || event.scenarioId !== 'test-1') continue;
    mkdirSync(event.artifacts, { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(event.artifacts, name), content);
  }
  const pack = async (limits?: Parameters<typeof packRun>[3]) => {
    const blob = join(folder, 'blob');
    await packRun(blob, run, writer.records, limits);
    await unpackBlob(blob, join(folder, 'checked'), limits);
    return openShard(blob, join(folder, 'out'));
  };
  const listFiles = () => {
    const attempt = join(folder, 'out', 'test-1-claude/1');
    return readdirSync(attempt).sort();
  };
  return { journal: writer.path, records: writer.records, pack, listFiles };
}

describe('the journal in a blob is what was recorded, even if after the end of the run', () => {
  test('a failure in the file becomes a pass', async () => {
    const { journal, records, pack } = await finishRun();
    const forged = openJournal({ id: 'forged', path: tempFolder() });
    const passed = recordsOf({ index: 1, total: 1, failed: [] }, '/tmp');
    for (const event of passed) forged.append(event);
    await forged.close();
    writeFileSync(journal, readFileSync(forged.path));
    expect((await pack()).records).toEqual(records);
  });

  test('the file is removed', async () => {
    const { journal, records, pack } = await finishRun();
    rmSync(journal);
    expect((await pack()).records).toEqual(records);
  });

  test('the file is something else', async () => {
    const { journal, records, pack } = await finishRun();
    writeFileSync(journal, `${'['.repeat(10_000)}\nnull\n{`);
    expect((await pack()).records).toEqual(records);
  });
});

describe('a run whose files do not fit', () => {
  const files = {
    'stderr.txt': Buffer.alloc(50_000, 0x01),
    'stdout.txt': Buffer.alloc(50_000, 'a'),
    'evidence.json': Buffer.alloc(50_000, 0xe9),
  };

  test.each([
    [100_000, ['stdout.txt']],
    [200_000, ['evidence.json', 'stdout.txt']],
    [500_000, ['evidence.json', 'stderr.txt', 'stdout.txt']],
  ])('leaves out those that need more, so that a blob of %i bytes can be unpacked', async (bytes, kept) => {
    const { pack, listFiles } = await finishRun(files);
    await pack({ ...BLOB_LIMITS, unpackedBytes: bytes });
    expect(listFiles()).toEqual(kept);
  });

  test('leaves out those that are too many', async () => {
    const { pack, listFiles } = await finishRun(files);
    // The format, the journal and two files.
    await pack({ ...BLOB_LIMITS, pieces: 4 });
    expect(listFiles()).toHaveLength(2);
  });

  test('is refused if not even its journal does', async () => {
    const { pack } = await finishRun();
    await expect(pack({ ...BLOB_LIMITS, unpackedBytes: 2_000 })).rejects.toThrow(
      'Expected a run that fits into a blob of 2000 bytes',
    );
  });
});
