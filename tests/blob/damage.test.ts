import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openShard } from '../../src/blob/one-run.js';
import { tempFolder } from '../support/cli.js';
import { writePart } from './support/archive.js';

/** A whole blob, and a place for damaged ones. */
async function prepare() {
  const folder = tempFolder();
  const path = await writePart(folder, { index: 1 });
  const damaged = join(folder, 'damaged');
  const read = (content: Buffer) => {
    writeFileSync(damaged, content);
    return openShard(damaged, mkdtempSync(join(folder, 'out-')));
  };
  return { whole: readFileSync(path), read };
}

describe('a blob', () => {
  test('that nobody touched can be read', async () => {
    const { whole, read } = await prepare();
    const { records, choice } = await read(whole);
    expect(choice).toEqual({ index: 1, total: 2 });
    expect(records.filter(({ type }) => type === 'attempt-finished')).toHaveLength(2);
  });

  test('with any byte changed is refused, unless that changes nothing in it', async () => {
    const { whole, read } = await prepare();
    const { records } = await read(whole);
    // The first ten bytes are about the gzip: its time and its system say nothing about the content.
    const place = fc.integer({ min: 10, max: whole.length - 1 });
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ flip;
        const found = await read(changed).catch((error: unknown) => `${error}`);
        // The last bits before the checksum only fill a byte.
        if (typeof found !== 'string') expect(found.records).toEqual(records);
        else expect(found).toContain('expected a blob as ralph-e2e wrote it, found');
      }),
      { numRuns: 150, examples: [[whole.length - 1, 1]] },
    );
  });

  test('that was cut anywhere is refused', async () => {
    const { whole, read } = await prepare();
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), async (length) => {
        await expect(read(whole.subarray(0, length))).rejects.toThrow('expected a blob');
      }),
      { numRuns: 60, examples: [[0], [1], [18], [whole.length - 1], [whole.length - 8]] },
    );
  });
});
