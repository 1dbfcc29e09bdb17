import { backendOverride, kiroAgent } from './tier-5-hats/backends.js';
import { issue302, issue303 } from './tier-5-hats/completion.js';
import { issue193, issue195 } from './tier-5-hats/enforcement.js';
import { instructions, scratchpads } from './tier-5-hats/instructions.js';
import { issue86Orphans, issue86StartingEvent } from './tier-5-hats/issue-86.js';
import { issue109 } from './tier-5-hats/issue-109.js';
import { exhaustedBackend, maxActivations } from './tier-5-hats/limits.js';
import { defaultPublishes, targetedRecovery } from './tier-5-hats/publishing.js';
import { eventRouting, wildcardTriggers } from './tier-5-hats/routing.js';
import { topology } from './tier-5-hats/topology.js';
import { multiWorkflow, single } from './tier-5-hats/workflow.js';

/** Hats: personas that events wake, each with instructions, limits and perhaps a backend of its own. */
export const hatCollections = [
  single,
  multiWorkflow,
  eventRouting,
  instructions,
  backendOverride,
  defaultPublishes,
  topology,
  // Beyond the seed.
  wildcardTriggers,
  targetedRecovery,
  scratchpads,
  maxActivations,
  exhaustedBackend,
  kiroAgent,
  // Bugs that Ralph once had, by their numbers.
  issue86Orphans,
  issue86StartingEvent,
  issue109,
  issue193,
  issue195,
  issue302,
  issue303,
];
