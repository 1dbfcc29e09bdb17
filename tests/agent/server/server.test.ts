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
    const first = await ask(url, 'messages', [{ user: `${reminder}say one\n` }]);
    const turns = [{ user: 'say one' }, { heard: first }, { user: 'say two' }, { user: reminder }];
    expect((await ask(url, 'messages', turns)).text).toBe('two');
    expect(requests.map(({ prompt }) => prompt)).toEqual(['say one', 'say two']);
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

describe('side requests', () => {
  const ONCE = [onAnyPrompt().once().says('Main.')];
  const cli = { 'user-agent': 'claude-cli/2.1.325 (external, sdk-cli)' };

  test.each([
    ['without tools', { tools: false, headers: cli, system: '' }, 'hello', 'OK'],
    [
      'a title',
      { tools: false, headers: cli, system: 'You are a title generator.' },
      'hello',
      'Scripted conversation',
    ],
    ['a quota', { tools: false, headers: cli, more: { max_tokens: 1 } }, 'quota', '.'],
    ['a subagent', { headers: { ...cli, 'x-claude-code-agent-id': 'a1' } }, 'search', 'Nothing to report.'],
    [
      'a compaction',
      { headers: cli },
      'CRITICAL: Respond with TEXT ONLY.\n\nYour task is to create a detailed summary of the conversation so far.',
      /<summary>/,
    ],
    [
      'JSON',
      {
        tools: false,
        headers: cli,
        system: '',
        more: {
          output_config: {
            format: { schema: { type: 'object', properties: { title: { type: 'string' } } } },
          },
        },
      },
      'x',
      '{"title":"scripted"}',
    ],
  ])('%s: answered, recorded as such, and no rule is used up', async (_what, options, user, expected) => {
    const { url, requests } = await serve(ONCE);
    const { text } = await ask(url, 'messages', [{ user }], options);
    if (typeof expected === 'string') expect(text).toBe(expected);
    else expect(text).toMatch(expected);
    expect((await ask(url, 'messages', HELLO)).text).toBe('Main.');
    expect(requests.map(({ kind }) => kind)).toEqual(['side', 'main']);
  });

  test.each([
    ['a title', 'Generate a short title for my blog post', {}],
    ['one token', 'yes or no', { more: { max_tokens: 1 } }],
    ['a summary', 'Your task is to create a detailed summary of the conversation so far.', {}],
    [
      'the words of a compaction',
      'CRITICAL: Respond with TEXT ONLY. Your task is to create a detailed summary of the conversation',
      {},
    ],
    ['the instructions of a title generator', 'hello', { system: 'You are a title generator.' }],
    ['the mark of a subagent', 'hello', { system: 'cc_is_subagent=true' }],
  ])('a program that is no agent CLI may ask for %s', async (_what, user, options) => {
    const { url } = await serve(ONCE);
    expect((await ask(url, 'messages', [{ user }], { tools: false, ...options })).text).toBe('Main.');
  });

  test('Claude Code without tools still asks for its user', async () => {
    const { url } = await serve(ONCE);
    expect((await ask(url, 'messages', HELLO, { tools: false, headers: cli })).text).toBe('Main.');
  });

  test.each([
    'Output token limit hit. Resume directly — no apology, no recap of what you were doing.',
    'Your response above was stopped by a safety classifier — this is not a tool or API error.',
    '[Your previous response had no visible output. Please continue.]',
  ])('what Claude Code says after an answer that stopped early is no prompt: %s', async (words) => {
    const { rule } = onPrompt('hello').says('Half').followedBy(onAnyPrompt().says('Next.'));
    const { url } = await serve([
      { rule: { ...rule, respond: { ...rule.respond, stopReason: 'max_tokens' } } },
    ]);
    const session = { ...cli, 'x-claude-code-session-id': 's' };
    const first = await ask(url, 'messages', HELLO, { headers: session });
    expect([first.text, first.stop]).toEqual(['Half', 'max_tokens']);
    const resumed = [...HELLO, { heard: first }, { user: words }];
    const second = await ask(url, 'messages', resumed, { headers: session });
    expect([second.text, second.stop]).toEqual(['Half', 'end_turn']);
    const next = [...resumed, { heard: second }, { user: 'and now?' }];
    expect((await ask(url, 'messages', next, { headers: session })).text).toBe('Next.');
  });

  test('a program that is no agent CLI may ask without tools', async () => {
    const { url } = await serve(ONCE);
    expect((await ask(url, 'messages', HELLO, { tools: false })).text).toBe('Main.');
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

test('a file that must be read first is read, then changed', async () => {
  const { url } = await serve([onPrompt('hello').edits('a.txt', 'x', 'y').says('Changed.')]);
  const edit = await ask(url, 'messages', HELLO);
  const refusal = 'File has not been read yet. Read it first before writing to it.';
  const turns = [...HELLO, { heard: edit }, { result: refusal, of: edit }];
  const read = await ask(url, 'messages', turns);
  const afterRead = [...turns, { heard: read }, { result: '1\tx', of: read }];
  const again = await ask(url, 'messages', afterRead);
  const end = await ask(url, 'messages', [...afterRead, { heard: again }, { result: 'ok', of: again }]);
  expect([edit, read, again].map(({ tools }) => tools[0]?.name)).toEqual(['Edit', 'Read', 'Edit']);
  expect(end.text).toBe('Changed.');
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
