import type { Target } from '../../domain/attempt.js';
import { type InputFile, listInputFiles, type RunCall } from '../../domain/run-call.js';
import { hashFile } from '../../exec/files/hash-file.js';

/** Adds the hash of a real target: two builds can have the same version. */
export async function withHash(target: Target): Promise<Target> {
  return target.kind === 'real' ? { ...target, sha256: await hashFile(target.path) } : target;
}

/** Hashes the files that a call names, so that a resumed run can tell whether they are still the same. */
export function hashInputs(call: RunCall): Promise<InputFile[]> {
  return Promise.all(listInputFiles(call).map(async (path) => ({ path, sha256: await hashFile(path) })));
}
