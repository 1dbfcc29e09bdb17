import type { Scenario } from '../../src/authoring.js';
import { issue82StaleEvents } from '../7-errors/regressions/backends.js';
import { brokenTags } from './broken-tags.js';
import { emitCommands } from './emit.js';
import { eventSystem } from './events.js';
import { gates } from './gates.js';
import { mutationWarnings } from './mutation-warnings.js';
import { refusalReasons } from './refusal-reasons.js';
import { requiredClaims } from './required-claims.js';
import { summaries } from './summaries.js';

/** Events: published, recorded, passed on, and refused without evidence. */
export const events: readonly Scenario[] = [
  ...eventSystem,
  ...emitCommands,
  ...gates,
  mutationWarnings,
  requiredClaims,
  refusalReasons,
  summaries,
  brokenTags,
  issue82StaleEvents,
];
