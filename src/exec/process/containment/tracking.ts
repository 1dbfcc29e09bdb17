import { trackTree } from '../registry.js';
import { ProcessTree } from '../tree.js';
import { exitOf, type Offspring, type ProcessScope } from './process-scope.js';

/** Starts programs as they are, and finds what they start by looking around. */
export const TRACKING_SCOPE: ProcessScope = {
  kind: 'tracking',
  admit: (program, { marker, secrets }) => ({
    program,
    channel: false,
    follow: (child, pid) => {
      const tree = new ProcessTree(pid, marker, { secrets });
      return { exited: exitOf(child), offspring: trackedOffspring(tree), release: trackTree(tree) };
    },
  }),
  close: async () => {},
};

/** What a tree finds, as far as it finds it. */
export function trackedOffspring(tree: ProcessTree): Offspring {
  const termed = new Set<string>();
  return {
    isGone: () => tree.isGone(),
    // During exec, the environment of a process reads as empty, so a single clear scan proves nothing.
    proof: 2,
    list: () => tree.scan().map((member) => tree.describe(member)),
    signal: async (name) => {
      switch (name) {
        case 'TERM': {
          const fresh = tree.scan().filter(({ pid, startTime }) => !termed.has(`${pid}@${startTime}`));
          for (const { pid, startTime } of fresh) termed.add(`${pid}@${startTime}`);
          for (const member of fresh) tree.signal(member, 'SIGTERM');
          for (const member of fresh) tree.signal(member, 'SIGCONT');
          return;
        }
        case 'STOP':
          return tree.stop();
        case 'KILL':
          tree.stop();
          return tree.kill();
        default:
          return name satisfies never;
      }
    },
  };
}
