import type { Excuses, Execution } from '../../domain/report/analysis.js';
import { findLoopholes } from './loopholes.js';
import { findRationalizations } from './rationalizations.js';

/** Finds agents' claims that the evidence contradicts, and recurring ways around their instructions. */
export function findExcuses(failures: readonly Execution[]): Excuses {
  const rationalizations = findRationalizations(failures);
  return { rationalizations, loopholes: findLoopholes(failures, rationalizations) };
}
