import { type Check, readsOf, sharedAbout } from '../check.js';

/** Combines checks: passes if at least one of them passes, as in "either asks or completes". */
export function anyOf(name: string, ...checks: readonly [Check, ...Check[]]): Check {
  return {
    kind: 'anyOf',
    name,
    about: sharedAbout(checks),
    category: checks[0].category,
    reads: readsOf(checks),
    judge: (evidence) => {
      const verdicts = checks.map((check) => check.judge(evidence));
      return {
        passed: verdicts.some(({ passed }) => passed),
        expected: verdicts.map(({ expected }) => expected).join(', or '),
        actual: verdicts.map(({ actual }) => actual).join('; '),
      };
    },
  };
}
