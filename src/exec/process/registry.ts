import { listProcesses } from './table.js';
import type { ProcessTree } from './tree.js';

/** How often we look for descendants while targets run. One that is never seen can only be found by its marker. */
const WATCH_MS = 250;

const trees = new Set<ProcessTree>();
let watch: NodeJS.Timeout | undefined;

/** Watches a tree as it grows, and makes sure that it does not outlive us, even after a crash or a second Ctrl-C. */
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

/** Reads the process list once for all trees: that is most of the cost of watching. */
function lookAround(): void {
  const processes = listProcesses();
  for (const tree of trees) tree.learn(processes);
}

/** Kills all trees while our process exits. Nothing asynchronous works any more. */
function killTrackedTrees(): void {
  for (const tree of trees) {
    tree.stop();
    tree.kill();
  }
}
