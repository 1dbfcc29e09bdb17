import { describe, expect, it } from 'vitest';
import {
  countOpenTests,
  findOpenTests,
  type PastRun,
  type Standing,
} from '../../../src/domain/report/last-failed.js';
import type { BackendId } from '../../../src/domain/vocabulary.js';

const STANDINGS: Record<string, Standing> = {
  '+': 'passed',
  '-': 'failed',
  '~': 'inconclusive',
  '?': 'not-run',
};

/** `a+ b- c?` on claude; `a@kiro-` on another backend. Runs are numbered from 1. */
function runs(...lines: string[]): PastRun[] {
  return lines.map((line, index) => ({
    runId: `run-${index + 1}`,
    tests: line.split(' ').map((word) => {
      const [name = '', backend = 'claude'] = word.slice(0, -1).split('@');
      const standing = STANDINGS[word.slice(-1)] ?? 'not-run';
      return { key: word.slice(0, -1), backend: backend as BackendId, standing, name };
    }),
  }));
}

const open = (...lines: string[]) =>
  [...findOpenTests(runs(...lines))].map(([key, { runId, standing }]) => `${key} ${standing} ${runId}`);

describe('what is open', () => {
  it.each<[string, string[], string[]]>([
    ['what was inconclusive', ['a+ b~'], ['b inconclusive run-1']],
    ['a failure, although its re-run was inconclusive', ['a- b+', 'a~'], ['a failed run-1']],
    ['what failed and what did not run', ['a+ b- c?'], ['b failed run-1', 'c not-run run-1']],
    [
      'not what a re-run passed, and still the rest',
      ['a- b- c-', 'b+'],
      ['a failed run-1', 'c failed run-1'],
    ],
    ['still what a re-run failed again, in that run', ['a- b-', 'b-'], ['a failed run-1', 'b failed run-2']],
    ['what only a re-run failed', ['a+ b-', 'a-'], ['a failed run-2', 'b failed run-1']],
    [
      'a failure that a broken-off re-run did not come to',
      ['a- b-', 'a?'],
      ['a failed run-1', 'b failed run-1'],
    ],
    ['what a broken-off re-run left out', ['a+ b-', 'a?'], ['a not-run run-2', 'b failed run-1']],
    ['after re-runs of re-runs', ['a- b- c-', 'a- b+', 'a+'], ['c failed run-1']],
    ['nothing of before the same tests ran again', ['a- b-', 'a+ b+'], []],
    ['nothing of before a wider run', ['a- b-', 'b-', 'a+ b+ c-'], ['c failed run-3']],
    ['nothing of before a run of other tests', ['a- b-', 'c+ d-'], ['d failed run-2']],
    ['an interrupted run, though parts of it ran later', ['a? b? c?', 'a+', 'b+'], ['c not-run run-1']],
    ['each backend by itself', ['a- b@kiro-', 'c@kiro+'], ['a failed run-1']],
    ['a backend that no later run was on', ['a- b@kiro-', 'a+'], ['b@kiro failed run-1']],
  ])('is %s', (_name, lines, expected) => {
    expect(open(...lines).sort()).toEqual(expected.sort());
  });
});

it('what is open is counted for each run, oldest first', () => {
  const all = findOpenTests(runs('a- b- c? d-', 'b-'));
  expect(countOpenTests([...all.values()])).toEqual([
    { runId: 'run-1', failed: 2, inconclusive: 0, notRun: 1 },
    { runId: 'run-2', failed: 1, inconclusive: 0, notRun: 0 },
  ]);
});
