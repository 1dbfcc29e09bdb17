import type { Check } from '../check.js';
import type { CutPart, Evidence } from '../evidence/evidence.js';

/**
 * Fails a check that passed if the evidence has only the beginning and the end of the part it reads. Wrap checks that
 * text left out could falsify: those that expect something to be absent, and those that count.
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
        actual: `cannot be judged: the ${part} of this run could not be read in full${describeLeftOut(part, evidence)}`,
      };
    },
  };
}

function describeLeftOut(part: CutPart, { eventsLeftOut = 0 }: Evidence): string {
  return part === 'events' && eventsLeftOut > 0 ? ` (${eventsLeftOut} more)` : '';
}
