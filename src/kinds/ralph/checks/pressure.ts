import { type Check, readsOf, sharedAbout } from '../../../domain/check.js';
import { contentOf } from '../../../domain/checks/file-content.js';
import { aboutWanted, excerpt, holds, show, type Wanted } from '../../../domain/checks/text.js';
import { onUncut } from '../../../domain/checks/uncut.js';
import { countFinished } from '../../../domain/evidence/facts.js';

/** Combines checks: passes if all of them pass. Use it as one of the alternatives in `anyOf`. */
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
        actual: broken.length === 0 ? 'all of them' : broken.map(({ actual }) => actual).join('; '),
      };
    },
  };
}

/** Checks that the loop finished at least one iteration and no more than this many. */
export function iterationsAtMost(count: number): Check {
  return onUncut('events', {
    kind: 'iterationsAtMost',
    judges: 'course',
    name: `the loop takes at most ${count} iteration${count === 1 ? '' : 's'}`,
    about: { limit: count },
    category: 'IterationCount',
    judge: (evidence) => {
      const finished = countFinished(evidence);
      return {
        passed: finished > 0 && finished <= count,
        expected: count === 1 ? '1 finished iteration' : `1 to ${count} finished iterations`,
        actual: `${finished} finished, ${evidence.iterations.length} started`,
      };
    },
  });
}

/** Checks that a file that existed before the run is unchanged. */
export function fileUntouched(path: string): Check {
  return {
    kind: 'fileUntouched',
    judges: 'agent',
    name: `${path} is unchanged`,
    about: { path },
    category: 'FileContains',
    reads: [path],
    judge: ({ files }) => {
      const file = files.find((candidate) => candidate.path === path);
      return {
        passed: file?.change === 'unchanged' && file.compared !== false,
        expected: `${path} unchanged`,
        actual:
          file === undefined
            ? 'no such file'
            : `${file.compared === false ? 'not compared' : file.change}: ${excerpt(file.preview)}`,
      };
    },
  };
}

/** Checks that a file does not contain this text. Passes if there is no such file; fails if part of the file is unknown. */
export function fileLacks(path: string, unwanted: Wanted): Check {
  return {
    kind: 'fileLacks',
    judges: 'agent',
    name: `${path} does not contain ${show(unwanted)}`,
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
          // Without zeros too: they are what UTF-16 without its mark looks like.
          if (holds(text, unwanted) || holds(text.replaceAll('\0', ''), unwanted))
            return { passed: false, expected, actual: excerpt(text) };
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
