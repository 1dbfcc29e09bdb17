/** The phases of a loop at which Ralph runs hooks, in the words of ralph.yml. */
export const HOOK_PHASES = [
  'pre.loop.start',
  'post.loop.start',
  'pre.iteration.start',
  'post.iteration.start',
  'pre.plan.created',
  'post.plan.created',
  'pre.human.interact',
  'post.human.interact',
  'pre.loop.complete',
  'post.loop.complete',
  'pre.loop.error',
  'post.loop.error',
] as const;

/** A phase of a loop at which Ralph runs hooks. */
export type HookPhase = (typeof HOOK_PHASES)[number];
