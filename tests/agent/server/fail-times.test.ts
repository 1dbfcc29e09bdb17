import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { onAnyPrompt, onPrompt, type RuleBuilder } from '../../../src/agent/builder.js';
import { createAgent } from '../../../src/agent/library.js';
import { parseScript } from '../../../src/agent/script/parse.js';
import type { Failure } from '../../../src/domain/agent-script.js';
import { APIS, type AskOptions, ask, serve, type Turn } from '../support/model-client.js';

type Api = (typeof APIS)[number];

/** How a caller asks: by which API, streamed or not, with tools or without. */
const WAYS = APIS.flatMap((api) =>
  [true, false].flatMap((stream) => [true, false].map((tools) => ({ api, stream, tools }))),
);
/** More answers than any script here has: a loop that does not end is a failure, not a test that hangs. */
const ENOUGH = 12;

/** A caller that tries again after a failure and runs every tool: what it met, in order. */
async function converse(
  url: string,
  api: Api,
  before: readonly Turn[],
  options: AskOptions & { readonly result?: string } = {},
): Promise<{ met: string[]; turns: readonly Turn[] }> {
  const met: string[] = [];
  let turns = before;
  while (met.length < ENOUGH) {
    const heard = await ask(url, api, turns, options).catch(() => null);
    if (heard === null || heard.status !== 200) {
      met.push(`! ${heard === null ? 'broken' : heard.status}`);
      continue;
    }
    const [tool] = heard.tools;
    if (heard.text !== '' || tool === undefined) met.push(heard.text);
    turns = [...turns, { heard }];
    if (tool === undefined) return { met, turns };
    met.push(`$ ${tool.name} ${Object.values(Object(tool.input)).join(' ')}`);
    turns = [...turns, { result: options.result ?? '', of: heard }];
  }
  return { met, turns };
}

function rulesOf(yaml: string) {
  const { script } = parseScript(yaml, { format: 'yaml', file: 'script.yaml' });
  return script.rules.map((rule) => ({ rule }));
}

const hello = [{ user: 'hello' }];
const failing = (rule: RuleBuilder, times = 2) => rule.fails({ type: 'overloaded' }, times);

describe.each(WAYS)('$api, streamed: $stream, tools: $tools', ({ api, stream, tools }) => {
  const how = { stream, tools };

  test('the example of docs/agent-script.md plays as it says', async () => {
    const document = readFileSync(new URL('../../../docs/agent-script.md', import.meta.url), 'utf8');
    const example = /```yaml\n((?:(?!```)[\s\S])*fail_times[\s\S]*?)```/.exec(document)?.[1] ?? '';
    const { url, requests } = await serve(rulesOf(example));
    expect((await converse(url, api, hello, how)).met).toEqual(['! 429', '! 429', 'Here I am.']);
    expect(requests.map(({ outcome, matched }) => [outcome, matched])).toEqual([
      ['failed-as-scripted', 'response[0]'],
      ['failed-as-scripted', 'response[0]'],
      ['answered', 'response[0]'],
    ]);
  });

  test('without words the answer afterwards still has some', async () => {
    const { url } = await serve([failing(onAnyPrompt())]);
    expect((await converse(url, api, hello, how)).met).toEqual(['! 529', '! 529', 'Done.']);
  });

  test.each<{ failure: Failure; met: string }>([
    { failure: { type: 'authentication' }, met: '! 401' },
    { failure: { type: 'not-found' }, met: '! 404' },
    { failure: { type: 'out-of-credits' }, met: api === 'messages' ? '! 400' : '! 429' },
    { failure: { type: 'server-error' }, met: '! 500' },
    { failure: { type: 'reset' }, met: '! broken' },
    { failure: { type: 'timeout', afterMs: 1 }, met: '! broken' },
    { failure: { type: 'truncated', text: 'Ha' }, met: '! broken' },
    { failure: { type: 'malformed', raw: '{' }, met: '! broken' },
  ])('$failure.type goes away too', async ({ failure, met }) => {
    const { url } = await serve([onAnyPrompt().says('Hi.').fails(failure, 2)]);
    expect((await converse(url, api, hello, how)).met).toEqual([met, met, 'Hi.']);
  });

  test('a rule that may be entered once is entered once, and the next prompt finds it used up', async () => {
    const { url } = await serve([failing(onAnyPrompt().once().says('Hi.')), onAnyPrompt().says('Again?')]);
    const first = await converse(url, api, hello, how);
    const second = await converse(url, api, [...first.turns, { user: 'hello' }], how);
    expect([...first.met, ...second.met]).toEqual(['! 529', '! 529', 'Hi.', 'Again?']);
    expect((await converse(url, api, hello, how)).met).toEqual(['Again?']);
  });

  test('a turn fails as often as it should, and the sequence goes on behind it', async () => {
    const { url } = await serve([
      onPrompt('start')
        .says('Started.')
        .followedBy(failing(onAnyPrompt().says('Second.')), onAnyPrompt().says('Third.')),
    ]);
    let turns: readonly Turn[] = [];
    const met: string[] = [];
    for (const user of ['start', 'two', 'three']) {
      const part = await converse(url, api, [...turns, { user }], how);
      turns = part.turns;
      met.push(...part.met);
    }
    expect(met).toEqual(['Started.', '! 529', '! 529', 'Second.', 'Third.']);
  });

  test('conversations at the same time each have their own failures', async () => {
    const { url } = await serve([failing(onAnyPrompt().says('Hi.'), 3)]);
    const sessions = ['a', 'b', 'c', 'd'].map((name) => ({ ...how, headers: { 'x-session-id': name } }));
    const all = await Promise.all(sessions.map((options) => converse(url, api, hello, options)));
    expect(all.map(({ met }) => met)).toEqual(Array(4).fill(['! 529', '! 529', '! 529', 'Hi.']));
  });
});

describe.each(APIS)('%s', (api) => {
  test('a failure that stays comes without its words where no shell could make the caller ask again', async () => {
    const { url } = await serve([
      onPrompt('hello').says('Hi.').fails({ type: 'server-error' }),
      onPrompt('bye').says('Bye.').fails({ type: 'authentication' }),
    ]);
    expect((await ask(url, api, hello, { tools: false })).status).toBe(500);
    expect((await ask(url, api, [{ user: 'bye' }], { tools: false })).status).toBe(401);
  });

  test('the steps wait until the failure has gone away, and none is added', async () => {
    const rule = onAnyPrompt().says('First.').runs('one').says('Then.').runs('two').says('Last.');
    const { url } = await serve([failing(rule)]);
    const { met } = await converse(url, api, hello, { stream: api !== 'chat-completions' });
    const shell = api === 'messages' ? 'Bash' : 'bash';
    const calls = met.map((line) => line.replace(/ Runs a command$/, ''));
    expect(calls).toEqual([
      ...['! 529', '! 529'],
      ...['First.', `$ ${shell} one`],
      ...['Then.', `$ ${shell} two`],
      'Last.',
    ]);
  });

  test('what the result of a tool calls for has failures of its own', async () => {
    const { url } = await serve(
      rulesOf(`rules:
        - { on: { tool_result: seen }, say: I see., failure: overloaded, fail_times: 2 }
        - { on: hello, steps: [run: look], failure: overloaded, fail_times: 1 }`),
    );
    const { met } = await converse(url, api, hello, { result: 'seen' });
    expect(met.filter((line) => !line.startsWith('$'))).toEqual(['! 529', '! 529', '! 529', 'I see.']);
    expect(met).toHaveLength(5);
  });
});

test.each([
  ['words', onAnyPrompt().says('One.').says('Two.')],
  ['a step that writes', onAnyPrompt().writes('a.txt', 'A').says('Written.')],
  ['words around steps', onAnyPrompt().says('Before.').runs('true').says('After.')],
])('the library and the model server play the same after %s', async (_what, rule) => {
  const script = [failing(rule, 3)];
  const agent = await createAgent(script);
  const { url } = await serve(script);
  const said: string[] = [];
  for (;;) {
    const { text, failure } = await agent.execute('hello');
    said.push(...(failure === undefined ? text.split('\n') : ['! 529']));
    if (failure === undefined) break;
  }
  const { met } = await converse(url, 'messages', hello);
  // Two texts of one answer are two blocks of one message.
  const heard = met.filter((line) => !line.startsWith('$')).join('\n');
  expect(heard.replace('One.Two.', 'One.\nTwo.')).toBe(said.join('\n'));
});
