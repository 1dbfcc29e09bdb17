import type { Scenario } from '../../src/authoring.js';
import { backendCalls } from './backends/arguments.js';
import { backendDelivery } from './backends/delivery.js';
import { completionRules } from './completion.js';
import { customBackend } from './custom-backend.js';
import { hookFailures } from './hooks/failures.js';
import { hookMoments } from './hooks/moments.js';
import { hooks } from './hooks/order.js';
import { hookSuspension } from './hooks/suspension.js';
import { issue47 } from './issue-47.js';
import { iterations } from './iterations.js';
import { landing } from './landing.js';
import { leftBehind } from './left-behind.js';
import { loopFeatures } from './loop-features.js';
import { continuations } from './loops/continuation.js';
import { continuationStates } from './loops/continuation-state.js';
import { locks } from './loops/locks.js';
import { mergeQueues } from './loops/merge-queue.js';
import { screens } from './loops/screen.js';
import { secondLoops } from './loops/second-loop.js';
import { terminals } from './loops/terminals.js';
import { waves } from './loops/waves.js';
import { opencodeLongPrompt } from './opencode-long-prompt.js';
import { people } from './people.js';
import { prompts } from './prompts.js';
import { commands } from './settings/commands.js';
import { configuration } from './settings/configuration.js';
import { diagnosing } from './settings/diagnostics.js';
import { flags } from './settings/flags.js';

/** Loops: their iterations, settings and hooks, and how they end. */
export const orchestration: readonly Scenario[] = [
  ...iterations,
  ...completionRules,
  ...loopFeatures,
  ...continuations,
  ...continuationStates,
  ...locks,
  ...screens,
  ...secondLoops,
  ...mergeQueues,
  ...hooks,
  ...hookMoments,
  ...hookFailures,
  ...hookSuspension,
  ...terminals,
  ...waves,
  ...customBackend,
  ...backendCalls,
  ...commands,
  ...diagnosing,
  ...flags,
  ...backendDelivery,
  ...configuration,
  ...opencodeLongPrompt,
  ...prompts,
  ...leftBehind,
  ...landing,
  ...people,
];

/** Bugs that Ralph once had, by issue number. */
export const orchestrationRegressions: readonly Scenario[] = [issue47];
