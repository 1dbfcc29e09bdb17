import type { Scenario } from '../src/authoring.js';
import { connectivity } from './1-connectivity/connect.js';
import { continuations } from './2-orchestration/continuation.js';
import { customBackend } from './2-orchestration/custom-backend.js';
import { hooks } from './2-orchestration/hooks.js';
import { orchestration } from './2-orchestration/iterations.js';
import { loopFeatures } from './2-orchestration/loop-features.js';
import { opencodeLongPrompt } from './2-orchestration/opencode-long-prompt.js';
import { completionRegressions } from './2-orchestration/regressions-completion.js';
import { eventSystem } from './3-events/events.js';
import { gates } from './3-events/gates.js';
import { capabilities } from './4-capabilities/capabilities.js';
import { hatCollections } from './5-hats/index.js';
import { pressure } from './5-hats/pressure/index.js';
import { memory } from './6-memory/index.js';
import { crashes } from './7-errors/crashes.js';
import { errorHandling } from './7-errors/error-handling.js';
import { limits } from './7-errors/limits.js';
import { oddOutput } from './7-errors/output.js';
import { backendRegressions } from './7-errors/regressions-backends.js';
import { lingeringRegressions } from './7-errors/regressions-lingering.js';
import { stopping } from './7-errors/stopping.js';
import { conversations } from './8-conversations/index.js';
import { plugins } from './9-plugins/index.js';

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
