import { closeSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openInside, useFolderInside } from '../../src/workspace/open-inside.js';
import { makeTempDir } from '../exec/support.js';

function plant() {
  const top = makeTempDir();
  for (const folder of ['outside', 'inside/own']) mkdirSync(join(top, folder), { recursive: true });
  for (const file of ['outside/file', 'inside/own/file']) writeFileSync(join(top, file), file);
  symlinkSync(join(top, 'outside'), join(top, 'inside/out'));
  symlinkSync('own', join(top, 'inside/in'));
  symlinkSync('own/file', join(top, 'inside/link'));
  return join(top, 'inside');
}

async function read(folder: string, path: string): Promise<string | null> {
  const file = await openInside(folder, path);
  if (file === null) return null;
  try {
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

describe('openInside', () => {
  test('follows links of folders as long as they stay inside', async () => {
    const folder = plant();
    expect(await read(folder, 'own/file')).toBe('inside/own/file');
    expect(await read(folder, 'in/file')).toBe('inside/own/file');
    expect(await read(folder, 'out/file')).toBeNull();
    expect(await read(folder, '../outside/file')).toBeNull();
  });

  test('does not open a link, or what is not there', async () => {
    const folder = plant();
    await expect(read(folder, 'link')).rejects.toThrow('ELOOP');
    await expect(read(folder, 'own/none')).rejects.toThrow('ENOENT');
  });
});

test.runIf(process.platform === 'linux')(
  'a folder in use stays the same when its path is exchanged',
  async () => {
    const folder = plant();
    const seen = await useFolderInside(folder, Buffer.from('own'), async (place) => {
      renameSync(join(folder, 'own'), join(folder, 'moved'));
      symlinkSync('../outside', join(folder, 'own'));
      return [await readdir(place), readFileSync(join(place, 'file'), 'utf8')];
    });
    expect(seen).toEqual([['file'], 'inside/own/file']);
    await expect(useFolderInside(folder, Buffer.from('own'), async () => 'used')).rejects.toThrow('ENOTDIR');
    expect(await useFolderInside(folder, Buffer.from('out/.'), async () => 'used')).toBeNull();
  },
);
