import { basename } from 'node:path';
import type { AttemptFinished } from '../../domain/attempt.js';
import { LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';
import { removeTree } from '../../exec/files/remove-tree.js';
import type { SuiteSettings } from '../../lane/settings.js';
import { removeWorkspace } from '../../workspace/create-workspace.js';
import { nameAttemptDir } from '../../workspace/runs/runs.js';
import { runAttempt } from '../attempt/attempt.js';
import { decideRetry, type Pause, type RetryRules } from '../retries.js';
import type { Selected } from '../select/selected.js';

/**
 * Finds the connect scenarios that a shard has to try although another shard has their results: in a lane that costs
 * money, one of each backend on which the shard runs something else.
 */
export function findProbes(whole: readonly Selected[], part: readonly Selected[], lane: Lane): Selected[] {
  if (!LANE_TRAITS[lane].costsMoney) return [];
  const gates = whole.filter(({ scenario }) => scenario.gate);
  const backends = new Set(part.map(({ backend }) => backend));
  for (const { scenario, backend } of part) if (scenario.gate) backends.delete(backend);
  return [...backends].flatMap((id) => gates.find(({ backend }) => backend === id) ?? []);
}

/** What a probe does besides running. */
interface Probing {
  readonly rules: RetryRules;
  readonly pause: Pause;
  /** Records an attempt as soon as it ended. */
  readonly record: (attempt: AttemptFinished) => void;
  /** Whether nothing more may start. */
  readonly isOver: () => boolean;
}

/** Runs a connect scenario, again if its service was in trouble, and returns the last attempt. Leaves no workspace. */
export async function probeGate(
  job: Selected,
  settings: SuiteSettings,
  { rules, pause, record, isOver }: Probing,
): Promise<AttemptFinished> {
  const tries: AttemptFinished[] = [];
  for (;;) {
    const attempt = tries.length + 1;
    const variant = { name: `probe-${attempt}` };
    // A killed part of the run may have left one.
    await removeTree(nameAttemptDir(settings.run, job.scenario.id, job.backend, variant.name));
    const finished = await runAttempt({ ...job, attempt, variant }, settings);
    if (finished.workspace !== null) await removeWorkspace(settings.root, basename(finished.workspace));
    record(finished);
    const seconds = isOver() ? null : decideRetry([...tries, finished], rules);
    if (seconds === null) return finished;
    tries.push({ ...finished, retryInSeconds: seconds });
    await pause(seconds, settings.signal);
    if (isOver()) return finished;
  }
}
