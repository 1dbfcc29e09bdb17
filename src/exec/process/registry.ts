import { listProcesses } from './table.js';
import type { ProcessTree } from './tree.js';

/** How often we look for descendants while targets run: one that is never seen is found by the marker alone. */
const WATCH_MS = 250;

const trees = new Set<ProcessTree>();
let watch: NodeJS.Timeout | undefined;

/** Follows a tree as it grows, and makes sure that it does not outlive us, even if we end in the middle (a crash, a second Ctrl-C). */
export function trackTree(tree: ProcessTree): () => void {
  if (trees.size === 0) {
    process.once('exit', killTrackedTrees);
    watch = setInterval(lookAround, WATCH_MS).unref();
  }
  trees.add(tree);
  return () => {
    trees.delete(tree);
    if (trees.size > 0) return;
    process.removeListener('exit', killTrackedTrees);
    clearInterval(watch);
  };
}

/** One list for all trees: reading it is most of what watching costs. */
function lookAround(): void {
  const processes = listProcesses();
  for (const tree of trees) tree.learn(processes);
}

/** Runs while the process exits: nothing asynchronous works any more, so it kills at once, a few times over. */
function killTrackedTrees(): void {
  for (const tree of trees) {
    for (let round = 0; round < 5; round += 1) {
      for (const member of tree.scan()) tree.signal(member, 'SIGKILL');
    }
  }
}
