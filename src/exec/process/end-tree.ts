import { setTimeout as sleep } from 'node:timers/promises';
import type { Offspring } from './containment/process-scope.js';
import type { ProcessInfo } from './tree.js';

/** Often at first: most programs leave nothing, or something that is just about to end. */
const FIRST_POLL_MS = 2;
const POLL_MS = 20;
/** A process in an uninterruptible system call cannot be killed. After this time we give up and report it. */
const KILL_LIMIT_MS = 500;

/** Ends everything (TERM, the grace period, then KILL until nothing is left) and returns the survivors. */
export async function endOffspring(offspring: Offspring, graceMs: number): Promise<ProcessInfo[]> {
  if (await repeatUntilGone(offspring, graceMs, () => offspring.signal('TERM'))) return [];
  if (await repeatUntilGone(offspring, KILL_LIMIT_MS, () => offspring.signal('KILL'))) return [];
  return offspring.list();
}

/** Waits until everything has ended by itself; false if something still runs after `limitMs`. */
export function waitUntilGone(offspring: Offspring, limitMs: number): Promise<boolean> {
  return repeatUntilGone(offspring, limitMs, async () => {});
}

/** Names what still runs. It is stopped meanwhile, because what forks in between is hard to name. */
export async function nameOffspring(offspring: Offspring): Promise<ProcessInfo[]> {
  // What kills everybody else meanwhile may end all of it.
  const before = offspring.list();
  await offspring.signal('STOP');
  const stopped = offspring.list();
  return stopped.length === 0 ? before : stopped;
}

async function repeatUntilGone(
  { isGone, proof }: Offspring,
  limitMs: number,
  act: () => Promise<void>,
): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (let clear = 0, poll = FIRST_POLL_MS; ; poll = Math.min(2 * poll, POLL_MS)) {
    const gone = isGone();
    if (!gone) await act();
    clear = gone ? clear + 1 : 0;
    if (clear === proof) return true;
    if (!gone && performance.now() >= deadline) return false;
    await sleep(clear > 0 ? 5 : poll);
  }
}
