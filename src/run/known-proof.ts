import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROOF_FILES, proofSchema } from '../domain/proof.js';
import { type ProofSummary, summariseProof } from '../domain/proof-summary.js';
import type { Scenario } from '../domain/scenario.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';
import { fingerprint } from './prove/fingerprint.js';

/** The proof that lies in the folder, if it is whole and about this very catalogue and harness. */
export async function findKnownProof(
  root: WorkspaceRoot,
  run: { readonly catalogue: readonly Scenario[]; readonly harnessVersion: string },
): Promise<ProofSummary | null> {
  const proof = await readProof(join(root.path, PROOF_FILES.json));
  if (proof === null || proof.interrupted || proof.harness_version !== run.harnessVersion) return null;
  return proof.catalogue === fingerprint(run.catalogue) ? summariseProof(proof) : null;
}

/** A file that is missing, torn or of another version says nothing about this catalogue. */
async function readProof(path: string) {
  try {
    return proofSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}
