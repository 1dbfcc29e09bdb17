import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { type Engine, lastLine } from './engine.js';

/**
 * The image of our containers: only empty folders. The programs of this machine are mounted read-only, so that the same
 * agent CLI is tested inside and outside, and no registry is needed.
 */
export const IMAGE = 'ralph-e2e-empty:1';
const FOLDERS = ['dev/', 'etc/', 'proc/', 'run/', 'sys/', 'tmp/', 'usr/', 'var/', 'var/tmp/'];

/** Makes sure that the engine has the image. */
export async function provideImage(engine: Engine): Promise<void> {
  const known = await engine.call(['image', 'inspect', '--format', '{{.Id}}', IMAGE]);
  if (known.ok) return;
  const folder = await mkdtemp(join(tmpdir(), 'ralph-e2e-image-'));
  try {
    const archive = join(folder, 'root.tar');
    await writeFile(archive, folderArchive(FOLDERS));
    const made = await engine.call(['import', archive, IMAGE]);
    if (!made.ok) throw new KnownError(`docker could not import the image: ${lastLine(made.stderr)}.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const BLOCK = 512;

/** Builds a tar archive of empty folders: a header for each, and two empty blocks at the end. */
export function folderArchive(folders: readonly string[]): Buffer {
  return Buffer.concat([...folders.map(folderHeader), Buffer.alloc(2 * BLOCK)]);
}

function folderHeader(name: string): Buffer {
  const header = Buffer.alloc(BLOCK);
  const put = (at: number, text: string) => header.write(text, at, 'latin1');
  put(0, name);
  put(100, '0000755\0');
  put(108, '0000000\0');
  put(116, '0000000\0');
  put(124, '00000000000\0');
  put(136, '00000000000\0');
  // The checksum is computed with spaces in its own field.
  put(148, ' '.repeat(8));
  put(156, '5');
  put(257, 'ustar\x0000');
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return header;
}
