import { describe, expect, it } from 'vitest';
import {
  earlierSessionEnded,
  errandAnswered,
  fileContains,
  fileEquals,
  fileHasJson,
  hatActive,
  hatSequence,
  iterationsAtLeast,
  promptContained,
  toldTimes,
} from '../../../../src/authoring.js';
import { type Check, judgeAll } from '../../../../src/domain/check.js';
import type { Evidence } from '../../../../src/domain/evidence/evidence.js';
import { observe } from '../../../../src/kinds/ralph/diagnosis/observe.js';
import { makeEvidence } from '../../../domain/support/evidence.js';
import { iteration } from '../../../report/support/journal.js';

function see(check: Check, change: Partial<Evidence>): string {
  const evidence = makeEvidence(change);
  const [result] = judgeAll([{ ...check, key: 'x' }], evidence);
  if (result === undefined || result.passed) throw new Error('a check that fails expected');
  return observe(result, evidence).text;
}

const loop = (...hats: readonly string[]): Partial<Evidence> => ({
  iterations: hats.map((hat, index) => iteration({ number: index + 1, hat, prompt: `## PROMPT of ${hat}` })),
});
const answered = (exitCode: number, stdout: string, stderr = ''): Partial<Evidence> => ({
  errands: [{ when: 'after', command: ['ralph', 'loops', 'discard', 'busy'], exitCode, stdout, stderr }],
});
const file = (preview: string, path = 'a.txt'): Partial<Evidence> => ({
  files: [{ path, change: 'added', sizeBytes: preview.length, preview }],
});
const event = (topic: string, payload: string): Evidence['events'][number] => ({
  topic,
  payload,
  timestamp: '',
  hat: null,
  iteration: null,
  source: 'agent',
});

describe('what a failed check shows', () => {
  const cases: readonly (readonly [Check, Partial<Evidence>, string])[] = [
    [toldTimes(1, 'PROMPT'), loop('a', 'a'), 'Failed check: "PROMPT" is in 1 prompt.'],
    [
      promptContained('hello', { iteration: 3 }),
      loop('a'),
      'The loop ended after iteration 1 with completed. The test expects an iteration 3.',
    ],
    [
      hatSequence('a', 'b'),
      loop('a', 'c'),
      'Failed check: the hats are a, then b. They part in iteration 2.',
    ],
    [
      fileEquals('a.txt', 'one\ntwo'),
      file('one\n'),
      'Failed check: a.txt has the expected content. It lacks "two".',
    ],
    [
      fileContains('a.txt', /one(?: or two)?\nthree \d+ bricks$/),
      file('one\nfour'),
      'Failed check: a.txt contains /one(?: or two)?\\nthree \\d+ bricks$/. It lacks "three", "bricks".',
    ],
    [
      errandAnswered('loops discard busy', { stdout: /gone with \w+/ }),
      answered(0, 'kept'),
      'Failed check: "loops discard busy" exits with 0 and prints /gone with \\w+/. It lacks "gone with".',
    ],
    [
      errandAnswered('loops discard busy', { stdout: /one\ntwo\nthree/ }),
      answered(0, 'one\nthree'),
      'Failed check: "loops discard busy" exits with 0 and prints /one\\ntwo\\nthree/. It lacks "two".',
    ],
    [
      toldTimes(1, /PROMPT of a\n+1\. Rule/),
      loop('a'),
      'Failed check: /PROMPT of a\\n+1\\. Rule/ is in 1 prompt. It lacks "1. Rule".',
    ],
    [
      errandAnswered('loops discard busy', {}),
      answered(1, 'so many words', 'error: no such loop'),
      'Ralph says "error: no such loop". Failed check: "loops discard busy" exits with 0.',
    ],
    [
      errandAnswered('loops discard busy', { stdout: 'gone' }),
      answered(0, 'kept\nwarning: it is old'),
      'Failed check: "loops discard busy" exits with 0 and prints "gone".',
    ],
    [
      errandAnswered('loops discard busy', { stdout: 'kept', stderr: /old/ }),
      answered(0, 'kept', ''),
      'Failed check: "loops discard busy" exits with 0 and prints "kept" and prints /old/ to stderr. It lacks "old".',
    ],
    [
      errandAnswered('loops discard busy', {}),
      answered(101, '', "thread 'main' panicked at crates/ralph-core/src/loops.rs:12:5:\nno such loop\n"),
      'Ralph says "panicked at crates/ralph-core/src/loops.rs:12: no such loop". Failed check: "loops discard busy" exits with 0.',
    ],
    [
      errandAnswered('loops discard busy', {}),
      answered(2, 'INFO ralph_core::event_loop: Wrapping up: max_runtime. 0 iterations in 0s.'),
      'The command\'s loop ended with max_runtime after 0 iterations. Failed check: "loops discard busy" exits with 0.',
    ],
    [
      fileEquals('a.txt', 'x'),
      { ...file('y'), ...answered(1, '', 'error: no such loop') },
      'Ralph says "error: no such loop". Failed check: a.txt has the expected content. It lacks "x"; has "y".',
    ],
    [
      fileContains('hats.log', 'done'),
      file('ERROR no such hat', 'hats.log'),
      'Ralph says "ERROR no such hat". Failed check: hats.log contains "done".',
    ],
  ];
  it.each(cases)('%#: %o', (check, evidence, text) => {
    expect(see(check, evidence)).toBe(text);
  });

  it('quotes of two long lines what differs', () => {
    const call = (flag: string) => `kiro-cli chat --no-interactive ${flag}--agent critic --deep <prompt>`;
    expect(see(fileEquals('a.txt', call('--trust-all-tools ')), file(call('')))).toMatch(
      /It lacks … "[^"]*-interactive --trust-all-tools --agent[^"]*" …; has … "[^"]*-interactive --agent critic[^"]*"/,
    );
  });

  it('shows of a long text what is around the place that comes closest to what is sought', () => {
    const text = `${'before '.repeat(40)}the sum is 41 ${'after '.repeat(40)}`;
    const check = { ...fileContains('a.txt', 'the sum is 42'), key: 'sum' };
    const [result] = judgeAll([check], makeEvidence(file(text)));
    expect(`${result?.actual}`).toMatch(/added: … "[^"]*the sum is 41 after/);
  });

  it('shows both ends of a long text that has only a little of what is sought', () => {
    const text = `${'before '.repeat(40)}the sun ${'after '.repeat(40)}`;
    const check = { ...fileContains('a.txt', 'the sum of all the bricks is 42'), key: 'sum' };
    const [result] = judgeAll([check], makeEvidence(file(text)));
    expect(`${result?.actual}`).toMatch(/^added: "before [^"]*" … "[^"]*after/);
  });

  it('names the lines of a text that a prompt lacks', () => {
    const iterations = [iteration({ number: 1, prompt: '## HAT\n\nInspect it.\n' })];
    expect(see(promptContained('## Rules\n\nInspect it.', { iteration: 1 }), { iterations })).toMatch(
      / It lacks "## Rules"\.$/,
    );
  });

  it.each([
    ['git', [{ when: 'after' as const, command: ['git', 'branch', '-D', 'x'] }], []],
    [
      'an earlier session that a check judges',
      [{ when: 'before' as const, command: ['ralph', 'run', '-p', 'go'] }],
      [{ ...earlierSessionEnded(1), key: 'ended' }],
    ],
  ])('does not take for Ralph what %s says', (_who, errands, more) => {
    const failed = errands.map((one) => ({ ...one, exitCode: 1, stdout: '', stderr: 'error: not found' }));
    const checks = [{ ...fileEquals('a.txt', 'x'), key: 'x' }, ...more];
    const [result, ...others] = judgeAll(checks, makeEvidence({ ...file('y'), errands: failed }));
    if (result === undefined) throw new Error('a check that fails expected');
    expect(
      observe(result, makeEvidence({ ...file('y'), errands: failed }), [result, ...others]).text,
    ).not.toContain('Ralph says');
  });

  it.each([
    ['an earlier session that ended otherwise', 'before', ['ralph', 'run', '-p', 'go']],
    ['a later session, which no check judges', 'after', ['ralph', 'run', '-p', 'go']],
    ['Ralph in a script that git runs', 'after', ['git', '-c', 'alias.script=!sh x.sh', 'script']],
  ] as const)('takes for Ralph what it says in %s', (_what, when, command) => {
    const evidence = makeEvidence({
      ...file('y'),
      errands: [
        { when: 'before', command: ['ralph', 'run', '-p', 'first'], exitCode: 0, stdout: '', stderr: '' },
        { when, command: [...command], exitCode: 1, stdout: '', stderr: 'error: not found' },
      ],
    });
    const checks = [
      { ...fileEquals('a.txt', 'x'), key: 'x' },
      { ...earlierSessionEnded(0), key: 'ended' },
    ];
    const [result, ...others] = judgeAll(checks, evidence);
    if (result === undefined) throw new Error('a check that fails expected');
    expect(observe(result, evidence, [result, ...others]).text).toContain('Ralph says "error: not found"');
  });

  it('does not take for news what a check wants a command to refuse', () => {
    const evidence = makeEvidence({ ...file('y'), ...answered(1, '', 'error: no such loop') });
    const checks = [
      { ...fileEquals('a.txt', 'x'), key: 'x' },
      { ...errandAnswered('loops discard busy', { exitCode: 1 }), key: 'refused' },
    ];
    const [result, ...others] = judgeAll(checks, evidence);
    if (result === undefined) throw new Error('a check that fails expected');
    expect(observe(result, evidence, [result, ...others]).text).not.toContain('Ralph says');
  });

  it.each([
    ['{"command":"npm test"}', false],
    ['{"command":"cat .ralph/agent/notes.md"}', false],
    ['{"command":"grep \\"ralph emit\\" README.md"}', false],
    ['{"command":"ralph emit a.x"}', true],
    ['{"command":"cd /w && /opt/bin/ralph tools task add"}', true],
    ['{"command":"X=1 \\"$RALPH_BIN\\" emit a.x"}', true],
  ])('quotes what a failed tool call printed only if it ran Ralph: %s', (input, isRalphs) => {
    const call = (result: string, isError: boolean) => ({ id: null, name: 'Bash', input, result, isError });
    const toolCalls = [
      call('error: that is fine', false),
      call('', true),
      call('error: no such topic', true),
    ];
    const text = see(fileEquals('a.txt', 'x'), { ...file('y'), iterations: [iteration({ toolCalls })] });
    expect(text.startsWith('Ralph says "error: no such topic".')).toBe(isRalphs);
    expect(text.includes('Ralph says')).toBe(isRalphs);
  });

  it('names the required events without which a loop completed', () => {
    const evidence: Partial<Evidence> = {
      configYaml: 'event_loop:\n  required_events: [plan.checked, audit.done]\n',
      events: [event('audit.done', '')],
      iterations: [iteration({ number: 1 })],
      termination: { reason: 'completed', status: '', iterations: 1, exitCode: 0 },
    };
    expect(see(iterationsAtLeast(5), evidence)).toMatch(
      /^Ralph completed without required events: plan\.checked\.$/,
    );
    expect(see(fileEquals('a.txt', 'x'), evidence)).not.toContain('required events');
  });

  it('names the smallest difference of JSON', () => {
    const lines = file('{"a":{"b":1,"c":2},"d":3}\n{"e":4}\n');
    expect(see(fileHasJson('a.txt', { a: { b: 1, c: 5 }, d: 3 }), lines)).toMatch(
      /It has 2 in a\.c, expected 5\.$/,
    );
  });

  it('says whether an event that a prompt lacks was recorded, and with which payload it came', () => {
    const prompt = '## PENDING EVENTS\n\nEvent: a.x - {"n": 1}\n\n## NEXT';
    const call = { id: null, name: 'Bash', input: '', result: 'Event emitted: b.y', isError: false };
    const iterations = [iteration({ number: 1, toolCalls: [call] }), iteration({ number: 2, prompt })];
    expect(see(promptContained('Event: a.x - {"n":1}\n'), { iterations })).toMatch(
      /The prompt of iteration 2 has a\.x with the payload "\{\\"n\\": 1\}"\.$/,
    );
    const lacks = promptContained('Event: b.y - 2\n', { iteration: 2 });
    expect(see(lacks, { iterations })).toMatch(
      /Ralph confirmed b\.y, but the events file does not have it\.$/,
    );
    expect(see(lacks, { iterations, events: [event('b.y', '2')] })).toMatch(
      /The events file has b\.y, and no prompt has it\.$/,
    );
  });

  it('names the hat that a pending event triggers, or the one that none does', () => {
    const configYaml =
      'hats:\n  a: {triggers: [a.*], instructions: One.}\n  b: {triggers: [b.*], instructions: Two.}';
    const prompt = '## PENDING EVENTS\n\nEvent: a.x - 1\n\n## NEXT';
    const turn = (hat: string): Partial<Evidence> => ({
      configYaml,
      iterations: [iteration({ hat, prompt })],
    });
    expect(see(hatActive('a', { iteration: 1 }), turn('ralph'))).toMatch(
      /a\.x is pending and triggers a \(a\.\*\), but a is not active\.$/,
    );
    expect(
      see(hatActive('a', { iteration: 1 }), { ...turn('b'), configYaml: configYaml.replace('a.*', 'c.*') }),
    ).toMatch(/None of the pending events \(a\.x\) triggers b, which is active\.$/);
  });
});
