import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readShardBlob } from '../../src/blob/read-shard.js';
import { tempFolder } from '../support/cli.js';
import { writePart } from './support/archive.js';

/** A whole blob, and a place for damaged ones. */
async function prepare() {
  const folder = tempFolder();
  const path = await writePart(folder, { index: 1 });
  const damaged = join(folder, 'damaged');
  const read = (content: Buffer) => {
    writeFileSync(damaged, content);
    return readShardBlob(damaged);
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

  test('with any byte changed is refused', async () => {
    const { whole, read } = await prepare();
    const place = fc.nat({ max: whole.length - 1 });
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ flip;
        await expect(read(changed)).rejects.toThrow('expected a blob as ralph-e2e wrote it, found');
      }),
      // The first bytes hold the time and the system of the gzip, which no checksum of gzip covers.
      { numRuns: 150, examples: [...Array(12).keys()].map((at) => [at, 1]) },
    );
  });

  test('that was cut anywhere is refused, and so is one with more at its end', async () => {
    const { whole, read } = await prepare();
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), async (length) => {
        await expect(read(whole.subarray(0, length))).rejects.toThrow('expected a blob');
      }),
      { numRuns: 60, examples: [[0], [1], [64], [65], [whole.length - 1], [whole.length - 65]] },
    );
    await expect(read(Buffer.concat([whole, Buffer.from('\n')]))).rejects.toThrow('expected a blob');
  });
});
