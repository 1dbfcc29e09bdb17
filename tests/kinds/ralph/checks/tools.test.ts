import { describe, expect, test } from 'vitest';
import * as checks from '../../../../src/authoring.js';
import type { Check } from '../../../../src/domain/check.js';
import type { Evidence, Iteration, ToolCall } from '../../../../src/domain/evidence/evidence.js';
import { makeEvidence } from '../../../domain/support/evidence.js';

const READ: ToolCall = {
  id: 't1',
  name: 'Read',
  input: '{"file_path":"/ws/code.txt"}',
  result: '1\tthe code is abc1',
  isError: false,
};

const PROMPT = [
  '## OBJECTIVE',
  'Event: build.done - in an objective this is no pending event',
  '## PENDING EVENTS',
  '',
  'You MUST handle these events in this iteration:',
  '',
  'Event: try.one - ',
  'Event: build.blocked - Missing evidence.',
  'and more of it',
  'Event: try.two - ',
  '',
  '## DONE',
  'Event: late.one - under another heading',
].join('\n');

const SECOND: Iteration = {
  number: 2,
  hat: 'ralph',
  prompt: PROMPT,
  said: 'FIRST one\n  SECOND two\nLOOP_COMPLETE',
  toolCalls: [READ],
  durationSeconds: 1,
};
const FIRST: Iteration = { ...SECOND, number: 1, prompt: 'asked', said: 'hello', toolCalls: [] };

const EVIDENCE = makeEvidence({
  cwd: '/ws',
  termination: { reason: 'completed', status: '', iterations: 2, exitCode: 0 },
  iterations: [FIRST, SECOND],
  files: [
    { path: 'kept.txt', change: 'unchanged', sizeBytes: 3, preview: 'old\n' },
    { path: 'made.txt', change: 'added', sizeBytes: 3, preview: 'new\n' },
  ],
  usage: { model: 'm', turns: 2, inputTokens: 3, outputTokens: 4, costUsd: 0 },
});

const withCall = (change: Partial<ToolCall>): Partial<Evidence> => ({
  iterations: [FIRST, { ...SECOND, toolCalls: [{ ...READ, ...change }] }],
});
const withSecond = (change: Partial<Iteration>): Partial<Evidence> => ({
  iterations: [FIRST, { ...SECOND, ...change }],
});
const withUsage = (change: Partial<NonNullable<Evidence['usage']>>): Partial<Evidence> => ({
  usage: EVIDENCE.usage && { ...EVIDENCE.usage, ...change },
});
const withFile = (index: number, change: Partial<Evidence['files'][number]>): Partial<Evidence> => ({
  files: EVIDENCE.files.map((file, at) => (at === index ? { ...file, ...change } : file)),
});

const read = checks.toolUsed('Read', { input: 'code.txt', result: 'abc1' });
const inSecond = checks.toolUsed('Read', { iteration: 2 });
const usage = checks.usageReported({ turns: 2 });
const two = { iteration: 2 };
const blocked = checks.pendingAfter('try.one', { topic: 'build.blocked', payload: /^Missing/ });
const both = checks.allOf('both', checks.fileUntouched('kept.txt'), checks.fileLacks('made.txt', 'x'));

/** For each check that passes on the evidence: the smallest changes that must make it fail, by name. */
const CASES: [string, Check, Partial<Evidence>][] = [
  ['another tool', read, withCall({ name: 'Bash' })],
  ['another input', read, withCall({ input: '{"file_path":"/ws/decoy.txt"}' })],
  ['another result', read, withCall({ result: 'nothing' })],
  ['a call without result', inSecond, withCall({ result: null })],
  ['a call that failed', read, withCall({ isError: true })],
  [
    'in another iteration',
    inSecond,
    {
      iterations: [
        { ...SECOND, number: 1 },
        { ...FIRST, number: 2 },
      ],
    },
  ],
  [
    'the wrong order',
    checks.saidInOrder('FIRST one', 'SECOND two'),
    withSecond({ said: 'SECOND two\nFIRST one' }),
  ],
  ['not a line of its own', checks.saidInOrder('FIRST one'), withSecond({ said: 'say FIRST one' })],
  ['no result', usage, { usage: null }],
  ['no model', usage, withUsage({ model: null })],
  ['too few turns', usage, withUsage({ turns: 1 })],
  ['no tokens in', usage, withUsage({ inputTokens: 0 })],
  ['no tokens out', usage, withUsage({ outputTokens: 0 })],
  ['an error', usage, { backendErrors: ['overloaded'] }],
  [
    'an event less',
    checks.pendingEvents(['try.one', 'build.blocked', 'try.two'], two),
    withSecond({ prompt: PROMPT.replace('Event: try.two - \n', '') }),
  ],
  [
    'an event more',
    checks.pendingEvents(['try.one', 'build.blocked', 'try.two'], two),
    withSecond({ prompt: PROMPT.replace('Event: try.two', 'Event: x.y - \nEvent: try.two') }),
  ],
  ['no such prompt', checks.pendingEvents([], { iteration: 1 }), { iterations: [] }],
  ['another answer', blocked, withSecond({ prompt: PROMPT.replace('build.blocked', 'build.done') })],
  ['another payload', blocked, withSecond({ prompt: PROMPT.replace('Missing', 'Lacking') })],
  ['no marker', blocked, withSecond({ prompt: PROMPT.replace('try.one', 'try.other') })],
  ['a prompt that tells', checks.promptLacked('abc1'), withSecond({ prompt: 'abc1' })],
  ['no prompt at all', checks.promptLacked('abc1'), { iterations: [] }],
  ['one of both', both, withFile(0, { change: 'modified' })],
  ['the other of both', both, withFile(1, { preview: 'x' })],
  [
    'too many iterations',
    checks.iterationsAtMost(2),
    { iterations: [FIRST, SECOND, { ...SECOND, number: 3 }] },
  ],
  ['no iteration at all', checks.iterationsAtMost(2), { iterations: [] }],
  ['a changed file', checks.fileUntouched('kept.txt'), withFile(0, { change: 'modified' })],
  ['a deleted file', checks.fileUntouched('kept.txt'), withFile(0, { change: 'deleted' })],
  ['a file that is not there', checks.fileUntouched('kept.txt'), { files: [] }],
  ['what it must not hold', checks.fileLacks('made.txt', 'x'), withFile(1, { preview: 'x' })],
  [
    'what it must not hold, in the part that the preview leaves out',
    checks.fileLacks('made.txt', 'x'),
    withFile(1, { content: { kind: 'whole', text: 'new x\n', scrubbed: false } }),
  ],
  [
    'a file that was not read whole',
    checks.fileLacks('made.txt', 'x'),
    withFile(1, { content: { kind: 'unknown', why: 'it is too large' } }),
  ],
  [
    'a file from which credentials were removed',
    checks.fileLacks('made.txt', 'x'),
    withFile(1, { content: { kind: 'whole', text: 'new\n', scrubbed: true } }),
  ],
  ['a file that may be among those not listed', checks.fileLacks('absent.txt', 'x'), { filesLeftOut: 3 }],
  ['a file that nobody compared', checks.fileUntouched('kept.txt'), withFile(0, { compared: false })],
  ['prompts that are not all kept', checks.promptLacked('abc1'), { cut: ['prompts'] }],
  ['prompts with a gap', checks.pendingEvents([], { iteration: 1 }), { cut: ['prompts'] }],
  ['prompts in which it may be', checks.toldToNobody('abc1'), { cut: ['prompts'] }],
  ['prompts in which it may be again', checks.toldTimes(0, 'abc1'), { cut: ['prompts'] }],
  ['prompts in which it may stand', checks.keptOutOfPrompt('abc1'), { cut: ['prompts'] }],
  ['prompts that may have memories', checks.noMemoriesInjected(), { cut: ['prompts'] }],
  ['memories that are not all kept', checks.memoryAbsent('abc1'), { cut: ['memories'] }],
  ['events that are not all kept', checks.iterationsAtMost(2), { cut: ['events'] }],
  ['events with a gap', checks.iterationCount(2), { cut: ['events'] }],
  [
    'words that are not all kept',
    checks.cutOffBefore('abc1', { after: 'SECOND two' }),
    withSecond({ saidCut: true }),
  ],
];

describe('checks of tools, pending events and pressure', () => {
  test.each(CASES)('%s: %o', (_what, check, breaks) => {
    expect(check.judge(EVIDENCE)).toMatchObject({ passed: true });
    const verdict = check.judge({ ...EVIDENCE, ...breaks });
    expect(verdict.passed).toBe(false);
    expect(verdict.expected).not.toBe('');
    expect(verdict.actual).not.toBe('');
  });

  test('a file that does not exist contains nothing', () => {
    expect(checks.fileLacks('absent.txt', 'x').judge(EVIDENCE).passed).toBe(true);
    expect(checks.fileLacks('made.txt', 'new').judge(withDeleted()).passed).toBe(true);
  });

  test('a file that was not found does not exist, however many files are not listed', () => {
    const evidence = { ...EVIDENCE, filesLeftOut: 3, filesAbsent: ['absent.txt'] };
    expect(checks.fileLacks('absent.txt', 'x').judge(evidence).passed).toBe(true);
  });

  test('an iteration that only started does not count', () => {
    const begun = { iterations: [FIRST, SECOND, { ...SECOND, number: 3, durationSeconds: null }] };
    expect(checks.iterationsAtMost(2).judge({ ...EVIDENCE, ...begun }).passed).toBe(true);
  });
});

function withDeleted(): Evidence {
  return { ...EVIDENCE, ...withFile(1, { change: 'deleted' }) };
}
