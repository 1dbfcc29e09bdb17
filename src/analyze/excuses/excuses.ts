import type { Excuses, Execution } from '../../domain/report/analysis.js';
import { findLoopholes } from './loopholes.js';
import { findRationalizations } from './rationalizations.js';

/** What agents claimed against the evidence, and which ways around their instructions come back. */
export function findExcuses(failures: readonly Execution[]): Excuses {
  const rationalizations = findRationalizations(failures);
  return { rationalizations, loopholes: findLoopholes(failures, rationalizations) };
}
