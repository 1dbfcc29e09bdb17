import type { Check } from '../check.js';
import { excerpt, holds, show, type Wanted } from './text.js';

/** Several checks as one: all must hold. For one of the ways of an `anyOf`. */
export function allOf(name: string, ...checks: readonly [Check, ...Check[]]): Check {
  return {
    kind: 'allOf',
    name,
    category: checks[0].category,
    judge: (evidence) => {
      const verdicts = checks.map((check) => check.judge(evidence));
      const broken = verdicts.filter(({ passed }) => !passed);
      return {
        passed: broken.length === 0,
        expected: verdicts.map(({ expected }) => expected).join(', and '),
        actual: broken.length === 0 ? 'all of it' : broken.map(({ actual }) => actual).join('; '),
      };
    },
  };
}

/** The agent needed no more iterations than this. */
export function iterationsAtMost(count: number): Check {
  return {
    kind: 'iterationsAtMost',
    name: `the loop takes at most ${count} iteration${count === 1 ? '' : 's'}`,
    category: 'IterationCount',
    judge: ({ iterations }) => {
      const finished = iterations.filter(({ durationSeconds }) => durationSeconds !== null).length;
      return {
        passed: finished > 0 && finished <= count,
        expected: `1 to ${count} finished iterations`,
        actual: `${finished} finished, ${iterations.length} begun`,
      };
    },
  };
}

/** A file that was there before the run was left as it was. */
export function fileUntouched(path: string): Check {
  return {
    kind: 'fileUntouched',
    name: `${path} is left alone`,
    category: 'FileContains',
    judge: ({ files }) => {
      const file = files.find((candidate) => candidate.path === path);
      return {
        passed: file?.change === 'unchanged',
        expected: `${path} as it was`,
        actual: file === undefined ? 'no such file' : `${file.change}: ${excerpt(file.preview)}`,
      };
    },
  };
}

/** A file does not hold this; it need not exist. */
export function fileLacks(path: string, unwanted: Wanted): Check {
  return {
    kind: 'fileLacks',
    name: `${path} does not hold ${show(unwanted)}`,
    category: 'FileContains',
    judge: ({ files }) => {
      const file = files.find((candidate) => candidate.path === path && candidate.change !== 'deleted');
      return {
        passed: file === undefined || !holds(file.preview, unwanted),
        expected: `no ${path}, or one without ${show(unwanted)}`,
        actual: file === undefined ? 'no such file' : excerpt(file.preview),
      };
    },
  };
}
