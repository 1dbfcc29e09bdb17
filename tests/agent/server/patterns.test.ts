import { expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../src/agent/builder.js';
import type { Matcher } from '../../../src/agent/engine/limited-match.js';
import { withPatterns } from '../../../src/agent/server/patterns.js';
import { ask, serve } from '../support/model-client.js';

/** On these letters, /^(a+)+$/ takes hours. */
const LETTERS = [{ user: `${'a'.repeat(60)}!` }];
const RULES = [onPrompt(/^(a+)+$/).says('A'), onAnyPrompt().says('Hi.')];

test('a pattern that does not finish is an error that names the rule', async () => {
  const { url, requests } = await serve(RULES);
  const refused = await ask(url, 'messages', LETTERS);
  expect(refused.status).toBe(400);
  expect(refused.body).toContain('did not finish within 1000 ms');
  expect(requests).toMatchObject([
    { outcome: 'script-error', detail: expect.stringContaining('rule "on prompt /^(a+)+$/"') },
  ]);
});

test('others are answered in the meantime', async () => {
  // With this limit, whoever waits for the slow pattern waits too long.
  const { url, close } = await serve(RULES, { patternLimitMs: 3_600_000 });
  const slow = ask(url, 'messages', LETTERS).catch(() => 'broken');
  for (const prompt of ['b', 'c']) {
    expect((await ask(url, 'chat-completions', [{ user: prompt }])).text).toBe('Hi.');
  }
  await close();
  expect(await slow).toBe('broken');
});

test('a pattern holds up the server for 20 ms at most, then goes on in a thread', async () => {
  const given: string[] = [];
  const decide = (match: Matcher) => {
    try {
      return match(/^(a+)+$/, `${'a'.repeat(60)}!`);
    } catch (error) {
      given.push(/within \d+ ms/.exec(String(error))?.[0] ?? '');
      throw error;
    }
  };
  const limits = { milliseconds: 50, closing: new AbortController().signal };
  await expect(withPatterns(decide, limits)).rejects.toThrow('within 50 ms');
  expect(given).toEqual(['within 20 ms', 'within 50 ms']);
});

test('a pattern that is only slow still matches, and counts once', async () => {
  // Some 50 ms: longer than it may hold up the others, far below its limit.
  const cubic = onPrompt(/^(?:a*a*a*)c|(a)b$/)
    .says('{{1}}')
    .once();
  const { url } = await serve([cubic, onAnyPrompt().says('Later.')], { patternLimitMs: 3_600_000 });
  const prompt = [{ user: `${'a'.repeat(150)}b` }];
  expect((await ask(url, 'chat-completions', prompt)).text).toBe('a');
  expect((await ask(url, 'chat-completions', prompt)).text).toBe('Later.');
});
