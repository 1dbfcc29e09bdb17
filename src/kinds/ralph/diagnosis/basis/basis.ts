import type { CheckResult } from '../../../../domain/check.js';
import type { HeldPromise } from '../../../../domain/contract.js';
import type { Evidence } from '../../../../domain/evidence/evidence.js';
import type { Direction } from '../observe/words.js';

/**
 * Something general that a special promise depends on. A test of the special one fails as well if the general one is
 * broken, so the run as a whole is looked at before the special one is blamed.
 */
export interface Basis {
  readonly promise: HeldPromise;
  /** Which way a run goes wrong without it; `missing` or `other` unless given. */
  readonly directions?: readonly Direction[];
  /** Whether a failed check depends on it. */
  readonly concerns: (check: CheckResult, evidence: Evidence) => boolean;
  /** What the run shows. */
  readonly look: (evidence: Evidence, check: CheckResult) => Sight;
}

/** `works`: it worked at least once. `broken`: it never did where it had to. `unseen`: the run had no occasion for it. */
export type Sight =
  | { readonly state: 'works' }
  | { readonly state: 'broken' | 'unseen'; readonly text: string };

export const WORKS: Sight = { state: 'works' };
