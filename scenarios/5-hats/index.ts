import type { Scenario } from '../../src/authoring.js';
import { backendArgs, backendOverride, kiroAgent } from './backends.js';
import { hatCollections } from './collection.js';
import { hatCommands } from './commands.js';
import { hatDrawings } from './drawings.js';
import { instructions, scratchpads } from './instructions.js';
import { exhaustedBackend, exhaustedHandover, maxActivations } from './limits.js';
import { pendingForHats } from './pending.js';
import { presetScenarios } from './presets/index.js';
import { pressure } from './pressure/index.js';
import { hatPrompts } from './prompts.js';
import { defaultPublishes, oneDefault, targetedRecovery } from './publishing.js';
import { issue302, issue303 } from './regressions/completion.js';
import { issue193, issue195 } from './regressions/enforcement.js';
import { issue86Orphans, issue86StartingEvent } from './regressions/issue-86.js';
import { issue109 } from './regressions/issue-109.js';
import { issue139 } from './regressions/issue-139.js';
import { issue290 } from './regressions/issue-290.js';
import { eventRouting, wildcardTriggers } from './routing.js';
import { scopes } from './scope.js';
import { start } from './start.js';
import { topology } from './topology.js';
import { multiWorkflow, single } from './workflow.js';

/** Hats: personas that events activate, each with its own instructions, limits and perhaps backend. */
export const hatScenarios: readonly Scenario[] = [
  single,
  multiWorkflow,
  eventRouting,
  instructions,
  backendOverride,
  defaultPublishes,
  topology,
  // Beyond the seed.
  oneDefault,
  wildcardTriggers,
  targetedRecovery,
  scratchpads,
  maxActivations,
  exhaustedBackend,
  exhaustedHandover,
  kiroAgent,
  ...pendingForHats,
  hatPrompts,
  start,
  ...scopes,
  ...hatCommands,
  ...hatDrawings,
  backendArgs,
  ...hatCollections,
  // Bugs that Ralph once had, by issue number.
  issue86Orphans,
  issue86StartingEvent,
  issue109,
  issue193,
  issue195,
  issue302,
  issue303,
  ...pressure,
  ...presetScenarios,
];

/** Bugs with hats; they run after the other tiers of ralph. */
export const hatRegressions: readonly Scenario[] = [issue139, issue290];
