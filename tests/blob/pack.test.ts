import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openShard } from '../../src/blob/one-run.js';
import { packRun } from '../../src/blob/pack.js';
import { openJournal } from '../../src/journal/writer.js';
import { tempFolder } from '../support/cli.js';
import { recordsOf } from './support/archive.js';

/** A run that failed, with the file of its journal closed. */
async function finishRun() {
  const folder = tempFolder();
  const run = { id: '20260120-143000-000000001', path: folder };
  const writer = openJournal(run);
  for (const event of recordsOf({ index: 1, total: 1 }, folder)) writer.append(event);
  await writer.close();
  const pack = async (limits?: Parameters<typeof packRun>[3]) => {
    const blob = join(folder, 'blob');
    await packRun(blob, run, writer.records, limits);
    return openShard(blob, join(folder, 'out'));
  };
  return { journal: join(folder, 'journal.jsonl'), records: writer.records, pack };
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
