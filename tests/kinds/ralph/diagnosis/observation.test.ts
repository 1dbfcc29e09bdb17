import { describe, expect, it } from 'vitest';
import {
  completed,
  errandAnswered,
  fileContains,
  fileEquals,
  fileHasJson,
  hatSequence,
  iterationCount,
  iterationsAtLeast,
  memoriesListed,
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
import { requiredWords } from '../../../../src/kinds/ralph/diagnosis/observe/pattern-words.js';
import { fitting } from '../../../../src/kinds/ralph/diagnosis/promise/direction.js';
import { rank, type Symptom } from '../../../../src/kinds/ralph/diagnosis/promise/rank.js';
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

const event = (topic: string, payload: string): Evidence['events'][number] => ({
  topic,
  payload,
  timestamp: '',
  hat: null,
  iteration: null,
  source: 'agent',
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
      'missing',
      '"loops discard busy" lacks "gone"; it prints nothing.',
    ],
    [fileEquals('a.txt', 'one\ntwo'), file('one\n'), 'missing', 'a.txt differs: lacks "two".'],
    [fileEquals('a.txt', 'one'), file('one\ntwo\n'), 'excess', 'a.txt differs: has "two".'],
    [fileEquals('a.txt', 'one'), {}, 'missing', 'There is no a.txt.'],
  ];
  it.each(cases)('%#: %o', (check, evidence, direction, text) => {
    expect(see(check, evidence)).toEqual([direction, text]);
  });

  it('quotes of two long lines what differs', () => {
    const call = (flag: string) => `kiro-cli chat --no-interactive ${flag}--agent critic --deep <prompt>`;
    const [, text] = see(fileEquals('a.txt', call('--trust-all-tools ')), file(call('')));
    expect(text).toMatch(
      /^a\.txt differs: lacks … "[^"]*-interactive --trust-all-tools --agent[^"]*" …; has … "[^"]*-interactive --agent critic[^"]*"/,
    );
  });

  it('names pending events that are missing, and tells the same event again from another one', () => {
    const prompt = '## PENDING EVENTS\n\nEvent: a.x - 1\nEvent: a.x - 1\n\n## NEXT';
    const twice = (recorded: number) => ({
      iterations: [iteration({ number: 2, prompt })],
      events: Array.from({ length: recorded }, () => event('a.x', '1')),
    });
    expect(see(pendingEvents(['a.x'], { iteration: 2 }), twice(1))).toEqual([
      'again',
      'Pending events in iteration 2 differ: a.x more than once. It is the same event each time, and the events file has it less often.',
    ]);
    expect(see(pendingEvents(['a.x'], { iteration: 2 }), twice(2))).toEqual([
      'excess',
      'Pending events in iteration 2 differ: a.x too many.',
    ]);
    expect(see(pendingEvents(['a.x', 'a.x', 'b.y'], { iteration: 2 }), twice(2))).toEqual([
      'missing',
      'Pending events in iteration 2 differ: b.y missing.',
    ]);
  });

  it('says whether an event that a prompt lacks was recorded, and with which payload it came', () => {
    const prompt = '## PENDING EVENTS\n\nEvent: a.x - {"n": 1}\n\n## NEXT';
    const call = { id: null, name: 'Bash', input: '', result: 'Event emitted: b.y', isError: false };
    const iterations = [iteration({ number: 1, toolCalls: [call] }), iteration({ number: 2, prompt })];
    expect(see(promptContained('Event: a.x - {"n":1}\n'), { iterations })).toEqual([
      'other',
      'a.x is in the prompt of iteration 2 with another payload: "{\\"n\\": 1}"; expected the payload "{\\"n\\":1}".',
    ]);
    const lacks = promptContained('Event: b.y - 2\n', { iteration: 2 });
    expect(see(lacks, { iterations })[1]).toMatch(
      /^The prompt of iteration 2 lacks the event b\.y .*Ralph confirmed b\.y, but the events file does not have it\.$/,
    );
    expect(see(lacks, { iterations, events: [event('b.y', '2')] })[1]).toMatch(/The events file has b\.y\.$/);
  });

  it('names the smallest difference of JSON, and only the missing part of a pattern', () => {
    const lines = file('{"a":{"b":1,"c":2},"d":3}\n{"e":4}\n');
    expect(see(fileHasJson('a.txt', { a: { b: 1, c: 5 }, d: 3 }), lines)[1]).toBe(
      'In a.txt the record that comes closest differs: a.c is 2; expected 5.',
    );
    expect(see(fileHasJson('a.txt', { x: 1, y: 2 }), lines)[1]).toBe(
      'a.txt has no record with {x: 1, y: 2}.',
    );
    expect(see(fileContains('a.txt', /one(?: or two)?\nthree \d+ bricks$/), file('one\nfour'))).toEqual([
      'missing',
      'a.txt lacks "three", "bricks".',
    ]);
  });

  it('asks whether a record that a command shows is in its file like this', () => {
    const events = [{ ...event('loop.terminate', ''), source: 'ralph', iteration: 2 } as const];
    const printed = (args: string, ...topics: readonly string[]): Partial<Evidence> => ({
      events,
      errands: [
        {
          when: 'after',
          command: ['ralph', ...args.split(' ')],
          exitCode: 0,
          stdout: JSON.stringify(topics.map((topic) => ({ ts: 'now', topic }))),
          stderr: '',
        },
      ],
    });
    const second = 'events --iteration 2';
    const shown = printed(second, 'a.x', 'loop.terminate');
    expect(see(errandAnswered(second, { json: [{ topic: 'a.x' }] }), shown)).toEqual([
      'excess',
      '"events --iteration 2" differs: has {"topic":"loop.terminate"}, and must not. The events file has loop.terminate like this.',
    ]);
    const third = 'events --iteration 3';
    const wanted = { eitherJson: [[{ topic: 'loop.terminate' }], [{ topic: 'z' }, { topic: 'y' }]] };
    expect(see(errandAnswered(third, wanted), printed(third))).toEqual([
      'missing',
      '"events --iteration 3" differs: lacks {topic: "loop.terminate"}. The events file has loop.terminate (iteration 2).',
    ]);
    const listing = { ...printed('tools task list'), tasks: [{ id: '1', title: 'Paint', status: 'open' }] };
    expect(see(errandAnswered('tools task list', { json: [{ title: 'Sand' }] }), listing)[1]).toMatch(
      /The tasks file has no task "Sand" either\.$/,
    );
    expect(see(errandAnswered('tools task list', { json: [{ title: 'Paint' }] }), listing)[1]).toMatch(
      /The tasks file has "Paint", which is open\.$/,
    );
  });

  it('names the memories that a list lacks and has too much', () => {
    const args = 'tools memory list';
    const stdout = JSON.stringify([{ content: 'one' }]);
    const errands: Evidence['errands'] = [
      { when: 'after', command: ['ralph', ...args.split(' ')], exitCode: 0, stdout, stderr: '' },
    ];
    expect(see(memoriesListed(args, ['two']), { errands })).toEqual([
      'other',
      '"tools memory list" lacks "two"; has "one". The memories file has no "two" either.',
    ]);
  });
});

describe('the words of a pattern', () => {
  it.each([
    ['/^Total: (?:9|6) events$/m', ['Total:', 'events']],
    ['/"iteration": \\d+,[^}]*"topic": "a\\.b"/', ['"iteration":', '"topic": "a.b"']],
    ['/colou?r of x{3}abc/', ['colo', 'r of', 'abc']],
    ['/first|second/', []],
    ['/Any Case/i', []],
    ['no pattern', []],
  ])('that every match of %s has', (pattern, words) => {
    expect(requiredWords(pattern)).toEqual(words);
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

  it('are broken by the same event again if they say how often it comes', () => {
    const only = held('An event activates that hat, and no other hat.');
    expect(words(fitting([happens, only], 'again'))).toEqual([only.promise]);
    const delivered = held('What was delivered does not come again.');
    expect(words(fitting([happens, only, delivered], 'again'))).toEqual([delivered.promise]);
    const alone = held('An event goes to that hat and not to Ralph as well.');
    expect(words(fitting([alone, happens], 'missing'))).toEqual([happens.promise]);
  });

  it('come first if they are about the flag, the topic or the setting that differs', () => {
    const about = (part: string) => ({ ...held(part), about: [part] });
    const [hats, config, dry, limit, filter, end] = [
      about('flag --hats'),
      held('A hat can import a file.'),
      about('flag run --dry-run'),
      about('flag run --max-iterations'),
      about('flag events --iteration'),
      about('topic loop.terminate'),
    ];
    const first = (promises: readonly HeldPromise[], symptom: Symptom) => rank(promises, symptom)[0]?.promise;
    const show = { text: 'Hat x not found', commands: ['hats show x -H team.yml'] };
    expect(first([config, hats], show)).toBe(hats.promise);
    const run = { text: 'It lacks max_iterations: 7', commands: ['run --dry-run --max-iterations 7'] };
    expect(first([dry, limit], run)).toBe(limit.promise);
    const events = { text: 'It has loop.terminate', commands: ['events --iteration 2'] };
    expect(first([filter, filter, filter, end], events)).toBe(filter.promise);
    expect(first([filter, filter, filter, end], { ...events, shown: 'events --iteration 2' })).toBe(
      end.promise,
    );
  });

  it('come first if more checks are about them, or if they share words with what was seen', () => {
    expect(words(rank([once, completes, completes], { text: '' }))).toEqual([
      completes.promise,
      once.promise,
    ]);
    expect(words(rank([once, refused], { text: 'A required event is missing' }))).toEqual([
      refused.promise,
      once.promise,
    ]);
  });
});
