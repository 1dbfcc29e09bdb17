import { createHash } from 'node:crypto';
import { describePlanned } from '../run-suite.js';
import { hashScenario } from '../scenario-hash.js';
import type { Selected } from '../select/selected.js';

/**
 * Computes a hash that changes if anything about a planned test does: what `resume` compares, in a few digits. A scenario
 * that arranges something else each time is compared without that.
 */
export function hashTest(job: Selected, run: Parameters<typeof describePlanned>[1]): string {
  const { hash, ...planned } = describePlanned(job, run);
  const isSteady = hashScenario(job.scenario, job.backend, run.lane).hash === hash;
  const told = JSON.stringify({ ...planned, hash: isSteady ? hash : null });
  return createHash('sha256').update(told).digest('hex').slice(0, 16);
}
