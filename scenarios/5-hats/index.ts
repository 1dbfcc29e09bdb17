import { backendOverride, kiroAgent } from './backends.js';
import { issue302, issue303 } from './completion.js';
import { issue193, issue195 } from './enforcement.js';
import { instructions, scratchpads } from './instructions.js';
import { issue86Orphans, issue86StartingEvent } from './issue-86.js';
import { issue109 } from './issue-109.js';
import { exhaustedBackend, maxActivations } from './limits.js';
import { defaultPublishes, targetedRecovery } from './publishing.js';
import { eventRouting, wildcardTriggers } from './routing.js';
import { topology } from './topology.js';
import { multiWorkflow, single } from './workflow.js';

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
