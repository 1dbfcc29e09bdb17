import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../src/agent/builder.js';
import { matchWithin } from '../../../src/agent/engine/limited-match.js';
import { createAgent } from '../../../src/agent/library.js';

/** On these letters, /^(a+)+$/ takes hours. */
const LETTERS = `${'a'.repeat(60)}!`;

test('a pattern that does not finish is an error that names the rule', async () => {
  const agent = await createAgent([onPrompt(/^(a+)+$/).says('A'), onAnyPrompt().says('Hi.')]);
  await expect(agent.execute(LETTERS)).rejects.toThrow(
    /rule "on prompt \/\^\(a\+\)\+\$\/": the pattern .* did not finish within 1000 ms on a text of 61 characters/,
  );
  expect((await agent.execute('b')).text).toBe('Hi.');
});

test('a turn with such a pattern is named too', async () => {
  const agent = await createAgent([
    onPrompt('hi')
      .says('Hi.')
      .followedBy(onPrompt(/^(a+)+$/).says('A')),
  ]);
  await agent.execute('hi');
  await expect(agent.execute(LETTERS)).rejects.toThrow(/rule "on prompt hi, turn 1": the pattern/);
});

test('a glob has the same limit', async () => {
  const agent = await createAgent({ rules: [{ on: { glob: `${'*a'.repeat(30)}*b` }, say: 'B' }] });
  await expect(agent.execute('a'.repeat(5000))).rejects.toThrow(/did not finish within 1000 ms/);
});

test('matches are the same with and without a limit', () => {
  const match = matchWithin(1000);
  for (const [pattern, text] of [
    [/(\w+) (x)?/, 'hello foo'],
    [/(b)/, 'abc'],
    [/z+/, 'abc'],
    [/(?<name>a*)b/, 'aab'],
  ] as const) {
    const plain = pattern.exec(text);
    expect(match(pattern, text)).toEqual(plain === null ? null : plain.slice(1).map((group) => group ?? ''));
  }
});

test.each([
  ['choices', `^${'(?:a|\\w)'.repeat(28)}[bc]`],
  ['optional parts', `^${'a?'.repeat(28)}[bc]`],
])('a pattern that repeats nothing, only has %s, has the same limit', (_, source) => {
  expect(() => matchWithin(20)(new RegExp(source), LETTERS)).toThrow(/did not finish within 20 ms/);
});

test('the limit holds in the vm context of a test runner', () => {
  const file = fileURLToPath(new URL('../../../src/agent/engine/limited-match.ts', import.meta.url));
  const options = { bundle: true, platform: 'node', format: 'cjs', write: false } as const;
  const [bundle] = buildSync({ entryPoints: [file], ...options }).outputFiles;
  const sandbox = createContext({ module: { exports: {} }, require: createRequire(import.meta.url) });
  const match = (call: string): unknown => runInContext(`module.exports.matchWithin${call}`, sandbox);
  runInContext(bundle?.text ?? '', sandbox);
  expect(match("(1000)(/^h(i+)$/, 'hiii')")).toEqual(['iii']);
  expect(() => match(`(20)(/^(a+)+$/, '${LETTERS}')`)).toThrow(/did not finish within 20 ms/);
});
