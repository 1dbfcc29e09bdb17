import { listAttacks } from './attacks.js';
import { countSteps } from './count-steps.js';
import { parsePattern } from './parse-pattern.js';

const SMALL = 400;
const LIMIT = 400_000;
/** Twice the text may take twice the steps, and a little more where the small text does not fill its limits. */
const MOST_GROWTH = 2.6;
/** So few steps say nothing about growth. */
const FEW_STEPS = 12_000;

/** Returns the beginning of a text that makes a pattern slower than linear, or null if none was found. */
export function findSlowText(pattern: RegExp): string | null {
  const tree = parsePattern(pattern);
  for (const attack of listAttacks(tree)) {
    const large = countSteps(tree, pattern.flags, attack(2 * SMALL), LIMIT);
    if (large < FEW_STEPS) continue;
    const small = countSteps(tree, pattern.flags, attack(SMALL), LIMIT);
    if (large >= LIMIT || large > small * MOST_GROWTH) return attack(40);
  }
  return null;
}
