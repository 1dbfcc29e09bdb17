import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Target } from '../../domain/attempt.js';
import { type InputFile, listInputFiles, type RunCall } from '../../domain/run-call.js';
import { hashFile } from '../../exec/files/hash-file.js';

/** Adds the hash of a real target: two builds can have the same version. */
export async function withHash(target: Target): Promise<Target> {
  return target.kind === 'real' ? { ...target, sha256: await hashFile(target.path) } : target;
}

/** Hashes the files that a call names, so that a resumed run can tell whether they are still the same. */
export function hashInputs(call: RunCall): Promise<InputFile[]> {
  return Promise.all(
    listInputFiles(call).map(async (path) => ({ path, sha256: await hashInput(path, call) })),
  );
}

/** Hashes a file, or a folder with cases, without what the run itself writes to its output folder. */
export async function hashInput(path: string, { output }: Pick<RunCall, 'output'>): Promise<string> {
  return (await stat(path)).isDirectory() ? hashFolder(path, output) : hashFile(path);
}

/** Hashes the cases in a folder. `claude plugin eval` writes its results there too. */
async function hashFolder(folder: string, output: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !relative(folder, path).startsWith('results/') && !path.startsWith(output + sep))
    .sort();
  const lines = await Promise.all(
    paths.map(async (path) => `${relative(folder, path)} ${await hashFile(path)}`),
  );
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
