import type { Scenario } from '../../src/authoring.js';
import { counting } from './counting.js';
import { crashes } from './crashes.js';
import { errorHandling } from './error-handling.js';
import { leftovers } from './leftovers.js';
import { limits } from './limits.js';
import { oddOutput } from './output.js';
import { pauses } from './pauses.js';
import { refusals } from './refusals.js';
import { backendRegressions } from './regressions/backends.js';
import { lingeringRegressions } from './regressions/lingering.js';
import { requests } from './requests.js';
import { signals } from './signals.js';
import { stopping } from './stopping.js';
import { sums } from './sums.js';
import { backendTimeouts } from './timeouts.js';

/** What goes wrong around a loop, and how the loop ends. */
export const errors: readonly Scenario[] = [
  ...errorHandling,
  ...limits,
  ...stopping,
  ...counting,
  ...sums,
  ...pauses,
  ...requests,
  ...leftovers,
  ...crashes,
  ...signals,
  ...oddOutput,
  ...refusals,
  ...backendTimeouts,
];

/** Bugs that Ralph had, by issue number. */
export const errorRegressions: readonly Scenario[] = [...backendRegressions, ...lingeringRegressions];
