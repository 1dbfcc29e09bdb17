import { trackedOffspring } from './containment/tracking.js';
import { endOffspring } from './end-tree.js';
import type { ProcessMarker } from './table.js';
import { type ProcessInfo, ProcessTree } from './tree.js';

/** No process has this number, so processes are found only by their marker. */
const NO_ROOT = 0;
const GRACE_MS = 500;

/** Ends every process with this marker and returns them. Only for markers whose owner is known to be dead. */
export async function endMarked(marker: ProcessMarker): Promise<ProcessInfo[]> {
  const tree = new ProcessTree(NO_ROOT, marker);
  const found = tree.scan().map((member) => tree.describe(member));
  if (found.length > 0) await endOffspring(trackedOffspring(tree), GRACE_MS);
  return found;
}
