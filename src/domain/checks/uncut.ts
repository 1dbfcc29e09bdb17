import type { Check } from '../check.js';
import type { CutPart } from '../evidence/evidence.js';

/**
 * For a check that what was left out could make wrong: of what is not there, or of how much there is. It does not pass
 * where the evidence has only the beginning and the end of that part.
 */
export function onUncut(part: CutPart, check: Check): Check {
  return {
    ...check,
    judge: (evidence) => {
      const verdict = check.judge(evidence);
      if (!verdict.passed || evidence.cut?.includes(part) !== true) return verdict;
      return {
        ...verdict,
        passed: false,
        actual: `cannot be judged: the ${part} of this run are too long to be kept whole`,
      };
    },
  };
}
