import type { Scenario } from '../../src/authoring.js';
import { continuations } from './continuation.js';
import { continuationStates } from './continuation-state.js';
import { customBackend } from './custom-backend.js';
import { hookFailures } from './hook-failures.js';
import { hookMoments } from './hook-moments.js';
import { hookSuspension } from './hook-suspension.js';
import { hooks } from './hooks.js';
import { issue47 } from './issue-47.js';
import { iterations } from './iterations.js';
import { locks } from './locks.js';
import { loopFeatures } from './loop-features.js';
import { mergeQueues } from './merge-queue.js';
import { opencodeLongPrompt } from './opencode-long-prompt.js';
import { secondLoops } from './second-loop.js';
import { terminals } from './terminals.js';
import { waves } from './waves.js';

/** Loops: their iterations, settings and hooks, and how they end. */
export const orchestration: readonly Scenario[] = [
  ...iterations,
  ...loopFeatures,
  ...continuations,
  ...continuationStates,
  ...locks,
  ...secondLoops,
  ...mergeQueues,
  ...hooks,
  ...hookMoments,
  ...hookFailures,
  ...hookSuspension,
  ...terminals,
  ...waves,
  ...customBackend,
  ...opencodeLongPrompt,
];

/** Bugs that Ralph once had, by issue number. */
export const orchestrationRegressions: readonly Scenario[] = [issue47];
