import { describe, expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../src/agent/builder.js';
import { ask, serve } from '../support/model-client.js';

const HELLO = [{ user: 'hello' }];

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

  test('a compaction, which follows an answer', async () => {
    const { url, requests } = await serve([onAnyPrompt().says('Main.')]);
    const task = 'Your task is to create a detailed summary of the conversation so far.';
    const user = `CRITICAL: Respond with TEXT ONLY.\n\n${task}`;
    expect((await ask(url, 'messages', [{ user }], { headers: cli })).text).toBe('Main.');
    const first = await ask(url, 'messages', HELLO, { headers: cli });
    const turns = [...HELLO, { heard: first }];
    for (const words of [user, task]) {
      const heard = await ask(url, 'messages', [...turns, { user: words }], { headers: cli });
      expect(heard.text).toMatch(/<summary>/);
    }
    const others = { 'user-agent': 'codex_cli_rs/0.166.0' };
    expect((await ask(url, 'messages', [...turns, { user }], { headers: others })).text).toBe('Main.');
    expect(requests.map(({ kind }) => kind)).toEqual(['main', 'main', 'side', 'side', 'main']);
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

  test.each(['claude-cli/2.1.325 (external, sdk-cli)', 'opencode/1.18.18 ai-sdk/provider-utils/4.0.23'])(
    '%s without tools still asks for its user',
    async (agent) => {
      const { url } = await serve(ONCE);
      const options = { tools: false, headers: { 'user-agent': agent } };
      // The user's words say nothing about it.
      const user = 'a title for my notes; working directory: /home/user';
      expect((await ask(url, 'messages', [{ user }], { ...options, system: 'A title.' })).text).not.toBe(
        'Main.',
      );
      expect((await ask(url, 'messages', [{ user }], options)).text).toBe('Main.');
    },
  );

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

  test('what Claude Code adds to the prompt after an empty answer is no part of it', async () => {
    const { rule } = onPrompt(/^hello$/)
      .once()
      .says('');
    const { url, requests } = await serve([{ rule }]);
    const session = { ...cli, 'x-claude-code-session-id': 's' };
    await ask(url, 'messages', HELLO, { headers: session });
    const again = 'hello\n\n[Your previous response had no visible output. Please continue.]';
    const second = await ask(url, 'messages', [{ user: again }], { headers: session });
    expect([second.status, second.stop]).toEqual([200, 'end_turn']);
    expect(requests.map(({ prompt }) => prompt)).toEqual(['hello', 'hello']);
  });

  test('a command that Claude Code ran by itself is no part of the next prompt', async () => {
    const { url } = await serve([onPrompt(/^hello$/).says('Main.')]);
    const user = [
      '<local-command-caveat>The command below was run directly in Claude Code.</local-command-caveat>',
      '<command-name>/cost</command-name>\n<command-message>cost</command-message>',
      '<local-command-stdout>Nothing.</local-command-stdout>',
      'hello',
    ].join('\n');
    expect((await ask(url, 'messages', [{ user }], { headers: cli })).text).toBe('Main.');
  });

  test.each([
    ['Output token limit hit. Resume directly, please.', cli],
    ['Read this log:\n[Your previous response had no visible output.]\nWhat does it mean?', cli],
    ['Explain:\n[Your previous response had no visible output.]', {}],
  ])('a user may write the same words: %s', async (user, headers) => {
    const { url, requests } = await serve(ONCE);
    expect((await ask(url, 'messages', [{ user }], { headers })).text).toBe('Main.');
    expect(requests).toMatchObject([{ prompt: user }]);
  });

  test('a program that is no agent CLI may ask without tools', async () => {
    const { url } = await serve(ONCE);
    expect((await ask(url, 'messages', HELLO, { tools: false })).text).toBe('Main.');
  });
});
