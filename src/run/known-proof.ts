import { join } from 'node:path';
import { PROOF_FILES, proofSchema } from '../domain/proof/proof.js';
import { type ProofSummary, summariseProof } from '../domain/proof/summary.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import { readPlainText } from '../exec/files/plain-file.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';
import { callScenario } from './attempt/scenario-code.js';
import { fingerprint } from './prove/fingerprint.js';

/** The proof that lies in the folder, if it is whole and about this very catalogue and harness. */
export async function findKnownProof(
  root: WorkspaceRoot,
  run: { readonly catalogue: readonly Scenario[]; readonly harnessVersion: string },
): Promise<ProofSummary | null> {
  const proof = await readProof(join(root.path, PROOF_FILES.json));
  if (proof === null || proof.interrupted || proof.harness_version !== run.harnessVersion) return null;
  return proof.catalogue === fingerprintOrNull(run.catalogue) ? summariseProof(proof) : null;
}

/** A scenario that throws was never proved; what it throws is the error of its attempt. */
function fingerprintOrNull(catalogue: readonly Scenario[]): string | null {
  try {
    return callScenario(() => fingerprint(catalogue));
  } catch {
    return null;
  }
}

/** A file that is missing, torn or of another version says nothing about this catalogue. */
async function readProof(path: string) {
  try {
    return proofSchema.parse(JSON.parse(await readPlainText(path)));
  } catch {
    return null;
  }
}
