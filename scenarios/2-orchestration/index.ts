import type { Scenario } from '../../src/authoring.js';
import { backendCalls } from './arguments.js';
import { commands } from './commands.js';
import { configuration } from './configuration.js';
import { continuations } from './continuation.js';
import { customBackend } from './custom-backend.js';
import { backendDelivery } from './delivery.js';
import { diagnosing } from './diagnostics.js';
import { flags } from './flags.js';
import { hooks } from './hooks.js';
import { issue47 } from './issue-47.js';
import { iterations } from './iterations.js';
import { loopFeatures } from './loop-features.js';
import { opencodeLongPrompt } from './opencode-long-prompt.js';

/** Loops: their iterations, settings and hooks, and how they end. */
export const orchestration: readonly Scenario[] = [
  ...iterations,
  ...loopFeatures,
  ...continuations,
  ...hooks,
  ...customBackend,
  ...backendCalls,
  ...commands,
  ...diagnosing,
  ...flags,
  ...backendDelivery,
  ...configuration,
  ...opencodeLongPrompt,
];

/** Bugs that Ralph once had, by issue number. */
export const orchestrationRegressions: readonly Scenario[] = [issue47];
