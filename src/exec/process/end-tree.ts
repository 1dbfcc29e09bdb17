import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessEntry } from './table.js';
import type { ProcessInfo, ProcessTree } from './tree.js';

const POLL_MS = 20;
/** A process in an uninterruptible system call cannot be killed. After this time we give up and report it. */
const KILL_LIMIT_MS = 500;

/** Ends the process tree (TERM, the grace period, then KILL until none is left) and returns the survivors. */
export async function endTree(tree: ProcessTree, graceMs: number): Promise<ProcessInfo[]> {
  const termed = new Set<string>();
  const cleared = await repeatUntilClear(tree, graceMs, (member) => {
    const key = `${member.pid}@${member.startTime}`;
    if (termed.has(key)) return;
    termed.add(key);
    tree.signal(member, 'SIGTERM');
  });
  if (cleared || (await repeatUntilClear(tree, KILL_LIMIT_MS, (member) => tree.signal(member, 'SIGKILL'))))
    return [];
  return tree.scan().map((member) => tree.describe(member));
}

/** Waits until every process of the tree has ended by itself; false if some still run after `limitMs`. */
export function waitUntilClear(tree: ProcessTree, limitMs: number): Promise<boolean> {
  return repeatUntilClear(tree, limitMs, () => {});
}

async function repeatUntilClear(
  tree: ProcessTree,
  limitMs: number,
  act: (member: ProcessEntry) => void,
): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (let clearScans = 0; ; ) {
    const members = tree.scan();
    for (const member of members) act(member);
    clearScans = members.length === 0 ? clearScans + 1 : 0;
    // During exec, the environment of a process reads as empty, so a single clear scan proves nothing.
    if (clearScans === 2) return true;
    if (members.length > 0 && performance.now() >= deadline) return false;
    await sleep(clearScans > 0 ? 5 : POLL_MS);
  }
}
