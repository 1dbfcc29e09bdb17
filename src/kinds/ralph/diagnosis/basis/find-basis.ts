import type { CheckResult } from '../../../../domain/check.js';
import type { HeldPromise } from '../../../../domain/contract.js';
import type { Evidence } from '../../../../domain/evidence/evidence.js';
import type { Direction } from '../observe/words.js';
import { type Basis, WORKS } from './basis.js';
import { END_BASES } from './ends.js';
import { BLOCK_BASES, PROMPT_BASES } from './prompts.js';
import { STORE_BASES } from './stores.js';

/** What a special promise depends on and does not have, as far as the run shows. */
export interface FoundBasis {
  readonly promise: HeldPromise;
  readonly text: string;
  /** False if the run had no occasion to show it. */
  readonly isBroken: boolean;
}

/** Finds what is broken or unseen below a failed check. Null if the general things work. */
export function findBasis(check: CheckResult, evidence: Evidence, direction: Direction): FoundBasis | null {
  for (const { promise, directions = ['missing', 'other'], concerns, look } of BASES) {
    const isConcerned = directions.includes(direction) && concerns(check, evidence);
    const sight = isConcerned ? look(evidence, check) : WORKS;
    if (sight.state !== 'works') return { promise, text: sight.text, isBroken: sight.state === 'broken' };
  }
  return null;
}

/** What is most general comes first: what is not stored cannot be in a prompt. */
export const BASES: readonly Basis[] = [...PROMPT_BASES, ...STORE_BASES, ...BLOCK_BASES, ...END_BASES];
