import type { Scenario } from '../src/authoring.js';
import { connectivity } from './tier-1-connectivity.js';
import { orchestration } from './tier-2-orchestration.js';
import { errorHandling } from './tier-7-error-handling.js';

/** The catalogue, in the order in which it runs. */
export const catalogue: readonly Scenario[] = [...connectivity, ...orchestration, ...errorHandling];
