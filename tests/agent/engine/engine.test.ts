import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  onAnyPrompt,
  onEvent,
  onHat,
  onObjective,
  onPrompt,
  type RuleBuilder,
} from '../../../src/agent/builder.js';
import { advance, answer, describePlace, EMPTY_STATE } from '../../../src/agent/engine/engine.js';
import type { Call } from '../../../src/agent/engine/match.js';
import { type Action, play } from '../../../src/agent/engine/play.js';
import { readPrompt } from '../../../src/agent/engine/prompt-view.js';
import { fillTemplate } from '../../../src/agent/engine/template.js';
import { agentScriptSchema, type Pattern } from '../../../src/domain/agent-script.js';
import { ralphPrompt } from '../../support/prompt.js';

const script = (...rules: RuleBuilder[]) =>
  agentScriptSchema.parse({ format: 1, rules: rules.map(({ rule }) => rule) });

const call = (prompt: string, conversation = 'c'): Call => ({
  prompt: readPrompt(prompt),
  conversation,
  cwd: '/w',
});

const find = (prompt: string, ...rules: RuleBuilder[]) => answer(script(...rules), EMPTY_STATE, call(prompt));

describe('readPrompt', () => {
  test('reads what ralph sent by its sections', () => {
    const view = readPrompt(
      ralphPrompt({
        objective: 'Line one\nline two',
        events: [
          ['build.task', 'first line\nsecond line'],
          ['other.event', ''],
        ],
        hat: { name: 'Builder', instructions: 'Begin with BUILDER.\n\n### Not A Hat\ntext' },
        memories: 'the codeword is plum',
      }),
    );
    expect(view.objective).toBe('Line one\nline two');
    expect(view.events).toEqual([
      { topic: 'build.task', payload: 'first line\nsecond line' },
      { topic: 'other.event', payload: '' },
    ]);
    expect(view.hats).toEqual(['Builder']);
    expect(view.memories).toContain('the codeword is plum');
    expect(view.memories).not.toContain('ORIENTATION');
    expect(view.completion).toBeNull();
  });

  test('tells how completion is to be declared', () => {
    expect(readPrompt(ralphPrompt({ promise: 'ALL_DONE' })).completion).toEqual({
      promise: 'ALL_DONE',
      by: 'text',
    });
    const inHatMode =
      '\n## DONE\n\nYou MUST emit the completion event `ALL_DONE` via `ralph emit` when done.\n';
    expect(readPrompt(inHatMode).completion).toEqual({ promise: 'ALL_DONE', by: 'event' });
  });

  test('an objective that looks like an event is not one', () => {
    expect(readPrompt(ralphPrompt({ objective: 'Event: fake.topic - x' })).events).toEqual([]);
  });
});

describe('answer', () => {
  test('takes the first rule that fits and numbers captures through', () => {
    const prompt = ralphPrompt({ objective: 'Work out 2 + 3', events: [['step.one', '17']] });
    const found = find(
      prompt,
      onHat('Builder').says('no'),
      onEvent('step.one')
        .reads(/step\.one - (\d+)/)
        .reads(/(\d+) \+ (\d+)/)
        .says('yes'),
      onAnyPrompt().says('too late'),
    );
    expect(found).toMatchObject({
      place: { kind: 'rule', rule: 1 },
      captures: ['17', '2', '3'],
      response: { steps: [{ do: 'say', text: 'yes' }] },
    });
  });

  test('tells of every rule why it does not fit', () => {
    const rules = [onHat('Builder'), onEvent('a.b'), onObjective(/nowhere/), onAnyPrompt().reads('missing')];
    expect(find(ralphPrompt({}), ...rules)).toMatchObject({
      mismatches: [
        { reason: 'hat "Builder" is not active (active: none)' },
        { reason: 'event "a.b" is not pending (pending: none)' },
        { reason: 'the objective does not match /nowhere/' },
        { reason: 'the prompt does not match "missing"' },
      ],
    });
  });

  test('a rule that was entered as often as it may is passed over', () => {
    const rules = script(onAnyPrompt().once().says('first'), onEvent('never'));
    const once = advance(rules, EMPTY_STATE, 'c', { kind: 'rule', rule: 0 });
    expect(answer(rules, EMPTY_STATE, call('x'))).toMatchObject({ kind: 'answer' });
    expect(answer(rules, once, call('x', 'another conversation'))).toMatchObject({
      mismatches: [{ reason: 'already played 1 time(s)' }, {}],
    });
  });

  test.each<[Pattern, string, boolean]>([
    [{ exact: 'a*b' }, 'a*b', true],
    [{ exact: 'a*b' }, 'axb', false],
    [{ glob: 'fix * [a-c]?' }, 'fix the\nbug bz', true],
    [{ glob: 'fix' }, 'fix it', false],
    [{ any: true }, '', true],
    [{ regex: '^A', flags: 'i' }, 'abc', true],
  ])('%j on %j: %s', (pattern, prompt, fits) => {
    expect(find(prompt, onAnyPrompt().when({ prompt: [pattern] })).kind).toBe(fits ? 'answer' : 'none');
  });
});

describe('turns', () => {
  const login = script(
    onPrompt('login')
      .says('username?')
      .followedBy(onAnyPrompt().says('password?'), onPrompt('secret').says('welcome')),
    onAnyPrompt().says('fallback'),
  );
  /** Plays prompts one after the other and tells where each was answered. */
  const playThrough = (...prompts: [prompt: string, conversation: string][]) => {
    let state = EMPTY_STATE;
    return prompts.map(([prompt, conversation]) => {
      const found = answer(login, state, call(prompt, conversation));
      const place = found.kind === 'answer' ? found.place : null;
      state = advance(login, state, conversation, place);
      return place === null ? 'none' : describePlace(place);
    });
  };

  test('a sequence advances and ends', () => {
    expect(playThrough(['login', 'a'], ['me', 'a'], ['secret', 'a'], ['secret', 'a'])).toEqual([
      'response[0]',
      'response[0].turn[0]',
      'response[0].turn[1]',
      'response[1]',
    ]);
  });

  test('a mismatch ends it and the rules are tried from the top', () => {
    expect(playThrough(['login', 'a'], ['me', 'a'], ['wrong', 'a'], ['secret', 'a'])).toEqual([
      'response[0]',
      'response[0].turn[0]',
      'response[1]',
      'response[1]',
    ]);
  });

  test('conversations do not mix', () => {
    expect(playThrough(['login', 'a'], ['login', 'b'], ['x', 'a'], ['secret', 'a'], ['x', 'b'])).toEqual([
      'response[0]',
      'response[0]',
      'response[0].turn[0]',
      'response[0].turn[1]',
      'response[0].turn[0]',
    ]);
  });
});

const values = (...captures: string[]) => ({ captures, cwd: '/w', session: 's' });

describe('fillTemplate', () => {
  test('computes with captures', () => {
    expect(
      fillTemplate(
        '{{1}} {{upper 1}} {{reverse 1}} {{add 2 3}} {{cwd}} {{session}}',
        values('abc', '40', '2'),
      ),
    ).toBe('abc ABC cba 42 /w s');
  });

  test('refuses what it does not know', () => {
    expect(() => fillTemplate('{{2}}', values('one'))).toThrow(
      /no capture 2; number of captures in the rule: 1/,
    );
    expect(() => fillTemplate('{{lower 1}}', values('one'))).toThrow(
      /expected a capture number or one of cwd, session, prompt, upper, reverse, add/,
    );
  });
});

describe('play', () => {
  const playAll = async (rule: RuleBuilder, prompt: string, cwd: string): Promise<Action[]> => {
    const view = readPrompt(prompt);
    const found = answer(script(rule), EMPTY_STATE, { prompt: view, conversation: 'c', cwd });
    if (found.kind === 'none') throw new Error('the rule does not fit');
    const scene = { prompt: view, cwd, values: { captures: found.captures, cwd, session: 'c' } };
    const actions: Action[] = [];
    for await (const action of play(found.response, scene)) actions.push(action);
    return actions;
  };
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), 'ralph-e2e-agent-'));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    return path;
  };

  test('really writes and runs', async () => {
    const cwd = folder();
    const rule = onObjective(/thing/)
      .writes('a/b.txt', 'one\n')
      .appends('a/b.txt', 'two\n')
      .notes('- [x] done')
      .runs('echo out; exit 3');
    const actions = await playAll(rule, ralphPrompt({}), cwd);
    expect(readFileSync(join(cwd, 'a/b.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(readFileSync(join(cwd, '.ralph/agent/scratchpad.md'), 'utf8')).toBe('- [x] done\n');
    expect(actions.at(-1)).toMatchObject({
      kind: 'tool',
      tool: { name: 'run' },
      result: 'out',
      isError: true,
    });
  });

  test('does not leave its workspace', async () => {
    const [action] = await playAll(onAnyPrompt().writes('../outside.txt', 'x'), ralphPrompt({}), folder());
    expect(action).toMatchObject({ isError: true, result: expect.stringMatching(/outside the workspace/) });
  });

  test('fills the templates of a call of the CLI by name', async () => {
    const rule = onPrompt(/read (\S+)/).calls(
      'Read',
      { path: '{{1}}', deep: ['{{upper 1}}'] },
      'content of {{1}}',
    );
    expect(await playAll(rule, 'read a.txt', folder())).toEqual([
      {
        kind: 'tool',
        tool: { name: 'native', tool: 'Read', input: { path: 'a.txt', deep: ['A.TXT'] } },
        result: 'content of a.txt',
        isError: false,
      },
    ]);
  });

  test('declares completion in the words of the prompt', async () => {
    const [action] = await playAll(onAnyPrompt().completes(), ralphPrompt({ promise: 'ALL_DONE' }), folder());
    expect(action).toEqual({ kind: 'text', text: 'ALL_DONE' });
  });
});
