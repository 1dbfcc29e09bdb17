import { describe, expect, test } from 'vitest';
import { completed, fileEquals, loop, onAnyPrompt, scenario } from '../../../src/authoring.js';
import { nameChecks } from '../../../src/domain/check.js';

const COMMON = {
  id: 'named',
  tier: 2,
  priority: 'should',
  phase: 'green',
  description: 'Its checks have names',
  covers: [],
  arrange: () => ({ config: loop({ maxIterations: 2 }), prompt: 'x' }),
  agent: [onAnyPrompt().completes()],
} as const;

/** `npm run typecheck` judges these: each expected error must be an error. */
describe('the names that a scenario gives its checks', () => {
  test('are the only names that kills and breaks may use, except those of the common checks', () => {
    scenario({
      ...COMMON,
      expect: () => ({ ends: completed(), file: fileEquals('a.txt', 'x') }),
      saboteurs: {
        sound: { target: 'crash', kills: ['ends', 'file', 'nothingLeftBehind'], failure: 'BackendError' },
        // @ts-expect-error: no check has this name
        misspelled: { target: 'crash', kills: ['flie'], failure: 'BackendError' },
        // @ts-expect-error: a kind is not a name
        byKind: { target: 'crash', kills: ['fileEquals'], failure: 'BackendError' },
      },
      // @ts-expect-error: no check has this name
      knownIssue: { upTo: '1.0.0', reason: 'x', link: 'x', breaks: { completed: /x/ } },
    });
  });

  test('include those that only some runs have', () => {
    scenario({
      ...COMMON,
      expect: ({ lane }) => ({
        ends: completed(),
        file: lane === 'live' ? undefined : fileEquals('a.txt', 'x'),
        ...(lane === 'sim' && { other: fileEquals('b.txt', 'x') }),
      }),
      saboteurs: { sound: { target: 'crash', kills: ['file', 'other'], failure: 'BackendError' } },
    });
  });

  test('reach the results in the order in which they were written, without those that do not apply', () => {
    const named = nameChecks({ ends: completed(), none: undefined, file: fileEquals('a.txt', 'x') });
    expect(named.map(({ key, kind }) => [key, kind])).toEqual([
      ['ends', 'completed'],
      ['file', 'fileEquals'],
    ]);
  });

  test('are the kinds of the checks where the author wrote a list', () => {
    expect(nameChecks([completed(), completed()]).map(({ key }) => key)).toEqual(['completed', 'completed']);
  });
});
