import { describe, expect, it } from 'vitest';
import {
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
    [
      toldTimes(1, 'PROMPT'),
      loop('a', 'a'),
      'Failed check: "PROMPT" is in 1 prompt. Expected: "PROMPT" in 1 prompt. Received: found in iterations 1, 2; the loop had 2 iterations.',
    ],
    [
      promptContained('hello', { iteration: 3 }),
      loop('a'),
      'The loop ended after iteration 1 with completed. The test expects an iteration 3.',
    ],
    [
      hatSequence('a', 'b'),
      loop('a', 'c'),
      'Failed check: the hats are a, then b. Expected: a, b. Received: a, c. They part in iteration 2.',
    ],
    [
      fileEquals('a.txt', 'one\ntwo'),
      file('one\n'),
      'Failed check: a.txt has the expected content. Expected: "one two". Received: "one". It lacks "two".',
    ],
    [
      fileContains('a.txt', /one(?: or two)?\nthree \d+ bricks$/),
      file('one\nfour'),
      'Failed check: a.txt contains /one(?: or two)?\\nthree \\d+ bricks$/. Expected: a new or changed a.txt that contains /one(?: or two)?\\nthree \\d+ bricks$/. Received: added: "one four". It lacks "three", "bricks".',
    ],
    [
      errandAnswered('loops discard busy', { stdout: /gone with \w+/ }),
      answered(0, 'kept'),
      'Failed check: "loops discard busy" exits with 0 and prints /gone with \\w+/. Expected: exit code 0 and /gone with \\w+/ on stdout. Received: exit code 0; stdout: "kept". It lacks "gone with".',
    ],
    [
      errandAnswered('loops discard busy', {}),
      answered(1, 'so many words', 'error: no such loop'),
      'Ralph says "error: no such loop". Failed check: "loops discard busy" exits with 0. Expected: exit code 0. Received: exit code 1; stdout: "so many words"; stderr: "error: no such loop".',
    ],
    [
      errandAnswered('loops discard busy', { stdout: 'gone' }),
      answered(0, 'kept\nwarning: it is old'),
      'Failed check: "loops discard busy" exits with 0 and prints "gone". Expected: exit code 0 and "gone" on stdout. Received: exit code 0; stdout: "kept warning: it is old".',
    ],
    [
      fileContains('hats.log', 'done'),
      file('ERROR no such hat', 'hats.log'),
      'Ralph says "ERROR no such hat". Failed check: hats.log contains "done". Expected: a new or changed hats.log that contains "done". Received: added: "ERROR no such hat".',
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

  it('names the required events without which a loop completed', () => {
    const evidence: Partial<Evidence> = {
      configYaml: 'event_loop:\n  required_events: [plan.checked, audit.done]\n',
      events: [event('audit.done', '')],
      iterations: [iteration({ number: 1 })],
      termination: { reason: 'completed', status: '', iterations: 1, exitCode: 0 },
    };
    expect(see(iterationsAtLeast(5), evidence)).toMatch(
      / It completed without required events: plan\.checked\.$/,
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
