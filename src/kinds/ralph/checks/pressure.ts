import { type Check, readsOf, sharedAbout } from '../../../domain/check.js';
import { contentOf } from '../../../domain/checks/file-content.js';
import { aboutWanted, excerpt, holds, show, type Wanted } from '../../../domain/checks/text.js';
import { onUncut } from '../../../domain/checks/uncut.js';
import { countFinished } from '../../../domain/evidence/facts.js';

/** Several checks as one: all must hold. For one of the ways of an `anyOf`. */
export function allOf(name: string, ...checks: readonly [Check, ...Check[]]): Check {
  return {
    kind: 'allOf',
    name,
    about: sharedAbout(checks),
    category: checks[0].category,
    reads: readsOf(checks),
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
  return onUncut('events', {
    kind: 'iterationsAtMost',
    name: `the loop takes at most ${count} iteration${count === 1 ? '' : 's'}`,
    about: { limit: count },
    category: 'IterationCount',
    judge: (evidence) => {
      const finished = countFinished(evidence);
      return {
        passed: finished > 0 && finished <= count,
        expected: `1 to ${count} finished iterations`,
        actual: `${finished} finished, ${evidence.iterations.length} begun`,
      };
    },
  });
}

/** A file that was there before the run was left as it was. */
export function fileUntouched(path: string): Check {
  return {
    kind: 'fileUntouched',
    name: `${path} is left alone`,
    about: { path },
    category: 'FileContains',
    reads: [path],
    judge: ({ files }) => {
      const file = files.find((candidate) => candidate.path === path);
      return {
        passed: file?.change === 'unchanged' && file.compared !== false,
        expected: `${path} as it was`,
        actual:
          file === undefined
            ? 'no such file'
            : `${file.compared === false ? 'not compared' : file.change}: ${excerpt(file.preview)}`,
      };
    },
  };
}

/** A file does not hold this, anywhere in it; it need not exist. One of which not all is known does not pass. */
export function fileLacks(path: string, unwanted: Wanted): Check {
  return {
    kind: 'fileLacks',
    name: `${path} does not hold ${show(unwanted)}`,
    about: { path, ...aboutWanted(unwanted) },
    category: 'FileContains',
    reads: [path],
    judge: (evidence) => {
      const expected = `no ${path}, or one without ${show(unwanted)}`;
      const content = contentOf(evidence, path);
      switch (content.kind) {
        case 'absent':
          return { passed: true, expected, actual: 'no such file' };
        case 'unknown':
          return { passed: false, expected, actual: `cannot be judged: ${content.why}` };
        case 'whole': {
          const { text, scrubbed } = content;
          if (holds(text, unwanted)) return { passed: false, expected, actual: excerpt(text) };
          return scrubbed
            ? { passed: false, expected, actual: 'cannot be judged: credentials were removed from it' }
            : { passed: true, expected, actual: excerpt(text) };
        }
        default:
          return content satisfies never;
      }
    },
  };
}
