import { describe, expect, test } from 'vitest';
import * as checks from '../../../../src/authoring.js';
import type { Check } from '../../../../src/domain/check.js';
import type { ErrandRecord, Evidence, Iteration } from '../../../../src/domain/evidence/evidence.js';
import { makeEvidence } from '../../../domain/support/evidence.js';

const iteration = (number: number, change: Partial<Iteration> = {}): Iteration => ({
  number,
  hat: 'ralph',
  prompt: `asked ${number}`,
  said: `answered ${number}`,
  toolCalls: [],
  durationSeconds: 2,
  ...change,
});

const errand = (change: Partial<ErrandRecord> = {}): ErrandRecord => ({
  when: 'before',
  command: ['ralph', 'run', '-c', 'ralph.yml'],
  exitCode: 2,
  stdout: '',
  stderr: '',
  ...change,
});

const EVIDENCE = makeEvidence({
  stdout: { path: 'stdout.txt', bytes: 1000, text: '', truncated: false },
  termination: null,
  iterations: [iteration(2), iteration(3)],
  errands: [errand(), errand({ command: ['git', 'status'], exitCode: 0 })],
});

/** For each check: a change of the evidence that must make it fail. It passes on the unchanged evidence. */
const CASES: readonly [string, Check, Partial<Evidence>][] = [
  ['all are short', checks.promptExceeds(6), { iterations: [iteration(2, { prompt: 'short!' })] }],
  ['there is no prompt', checks.promptExceeds(6), { iterations: [iteration(2, { prompt: null })] }],
  [
    'it is in a prompt',
    checks.promptLacked('old'),
    { iterations: [iteration(2), iteration(3, { prompt: 'old' })] },
  ],
  [
    'it matches',
    checks.promptLacked(/old/, { iteration: 3 }),
    { iterations: [iteration(3, { prompt: 'old' })] },
  ],
  ['there is no prompt', checks.promptLacked('old'), { iterations: [iteration(2, { prompt: null })] }],
  ['that iteration is missing', checks.promptLacked('old', { iteration: 3 }), { iterations: [iteration(2)] }],
  [
    'it said so',
    checks.cutOffBefore('STILL', { after: 'answered' }),
    { iterations: [iteration(2, { said: 'answered\nSTILL here' })] },
  ],
  [
    'it said nothing',
    checks.cutOffBefore('STILL', { after: 'answered' }),
    { iterations: [iteration(2, { said: ' \n' })] },
  ],
  [
    'it never came so far',
    checks.cutOffBefore('STILL', { after: 'answered' }),
    { iterations: [iteration(1, { said: 'nothing' })] },
  ],
  ['it is late', checks.iterationEndedWithin(2, 2), { iterations: [iteration(2, { durationSeconds: 2.1 })] }],
  [
    'it has no end',
    checks.iterationEndedWithin(2, 2),
    { iterations: [iteration(2, { durationSeconds: null })] },
  ],
  ['it starts anew', checks.countsOnFrom(2), { iterations: [iteration(1), iteration(2)] }],
  ['there is no iteration', checks.countsOnFrom(2), { iterations: [] }],
  ['it ended otherwise', checks.earlierSessionEnded(2), { errands: [errand({ exitCode: 0 })] }],
  [
    'one of two ended otherwise',
    checks.earlierSessionEnded(2),
    { errands: [errand(), errand({ exitCode: null })] },
  ],
  ['there was none', checks.earlierSessionEnded(2), { errands: [errand({ command: ['ralph', 'emit'] })] }],
  ['it came later', checks.earlierSessionEnded(2), { errands: [errand({ when: 'after' })] }],
  ['a byte is lost', checks.printedAtLeast(1000), { stdout: { ...EVIDENCE.stdout, bytes: 999 } }],
];

describe('checks of loops', () => {
  test.each(CASES.map(([why, check, breaks]) => [check.kind, why, check, breaks] as const))(
    '%s holds, and is red when %s',
    (_kind, _why, check, breaks) => {
      expect(check.judge(EVIDENCE).passed).toBe(true);
      const verdict = check.judge({ ...EVIDENCE, ...breaks });
      expect(verdict.passed).toBe(false);
      expect(verdict.expected).not.toBe('');
      expect(verdict.actual).not.toBe('');
    },
  );

  test('a prompt of another iteration does not matter to one', () => {
    const iterations = [iteration(2, { prompt: 'old' }), iteration(3)];
    expect(checks.promptLacked('old', { iteration: 3 }).judge({ ...EVIDENCE, iterations }).passed).toBe(true);
  });

  const numbered = [
    iteration(3, { prompt: 'old' }),
    iteration(4, { prompt: '## PENDING EVENTS\n\nEvent: a.b - new\n' }),
  ];
  test.each([
    ['the first, whatever its number', checks.promptContained('old', { nth: 1 }), true],
    ['no other than the first', checks.promptContained('old', { nth: 2 }), false],
    ['one that is missing', checks.promptContained('old', { nth: 3 }), false],
    ['the second without the text', checks.promptLacked('old', { nth: 2 }), true],
    ['the first with the text', checks.promptLacked('old', { nth: 1 }), false],
    ['the events of the second', checks.pendingEvents(['a.b'], { nth: 2 }), true],
    ['the events of the first', checks.pendingEvents(['a.b'], { nth: 1 }), false],
  ])('a prompt is found by its place in the run: %s', (_, check, passed) => {
    expect(check.judge({ ...EVIDENCE, iterations: numbered }).passed).toBe(passed);
  });
});
