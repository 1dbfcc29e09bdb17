import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../src/agent/builder.js';
import { createAgent } from '../../src/agent/library.js';
import { parseScript } from '../../src/agent/script/parse.js';
import { KnownError } from '../../src/domain/common/known-error.js';
import { ralphPrompt } from '../support/prompt.js';
import { fixture, folder } from './support.js';

const MULTI_TURN = fixture('multi_turn.toml');
const agentOf = (yaml: string) => createAgent(parseScript(yaml, { format: 'yaml' }).script);

/** The four tests of the document that describes turns. */
describe('turns', () => {
  test('a sequence advances', async () => {
    const agent = await createAgent([
      onPrompt('start').says('Step 1').followedBy(onAnyPrompt().says('Step 2'), onAnyPrompt().says('Step 3')),
    ]);
    expect((await agent.execute('start')).text).toBe('Step 1');
    expect(agent.hasActiveSequence()).toBe(true);
    expect((await agent.execute('anything')).text).toBe('Step 2');
    expect(agent.hasActiveSequence()).toBe(true);
    expect((await agent.execute('anything')).text).toBe('Step 3');
    expect(agent.hasActiveSequence()).toBe(false);
  });

  test('a mismatch ends the sequence and falls through', async () => {
    const agent = await createAgent([
      onPrompt('start').says('Started').followedBy(onPrompt('continue').says('Continued')),
      onAnyPrompt().says('Fallback'),
    ]);
    await agent.execute('start');
    expect(agent.hasActiveSequence()).toBe(true);
    expect((await agent.execute('wrong input')).text).toBe('Fallback');
    expect(agent.hasActiveSequence()).toBe(false);
  });

  test('a turn can fail', async () => {
    const agent = await createAgent([
      onPrompt('start')
        .says('Started')
        .followedBy(onAnyPrompt().fails({ type: 'authentication', message: 'Session expired' })),
    ]);
    await agent.execute('start');
    expect(await agent.execute('next')).toMatchObject({
      text: '',
      matched: 'response[0].turn[0]',
      failure: { type: 'authentication', message: 'Session expired' },
    });
  });

  test('the limit of matches counts entries', async () => {
    const agent = await createAgent([
      onPrompt('start').says('Started').once().followedBy(onAnyPrompt().says('Turn 1')),
    ]);
    await agent.execute('start');
    expect((await agent.execute('start')).text).toBe('Turn 1');
    await expect(agent.execute('start')).rejects.toThrow(/already played 1 time/);
  });

  test('the multi-turn file answers username, password, success', async () => {
    const agent = await createAgent(MULTI_TURN);
    const replies = [
      await agent.execute('login'),
      await agent.execute('grace'),
      await agent.execute('secret'),
    ];
    expect(replies.map(({ text, matched }) => [text, matched])).toEqual([
      ['Please enter your username:', 'response[0]'],
      ['Please enter your password:', 'response[0].turn[0]'],
      ['Login successful! Welcome.', 'response[0].turn[1]'],
    ]);
    expect(agent.hasActiveSequence()).toBe(false);
  });

  test('conversations run side by side', async () => {
    const agent = await createAgent(MULTI_TURN);
    const ask = async (prompt: string, conversation: string) =>
      (await agent.execute(prompt, { conversation })).matched;
    // At the same time, and without waiting for each other.
    expect(await Promise.all([ask('login', 'a'), ask('review', 'b'), ask('x', 'a'), ask('x', 'b')])).toEqual([
      'response[0]',
      'response[1]',
      'response[0].turn[0]',
      'response[1].turn[0]',
    ]);
    expect([agent.hasActiveSequence('a'), agent.hasActiveSequence('b'), agent.hasActiveSequence()]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('createAgent', () => {
  test('turns and counts can be reset apart', async () => {
    const agent = await createAgent([
      onPrompt('start').says('Started').once().followedBy(onAnyPrompt().says('Turn')),
      onAnyPrompt().says('Fallback'),
    ]);
    await agent.execute('start');
    agent.resetTurns();
    expect(agent.hasActiveSequence()).toBe(false);
    expect((await agent.execute('start')).text).toBe('Fallback');
    agent.resetCounts();
    expect((await agent.execute('start')).text).toBe('Started');
    agent.resetCounts();
    expect(agent.hasActiveSequence()).toBe(false);
  });

  test('captures every call, and tells what was never used', async () => {
    const agent = await createAgent(MULTI_TURN);
    await agent.execute('login', { model: 'opus', conversation: 'a' });
    await agent.execute('grace', { conversation: 'a' });
    expect(agent.calls).toMatchObject([
      {
        prompt: 'login',
        model: 'opus',
        conversation: 'a',
        matched: 'response[0]',
        text: 'Please enter your username:',
      },
      { prompt: 'grace', model: undefined, conversation: 'a', matched: 'response[0].turn[0]' },
    ]);
    expect(agent.unused()).toEqual([
      'response[0].turn[1]',
      'response[1]',
      'response[1].turn[0]',
      'response[1].turn[1]',
      'response[2]',
    ]);
  });

  test('a prompt that nothing answers is an error that names it and the rules, and is captured', async () => {
    const agent = await agentOf('rules: [{ on: login, say: hi }, { on: { model: opus }, say: hi }]');
    await expect(agent.execute('hello')).rejects.toThrow(
      expect.objectContaining({
        name: 'KnownError',
        message: expect.stringMatching(
          /\| hello[\s\S]*on prompt "login": the prompt does not match "login"[\s\S]*on model "opus"/,
        ),
      }),
    );
    expect(agent.calls).toMatchObject([{ prompt: 'hello', matched: null, text: '' }]);
  });

  test('default answers what no rule does', async () => {
    const agent = await agentOf('rules: [{ on: login, say: hi }]\ndefault: what?');
    expect(await agent.execute('hello')).toMatchObject({ text: 'what?', matched: 'default' });
  });

  test('rules see model, system prompt, flags, session and turn', async () => {
    const agent = await agentOf(`rules:
      - { on: { model: opus, system_prompt: /be (\\w+)/, flags: [--x], session: s-1, turn: 2 }, say: 'all, {{1}}' }
      - { on: any, say: else }`);
    const about = { model: 'opus-4', systemPrompt: 'be nice', flags: ['--x', '--y'], conversation: 's-1' };
    expect((await agent.execute('a', about)).text).toBe('else');
    expect((await agent.execute('a', about)).text).toBe('all, nice');
    expect((await agent.execute('a', { ...about, conversation: 's-2' })).text).toBe('else');
  });

  test('a failure goes away after its times, and its steps wait for that', async () => {
    const agent = await agentOf(`rules:
      - on: start
        say: Started
        turns: [{ on: any, say: Done, failure: overloaded, fail_times: 2 }]`);
    await agent.execute('start');
    const replies = [await agent.execute('x'), await agent.execute('x'), await agent.execute('x')];
    expect(replies.map(({ text, failure }) => [text, failure?.type])).toEqual([
      ['', 'overloaded'],
      ['', 'overloaded'],
      ['Done', undefined],
    ]);
  });

  test('steps that act are played only where there is a folder for them', async () => {
    const rule = onAnyPrompt()
      .says('I write.')
      .writes('a.txt', 'hello')
      .runs('cat a.txt')
      .calls('Read', { file_path: 'x' }, 'shown');
    const cwd = folder();
    const words = await (await createAgent([rule])).execute('go');
    expect(words.text).toBe('I write.');
    expect(words.actions.map((action) => action.kind === 'tool' && action.tool.name)).toEqual([
      false,
      'native',
    ]);
    expect(existsSync('a.txt')).toBe(false);

    const deeds = await (await createAgent([rule], { cwd })).execute('go');
    expect(deeds.text).toBe('I write.');
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('hello');
    expect(deeds.actions[2]).toMatchObject({ kind: 'tool', result: 'hello' });
  });

  test('tools of a CLI are shown, with captures and the results that the script has for them', async () => {
    const agent = await agentOf(`
tools: { Bash: { result: main }, Write: { error: no } }
rules:
  - on: /read (\\w+)/
    steps:
      - { tool: Read, input: { file_path: '{{1}}', deep: [{ x: '{{=1}}' }] }, result: 'it is {{upper 1}}' }
      - { tool: Bash }
      - { tool: Write, result: unused }
      - { tool: Glob }`);
    const { actions } = await agent.execute('read foo');
    expect(actions).toMatchObject([
      {
        tool: { tool: 'Read', input: { file_path: 'foo', deep: [{ x: '{{1}}' }] } },
        result: 'it is FOO',
        isError: false,
      },
      { tool: { tool: 'Bash' }, result: 'main', isError: false },
      { tool: { tool: 'Write' }, result: 'no', isError: true },
      { tool: { tool: 'Glob' }, result: 'No result is scripted for the tool Glob', isError: true },
    ]);
  });

  test('completion in words needs no folder, as an event it does', async () => {
    const agent = await createAgent([onAnyPrompt().completes()]);
    expect((await agent.execute(ralphPrompt({ promise: 'ALL_DONE' }))).text).toBe('ALL_DONE');
    expect((await agent.execute('no prompt of ralph')).actions).toEqual([]);
  });

  test('what hangs is said to, and is not waited for', async () => {
    const agent = await createAgent([onAnyPrompt().says('hm').hangs().says('never')]);
    expect(await agent.execute('x')).toMatchObject({ text: 'hm', hangs: true });
  });

  test('tells usage and stop reason', async () => {
    const agent = await agentOf(
      'default: { say: x, usage: { input_tokens: 1, output_tokens: 2 }, stop_reason: max_tokens }',
    );
    expect(await agent.execute('x')).toMatchObject({
      usage: { inputTokens: 1, outputTokens: 2 },
      stopReason: 'max_tokens',
    });
  });
});

describe('a script as an object', () => {
  const FORM = {
    rules: [
      { on: 'login', say: 'Name?', turns: [{ on: 'any', say: 'Welcome.' }] },
      { on: '/(\\d+) plus (\\d+)/', steps: [{ say: '{{add 1 2}}' }] },
    ],
    default: 'What?',
  };

  test.each([
    ['without a version', FORM],
    ['with a version', { format: 1 as const, ...FORM }],
  ])('has the keys of a file, %s', async (_, form) => {
    const agent = await createAgent(form);
    const texts = [];
    for (const prompt of ['login', 'ann', '40 plus 2', 'hm']) texts.push((await agent.execute(prompt)).text);
    expect(texts).toEqual(['Name?', 'Welcome.', '42', 'What?']);
  });

  test('may have keys without a value, which count as absent', async () => {
    const { script } = await createAgent({
      name: undefined,
      rules: [
        {
          on: 'hi',
          say: undefined,
          steps: [
            { emit: 'x', by: undefined },
            { tool: 'T', input: undefined },
          ],
        },
      ],
    });
    expect(script.rules[0]?.respond.steps).toEqual([
      { do: 'emit', topic: 'x', by: 'command' },
      { do: 'tool', name: 'T', input: {} },
    ]);
  });

  test('may be a script of claudeless, which is noted', async () => {
    const claudeless = { placeholder: 'x', responses: [{ pattern: { type: 'any' }, response: 'Hi.' }] };
    // @ts-expect-error The type offers only our own keys.
    const agent = await createAgent(claudeless);
    expect((await agent.execute('hello')).text).toBe('Hi.');
    expect(agent.notes).toEqual([expect.stringContaining('placeholder is ignored')]);
  });

  test.each([
    ['a misspelled key', { rules: [{ on: 'hi', sya: 'Hello' }] }, /rules\[0\]\.sya: .*did you mean "say"/],
    ['a capture that does not exist', { rules: [{ on: 'hi', say: '{{1}}' }] }, /rules\[0\].*no capture 1/],
    ['nothing in it', {}, /the script is empty/],
    ['null', null, /Expected a script, found null/],
    ['a number', 42, /Expected a script, found number/],
    ['nothing', undefined, /Expected a script, found undefined/],
    ['a list of other things', ['login'], /rules\[0\]: expected a rule from the builder, found string/],
  ])('is refused with what is wrong: %s', async (_, source, reason) => {
    // @ts-expect-error Programs in JavaScript can pass anything.
    const refusal = await createAgent(source).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(KnownError);
    expect(String(refusal)).toMatch(reason);
  });
});
