import { join } from 'node:path';
import { FORMATS, IncompatibleFormat } from '../domain/common/formats.js';
import { PROOF_FILES, proofSchema } from '../domain/proof/proof.js';
import { type ProofSummary, summariseProof } from '../domain/proof/summary.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import { readOwnFile } from '../journal/own-file.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';
import { callScenario } from './attempt/scenario-code.js';
import { fingerprint } from './prove/fingerprint.js';

/** The summary of an earlier proof, or null if there is none that applies. */
export type KnownProof = ProofSummary | IncompatibleFormat | null;

/** Reads the proof in the folder, if it was not interrupted, tried saboteurs, and is about exactly this catalog and this version of the harness. */
export async function findKnownProof(
  root: WorkspaceRoot,
  run: { readonly catalogue: readonly Scenario[]; readonly harnessVersion: string },
): Promise<KnownProof> {
  const proof = await readOwnFile(join(root.path, PROOF_FILES.json), FORMATS.proof, proofSchema);
  if (proof === null || proof instanceof IncompatibleFormat) return proof;
  if (proof.interrupted || proof.totals.saboteurs === 0 || proof.harness_version !== run.harnessVersion)
    return null;
  return proof.catalogue === fingerprintOrNull(run.catalogue) ? summariseProof(proof) : null;
}

/** Returns null if a scenario throws: it was never proved, and its attempt reports the error. */
function fingerprintOrNull(catalogue: readonly Scenario[]): string | null {
  try {
    return callScenario(() => fingerprint(catalogue));
  } catch {
    return null;
  }
}
