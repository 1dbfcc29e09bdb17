import { resolve } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { listRuns, type RunDir } from '../../workspace/runs/runs.js';
import { findWorkspaceRoot } from '../../workspace/workspace-root.js';

/** Lists the runs in a folder, the latest last. */
export async function findRuns(output: string): Promise<RunDir[]> {
  const folder = resolve(output);
  const root = await findWorkspaceRoot(folder);
  const runs = root === null ? [] : await listRuns(root);
  if (runs.length > 0) return runs;
  throw new KnownError(`There are no runs in ${folder}.`, {
    hint: 'Run `ralph-e2e` first, or name the folder that contains the runs with --output <dir>.',
  });
}

/** Finds the run by its id or the beginning of it; without an id, the latest. */
export function chooseRun(runs: readonly RunDir[], asked = 'latest'): RunDir {
  const latest = runs.at(-1);
  if (asked === 'latest' && latest !== undefined) return latest;
  const found = runs.filter(({ id }) => id.startsWith(asked));
  const [run] = found;
  if (run !== undefined && found.length === 1) return run;
  const ids = (found.length === 0 ? runs : found).map(({ id }) => id);
  throw new KnownError(
    `Expected the id of a run, or the beginning of one; found "${asked}", which matches ${found.length === 0 ? 'no run' : `${found.length} runs`}.`,
    { hint: `Choose one of: ${ids.join(', ')}` },
  );
}
