import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../src/agent/builder.js';
import { createAgent } from '../../../src/agent/library.js';
import { parseScript } from '../../../src/agent/script/parse.js';
import { createModelServer } from '../../../src/harness/model-server.js';
import { folder } from '../support.js';

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

test.each([
  ['json', `{"rules":[{"on":"x","steps":[{"tool":"T","input":{"a":${DEEP}}}]}]}`],
  ['json', `{"rules":[{"on":"x","steps":[{"tool":"T","input":{"a":${DEEP.slice(99_000, 101_000)}}}]}]}`],
  ['yaml', `rules: [{on: x, steps: [{tool: T, input: {a: ${DEEP}}}]}]`],
  ['yaml', `rules:\n  ${'- '.repeat(50_000)}x`],
  ['toml', `rules = ${DEEP}`],
] as const)('a script that is nested too deep (%s) is a mistake, not a crash', (format, text) => {
  const mistake = { name: 'KnownError', message: expect.stringContaining('levels deep') };
  expect(() => parseScript(text, { format, file: 'deep' })).toThrow(expect.objectContaining(mistake));
});

test('brackets in a text are not levels', () => {
  const colors = '\\e[31mred\\e[0m '.repeat(400);
  const { script } = parseScript(`rules:\n  - on: x\n    say: |\n      ${colors}\n`, { format: 'yaml' });
  expect(script.rules).toHaveLength(1);
});

test('so is a file with the input of a tool', async () => {
  const path = folder({
    'deep.json': `{"a":${DEEP}}`,
    'script.yaml': 'rules: [{ on: x, steps: [{ tool: T, input: { $file: deep.json } }] }]',
  });
  await expect(createAgent(join(path, 'script.yaml'))).rejects.toMatchObject({
    name: 'KnownError',
    message: expect.stringContaining('deep.json: expected JSON, found data that is nested too deep'),
  });
});

function nest(levels: number): Record<string, unknown> {
  let nested = {};
  for (let level = 0; level < levels; level += 1) nested = { a: nested };
  return nested;
}

const LOOP: Record<string, unknown> = {};
LOOP.self = LOOP;

test.each([
  ['a value that contains itself', { a: LOOP }, 'or contains itself'],
  ['a bigint', { a: [1, 2n] }, 'rules[0].steps[0].input.a[1]: expected a number, found the bigint 2n'],
  ['a function', { a: () => 1 }, 'rules[0].steps[0].input.a: expected data, found a function'],
  [
    'what an object says of itself in JSON',
    { a: { toJSON: () => [Symbol('x')] } },
    'rules[0].steps[0].input.a[0]: expected data, found a symbol',
  ],
  [
    'data that is nested 600 levels deep',
    nest(600),
    'rules[0].steps[0]: this is nested too many levels deep',
  ],
  ['data that is nested 100,000 levels deep', nest(100_000), 'levels deep'],
])('%s in a script is named', async (_, input, message) => {
  const mistake = { name: 'KnownError', message: expect.stringContaining(message) };
  const rules = [{ on: 'x', steps: [{ tool: 'T', input }] }];
  await expect(createAgent({ rules })).rejects.toMatchObject(mistake);
  await expect(createAgent([onPrompt('x').calls('T', input)])).rejects.toMatchObject({ name: 'KnownError' });
});

test('a mistake in a value that occurs twice is named where it comes first', async () => {
  const shared = { x: [1n] };
  const rules = [{ on: 'x', steps: [{ tool: 'T', input: { b: { c: shared }, a: shared } }] }];
  await expect(createAgent({ rules })).rejects.toThrow('rules[0].steps[0].input.b.c.x[0]: ');
});

test('what a getter of a script throws arrives as it is', async () => {
  const input = {
    get a() {
      throw new TypeError('no such setting');
    },
  };
  const rules = [{ on: 'x', steps: [{ tool: 'T', input }] }];
  await expect(createAgent({ rules })).rejects.toThrow(new TypeError('no such setting'));
});

test('a value that occurs twice is no mistake', async () => {
  const shared = { deep: [{ x: 1 }] };
  const agent = await createAgent({
    rules: [{ on: 'x', steps: [{ tool: 'T', input: { a: shared, b: { c: shared } }, result: 'ok' }] }],
  });
  expect((await agent.execute('x')).matched).toBe('response[0]');
});

test('a regular expression in a script is told to be a text', async () => {
  const rules: unknown = [{ on: /log ?in/i, say: 'Hi.' }];
  await expect(createAgent(JSON.parse('{}', () => ({ rules })))).rejects.toThrow(
    "rules[0].on: expected a text, found a regular expression: write it in quotes, as in '/log ?in/i'",
  );
});

test.each([99_999, -1, 1.5, Number.NaN, JSON.parse('"abc"')])('the port %s is refused', async (port) => {
  await expect(createModelServer({ default: 'Hi.' }, { port })).rejects.toMatchObject({
    name: 'KnownError',
    message: expect.stringContaining('Expected a port from 0 to 65535'),
  });
});

test('together needs steps that use a tool, and only such', () => {
  const mistake = (found: string) => `together: expected only steps that use a tool, found ${found}.`;
  // Where the library was loaded whole before, the message begins with the author's line.
  const known = (found: string) =>
    expect.objectContaining({ name: 'KnownError', message: expect.stringContaining(mistake(found)) });
  expect(() => onAnyPrompt().together((rule) => rule)).toThrow(known('none'));
  expect(() => onAnyPrompt().together((rule) => rule.runs('ls').says('x'))).toThrow(known('say'));
});
