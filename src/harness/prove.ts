import { join } from 'node:path';
import { PROOF_FILES, type Proof } from '../domain/proof/proof.js';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { printableJson } from '../report/json.js';
import { renderProofMarkdown } from '../report/proof/markdown.js';
import { type ProveOptions, runProveSession } from '../run/prove/prove-session.js';
import { analysis } from './analysis.js';

/** Proves a catalog and writes prove.json and prove.md. */
export async function runProve(
  options: Omit<ProveOptions, 'diagnose'>,
): Promise<{ readonly proof: Proof; readonly paths: readonly string[] }> {
  const diagnose: ProveOptions['diagnose'] = (failure, run) =>
    analysis.diagnose([failure], run)[0]?.failure_type ?? 'Unknown';
  return runProveSession({ ...options, diagnose }, async (proof, root) => {
    const files = [
      { path: join(root.path, PROOF_FILES.json), text: printableJson(proof) },
      { path: join(root.path, PROOF_FILES.markdown), text: renderProofMarkdown(proof) },
    ];
    for (const { path, text } of files) await writeFileAtomic(path, text);
    return { proof, paths: files.map(({ path }) => path) };
  });
}
