import { describe, expect, it } from 'vitest';
import {
  completed,
  errandAnswered,
  fileEquals,
  hatSequence,
  iterationCount,
  iterationsAtLeast,
  pendingEvents,
  promptContained,
  promptLacked,
  terminatedBecause,
  toldOnlyTo,
  toldTimes,
} from '../../../../src/authoring.js';
import type { Check } from '../../../../src/domain/check.js';
import { judgeAll } from '../../../../src/domain/check.js';
import type { HeldPromise } from '../../../../src/domain/contract.js';
import type { Evidence } from '../../../../src/domain/evidence/evidence.js';
import { observe } from '../../../../src/kinds/ralph/diagnosis/observe/observe.js';
import { fitting, rank } from '../../../../src/kinds/ralph/diagnosis/promise/direction.js';
import { makeEvidence } from '../../../domain/support/evidence.js';
import { iteration } from '../../../report/support/journal.js';

function see(check: Check, change: Partial<Evidence>): [direction: string, text: string] {
  const evidence = makeEvidence(change);
  const [result] = judgeAll([{ ...check, key: 'x' }], evidence);
  if (result === undefined || result.passed) throw new Error('a check that fails expected');
  const { direction, text } = observe(result, evidence);
  return [direction, text];
}

const loop = (...hats: readonly string[]): Partial<Evidence> => ({
  iterations: hats.map((hat, index) => iteration({ number: index + 1, hat, prompt: `## PROMPT of ${hat}` })),
});
const ended = (reason: string, code: number): Partial<Evidence> => ({
  exit: { kind: 'exited', code },
  termination: { reason, status: '', iterations: 1, exitCode: code },
});
const answered = (exitCode: number, stdout: string): Partial<Evidence> => ({
  errands: [{ when: 'after', command: ['ralph', 'loops', 'discard', 'busy'], exitCode, stdout, stderr: '' }],
});
const file = (preview: string): Partial<Evidence> => ({
  files: [{ path: 'a.txt', change: 'added', sizeBytes: preview.length, preview }],
});

describe('what a failed check shows', () => {
  const cases: readonly (readonly [Check, Partial<Evidence>, string, string])[] = [
    [
      promptContained('hello', { iteration: 1 }),
      loop('a'),
      'missing',
      'The prompt of iteration 1 lacks "hello".',
    ],
    [
      promptContained('hello', { iteration: 3 }),
      loop('a'),
      'early',
      'The loop ended after iteration 1 with completed. The test expects an iteration 3.',
    ],
    [
      promptLacked('PROMPT', { iteration: 1 }),
      loop('a'),
      'excess',
      'The prompt of iteration 1 has "PROMPT", and must not.',
    ],
    [
      toldTimes(1, 'PROMPT'),
      loop('a', 'a'),
      'excess',
      '"PROMPT" is in 2 prompts (iterations 1, 2); expected 1.',
    ],
    [
      toldOnlyTo('a', 'PROMPT'),
      loop('a', 'b'),
      'excess',
      'The prompt of iteration 2 (hat b) has "PROMPT", which is for hat a only.',
    ],
    [hatSequence('a', 'b'), loop('a', 'c'), 'other', 'Iteration 2 has hat c; expected b.'],
    [
      hatSequence('a', 'b'),
      loop('a'),
      'early',
      'The loop ended after iteration 1 with completed. The test expects b after that.',
    ],
    [hatSequence('a'), loop('a', 'b'), 'late', 'The loop went on for 1 iteration more than expected (b).'],
    [iterationCount(1), loop('a', 'b'), 'late', 'The loop finished 2 iterations; expected 1.'],
    [iterationsAtLeast(3), loop('a', 'b'), 'early', 'The loop finished 2 iterations; expected at least 3.'],
    [
      completed(),
      { ...loop('a'), ...ended('max_iterations', 2) },
      'late',
      'The loop ended after iteration 1 with max_iterations. The test expects completed.',
    ],
    [
      completed(),
      { iterations: [iteration({ said: 'Not yet.' })] },
      'early',
      'The loop completed, and the agent had not declared completion in its last iteration.',
    ],
    [
      terminatedBecause('loop_stale', 1),
      loop('a'),
      'other',
      'The loop ended after iteration 1 with completed. The test expects loop_stale.',
    ],
    [
      errandAnswered('loops discard busy', { exitCode: 1 }),
      answered(0, 'gone'),
      'excess',
      '"loops discard busy" succeeds and must not: exit code 0, expected 1: "gone".',
    ],
    [
      errandAnswered('loops discard busy', { stdout: 'gone' }),
      answered(0, ''),
      'other',
      '"loops discard busy" prints something else than expected: nothing.',
    ],
    [fileEquals('a.txt', 'one\ntwo'), file('one\n'), 'missing', 'a.txt differs: lacks "two".'],
    [fileEquals('a.txt', 'one'), file('one\ntwo\n'), 'excess', 'a.txt differs: has "two".'],
    [fileEquals('a.txt', 'one'), {}, 'missing', 'There is no a.txt.'],
  ];
  it.each(cases)('%#: %o', (check, evidence, direction, text) => {
    expect(see(check, evidence)).toEqual([direction, text]);
  });

  it('names pending events that are missing and those that are too many', () => {
    const prompt = '## PENDING EVENTS\n\nEvent: a.x - 1\nEvent: a.x - 1\n\n## NEXT';
    const twice = { iterations: [iteration({ number: 2, prompt })] };
    expect(see(pendingEvents(['a.x'], { iteration: 2 }), twice)).toEqual([
      'excess',
      'Pending events in iteration 2 differ: a.x too many.',
    ]);
    expect(see(pendingEvents(['a.x', 'a.x', 'b.y'], { iteration: 2 }), twice)).toEqual([
      'missing',
      'Pending events in iteration 2 differ: b.y missing.',
    ]);
  });
});

describe('promises', () => {
  const held = (promise: string): HeldPromise => ({ area: 'x', promise, source: 'a.rs' });
  const words = (promises: readonly HeldPromise[]) => promises.map(({ promise }) => promise);
  const happens = held('Events for different hats activate all these hats.');
  const once = held('An event is in one prompt only.');
  const completes = held('A loop completes when the promise is the last line.');
  const refused = held('Completion is refused until every required event was seen.');

  it('are broken by too much only if they limit something', () => {
    expect(words(fitting([happens, once], 'excess'))).toEqual([once.promise]);
    expect(words(fitting([happens, once], 'missing'))).toEqual([happens.promise, once.promise]);
  });

  it('are broken by an early end if they hold it back, and by a late one if they bring it', () => {
    expect(words(fitting([completes, refused], 'early'))).toEqual([refused.promise]);
    expect(words(fitting([completes, refused], 'late'))).toEqual([completes.promise]);
    expect(words(fitting([completes], 'early'))).toEqual([completes.promise]);
  });

  it('come first if more checks are about them, or if they share words with what was seen', () => {
    expect(words(rank([once, completes, completes], ''))).toEqual([completes.promise, once.promise]);
    expect(words(rank([once, refused], 'A required event is missing'))).toEqual([
      refused.promise,
      once.promise,
    ]);
  });
});
