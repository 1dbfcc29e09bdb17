import type { Scenario } from '../src/authoring.js';
import { continuations } from './continuation.js';
import { customBackend } from './custom-backend.js';
import { hooks } from './hooks.js';
import { loopFeatures } from './loop-features.js';
import { opencodeLongPrompt } from './opencode-long-prompt.js';
import { pressure } from './pressure.js';
import { backendRegressions } from './regressions-backends.js';
import { completionRegressions } from './regressions-completion.js';
import { lingeringRegressions } from './regressions-lingering.js';
import { connectivity } from './tier-1-connectivity.js';
import { orchestration } from './tier-2-orchestration.js';
import { eventSystem } from './tier-3-events.js';
import { gates } from './tier-3-gates.js';
import { capabilities } from './tier-4-capabilities.js';
import { hatCollections } from './tier-5-hats.js';
import { memory } from './tier-6-memory.js';
import { crashes } from './tier-7-crashes.js';
import { errorHandling } from './tier-7-error-handling.js';
import { limits } from './tier-7-limits.js';
import { oddOutput } from './tier-7-output.js';
import { stopping } from './tier-7-stopping.js';
import { conversations } from './tier-8-conversations/index.js';
import { plugins } from './tier-9-plugins/index.js';

/** The catalogue, in the order in which it runs. */
export const catalogue: readonly Scenario[] = [
  ...connectivity,
  ...orchestration,
  ...loopFeatures,
  ...continuations,
  ...hooks,
  ...customBackend,
  ...opencodeLongPrompt,
  ...eventSystem,
  ...gates,
  ...capabilities,
  ...hatCollections,
  ...pressure,
  ...memory,
  ...errorHandling,
  ...limits,
  ...stopping,
  ...crashes,
  ...oddOutput,
  ...completionRegressions,
  ...backendRegressions,
  ...lingeringRegressions,
  ...conversations,
  ...plugins,
];
