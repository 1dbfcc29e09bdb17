import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../src/agent/builder.js';
import { tempFolder } from '../../support/cli.js';
import { APIS, ask, serve } from '../support/model-client.js';

const HI = [onPrompt('hello').says('Hi.')];
const HELLO = [{ user: 'hello' }];

describe('the prompt', () => {
  test('is the last that the user really said, without what the CLI adds', async () => {
    const { url, requests } = await serve([onPrompt(/^say (\w+)$/).says('{{1}}')]);
    const reminder = '<system-reminder>\nsay nonsense\n</system-reminder>\n';
    const headers = { 'user-agent': 'claude-cli/2.1.325 (external, sdk-cli)' };
    const first = await ask(url, 'messages', [{ user: `${reminder}say one\n` }], { headers });
    const turns = [{ user: 'say one' }, { heard: first }, { user: 'say two' }, { user: reminder }];
    expect((await ask(url, 'messages', turns, { headers })).text).toBe('two');
    expect(requests.map(({ prompt }) => prompt)).toEqual(['say one', 'say two']);
  });

  test.each([
    ['OpenAI/Python 2.1.0', '<INSTRUCTIONS>Sum up.</INSTRUCTIONS>'],
    ['OpenAI/Python 2.1.0', '<system-reminder>Sum up.</system-reminder>'],
    ['claude-cli/2.1.325', '<environment_context>Sum up.</environment_context>'],
    ['codex_cli_rs/0.166.0', '<session_context>Sum up.</session_context>'],
    ['GeminiCLI/0.61.0', '# AGENTS.md instructions for the team'],
  ])('keeps what another CLI than %s would add: %s', async (agent, user) => {
    const { url, requests } = await serve([onAnyPrompt().says('Hi.')]);
    await ask(url, 'chat-completions', [{ user }], { headers: { 'user-agent': agent } });
    expect(requests).toMatchObject([{ prompt: user, matched: 'response[0]' }]);
  });

  test('is told from what was said earlier', async () => {
    const called = onPrompt('who?').when({ earlier: { regex: 'I am (\\w+)' } });
    const { url } = await serve([called.says('{{1}}'), onAnyPrompt().says('Nobody.')]);
    const first = await ask(url, 'messages', [{ user: 'I am Anna, who?' }]);
    expect(first.text).toBe('Nobody.');
    const turns = [{ user: 'I am Anna, who?' }, { heard: first }, { user: 'who?' }];
    expect((await ask(url, 'messages', turns)).text).toBe('Anna');
  });

  test('is freed of the quotes that OpenCode puts around it', async () => {
    const { url } = await serve([onPrompt(/^say "(\w+)" now$/).says('{{1}}')]);
    const headers = { 'user-agent': 'opencode/1.18.18 ai-sdk/provider-utils/4.0.23' };
    const heard = await ask(url, 'chat-completions', [{ user: '"say \\"one\\" now"' }], { headers });
    expect(heard.text).toBe('one');
  });

  test.each([
    ['messages', '1\tfirst\n2\tthe word is melon\n3\t', 'Read', 'file_path'],
    [
      'chat-completions',
      '<path>/tmp/task</path>\n<type>file</type>\n<content>\n1: first\n2: the word is melon\n\n(End of file - total 2 lines)\n</content>',
      'read',
      'filePath',
    ],
  ] as const)('that is a file to read (%s) is read first, then answered', async (api, content, name, key) => {
    const { url } = await serve([
      onPrompt(/^first\nthe word is (\w+)\n?$/)
        .runs('echo {{1}}')
        .says('It is {{upper 1}}.'),
    ]);
    const turns = [{ user: 'Please read and execute the task in /tmp/task' }];
    const reading = await ask(url, api, turns);
    expect(reading.tools).toMatchObject([{ name, input: { [key]: '/tmp/task' } }]);
    const after = [...turns, { heard: reading }, { result: content, of: reading }];
    const running = await ask(url, api, after);
    expect(running.tools).toMatchObject([{ input: { command: 'echo melon' } }]);
    const end = await ask(url, api, [...after, { heard: running }, { result: 'melon', of: running }]);
    expect(end.text).toBe('It is MELON.');
  });
});

describe('conversations', () => {
  const LOGIN = onPrompt('login')
    .says('Name?')
    .followedBy(onAnyPrompt().says('Password?'), onAnyPrompt().says('Welcome.'));
  const SESSIONS = { messages: 'x-claude-code-session-id', 'chat-completions': 'x-session-id' } as const;

  test.each(['messages', 'chat-completions'] as const)(
    '%s: each has its own turns, also when they mix',
    async (api) => {
      const { url, requests } = await serve([LOGIN]);
      const say = (session: string, ...prompts: string[]) => {
        const turns = prompts.map((user) => ({ user }));
        return ask(url, api, turns, { headers: { [SESSIONS[api]]: session } }).then(({ text }) => text);
      };
      expect(await say('a', 'login')).toBe('Name?');
      expect(await say('b', 'login')).toBe('Name?');
      expect(await say('a', 'login', 'ann')).toBe('Password?');
      expect(await say('a', 'login', 'ann', '1234')).toBe('Welcome.');
      expect(await say('b', 'login', 'bob')).toBe('Password?');
      expect(requests.map(({ matched }) => matched)).toEqual([
        'response[0]',
        'response[0]',
        'response[0].turn[0]',
        'response[0].turn[1]',
        'response[0].turn[0]',
      ]);
    },
  );

  test.each(APIS)('%s: without a name, one that begins again after its end is a new one', async (api) => {
    const { url } = await serve([onPrompt('hello').once().says('Once.'), onPrompt('hello').says('Again.')]);
    expect((await ask(url, api, HELLO)).text).toBe('Once.');
    expect((await ask(url, api, HELLO)).text).toBe('Again.');
  });

  test.each([
    ['OpenAI/Python 2.1.0', ['Name?', 'Name?']],
    ['codex_cli_rs/0.166.0', ['Name?', 'Password?']],
  ])('a key for the cache is the session of a CLI, not of a program (%s)', async (agent, answers) => {
    const { url } = await serve([LOGIN]);
    const options = { headers: { 'user-agent': agent }, more: { prompt_cache_key: 'team' } };
    const texts: string[] = [];
    for (const user of ['login a', 'login b']) {
      texts.push((await ask(url, 'responses', [{ user }], options)).text);
    }
    expect(texts).toEqual(answers);
  });

  test('a request that is sent again gets the same answer and enters no rule twice', async () => {
    const { url } = await serve([onPrompt('hello').once().runs('ls').says('Once.')]);
    const headers = { 'x-claude-code-session-id': 'a' };
    const [first, second] = [
      await ask(url, 'messages', HELLO, { headers }),
      await ask(url, 'messages', HELLO, { headers }),
    ];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.tools[0]?.id).not.toBe(second.tools[0]?.id);
  });
});

test('a rule for the result of a tool takes the loop over', async () => {
  const { url, requests } = await serve([
    onPrompt('hello').runs('make').says('All is well.'),
    onAnyPrompt()
      .when({ toolResult: { regex: 'error: (\\w+)' } })
      .runs('fix {{1}}')
      .says('It was {{1}}.'),
  ]);
  const make = await ask(url, 'messages', HELLO);
  const good = [...HELLO, { heard: make }, { result: 'built', of: make }];
  expect((await ask(url, 'messages', good, { headers: { 'x-claude-code-session-id': 'b' } })).text).toBe(
    'All is well.',
  );
  const bad = [...HELLO, { heard: make }, { result: 'error: E42', of: make }];
  const fix = await ask(url, 'messages', bad);
  expect(fix.tools).toMatchObject([{ input: { command: 'fix E42' } }]);
  const end = await ask(url, 'messages', [...bad, { heard: fix }, { result: 'fixed', of: fix }]);
  expect(end.text).toBe('It was E42.');
  expect(requests.map(({ matched }) => matched)).toEqual([
    'response[0]',
    'response[0]',
    'response[1]',
    'response[1]',
  ]);
});

test('requests are recorded without credentials, in whichever place these travel', async () => {
  const recordTo = join(tempFolder(), 'requests.jsonl');
  const server = await serve(HI, { recordTo, secrets: ['correct-horse-battery'] });
  const headers = { authorization: 'Bearer header-secret-value', 'x-api-key': 'another-secret-value' };
  await ask(server.url, 'messages', [{ user: 'hello, my key is sk-ant-api03-ABCDEFGHIJKL' }], { headers });
  await ask(server.url, 'messages', [{ user: 'hello correct-horse-battery' }]);
  const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hello' }] }] });
  await fetch(`${server.url}/v1beta/models/m:generateContent?key=query-secret-value`, {
    method: 'POST',
    body,
  });
  const written = readFileSync(recordTo, 'utf8');
  expect(written.trim().split('\n')).toHaveLength(3);
  expect(written).toContain('hello, my key is [redacted]');
  for (const text of [written, JSON.stringify(server.requests)]) {
    expect(text).not.toMatch(/secret-value|ABCDEFGHIJKL|correct-horse/);
  }
});

test('keeps an idle connection open: a CLI may come back on it after a long tool call', async () => {
  const { url } = await serve(HI);
  const { headers } = await fetch(`${url}/v1/models`);
  expect(headers.get('keep-alive')).toBeNull();
});
