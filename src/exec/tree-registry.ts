import type { ProcessTree } from './process-tree.js';

const trees = new Set<ProcessTree>();

/** Makes sure that a tree does not outlive us, even if we end in the middle (a crash, a second Ctrl-C). */
export function trackTree(tree: ProcessTree): () => void {
  if (trees.size === 0) process.once('exit', killTrackedTrees);
  trees.add(tree);
  return () => {
    trees.delete(tree);
    if (trees.size === 0) process.removeListener('exit', killTrackedTrees);
  };
}

/** Runs while the process exits: nothing asynchronous works any more, so it kills at once, a few times over. */
function killTrackedTrees(): void {
  for (const tree of trees) {
    for (let round = 0; round < 5; round += 1) {
      for (const member of tree.scan('marker')) tree.signal(member, 'SIGKILL');
    }
  }
}
