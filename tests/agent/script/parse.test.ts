import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseScript } from '../../../src/agent/script/parse.js';
import { loadScript } from '../../../src/agent/stand-in/load-script.js';
import { ask, folder } from '../support.js';

const parse = (script: object, file = 's.json') =>
  parseScript(JSON.stringify(script), { format: 'json', file });

/** As people write it. */
const written = {
  format: 1,
  rules: [{ on: { hat: 'Builder' }, steps: [{ write: 'a.txt', text: 'b' }] }],
  default: 'hello',
};
/** As the harness writes it. */
const compiled = {
  format: 1,
  rules: [
    {
      name: 'a rule',
      when: { prompt: [{ contains: 'a' }] },
      respond: { steps: [{ do: 'write', path: 'a.txt', text: 'b' }] },
      turns: [],
    },
  ],
};

describe.each([
  ['a script that people wrote', written],
  ['a script that the harness compiled', compiled],
])('%s', (_what, script) => {
  test('is refused with a sentence in another format', () => {
    expect(() => parse({ ...script, format: 2 })).toThrow(
      expect.objectContaining({
        message: 's.json has format 2; this ralph-e2e reads agent scripts of format 1.',
        hint: 'Update ralph-e2e.',
      }),
    );
  });

  test('is refused with an unknown key', () => {
    expect(() => parse({ ...script, mood: 'sunny' })).toThrow(/mood/);
  });
});

test.each([
  ['a step with two verbs', { steps: [{ say: 'a', run: 'b' }] }, /expected one verb per step/],
  ['an unknown step', { steps: [{ dance: 'a' }] }, /unknown key "dance"/],
  ['another type', { say: 42 }, /expected a string/],
])('%s is a mistake', (_what, answer, message) => {
  expect(() => parse({ format: 1, rules: [{ on: 'a', ...answer }] })).toThrow(message);
});

test('a format is no reason to take a script that somebody wrote for a compiled one', async () => {
  for (const answer of ['hello', { say: 'hello' }, { steps: [{ say: 'hello' }] }]) {
    const path = folder({ 's.json': JSON.stringify({ format: 1, rules: [], default: answer }) });
    expect(await ask(await loadScript(join(path, 's.json')), 'a')).toEqual(['hello']);
  }
});

/** Expects a sentence about a place of a compiled script that somebody damaged. */
async function expectNamed(damaged: object, place: string): Promise<void> {
  const path = join(folder({ 's.json': JSON.stringify({ ...compiled, ...damaged }) }), 's.json');
  const message = expect.stringContaining(`: ${place}: `);
  await expect(loadScript(path)).rejects.toMatchObject({ name: 'KnownError', message });
}

const [rule] = compiled.rules;
test.each([
  ['rules[1].when', { ...rule, when: undefined }],
  ['rules[1].respond', { ...rule, respond: undefined }],
  ['rules[1].respond', { ...rule, respond: null }],
  ['rules[1].respond.steps', { ...rule, respond: {} }],
  ['rules[1].turns', { ...rule, turns: undefined }],
  ['rules[1].turns[0].respond', { ...rule, turns: [{ when: {} }] }],
  ['rules[1]', null],
])('a stand-in names %s of a damaged compiled script: %j', async (place, damaged) => {
  await expectNamed({ rules: [rule, damaged] }, place);
});

test.each([
  ['default', 'text'],
  ['default.steps', {}],
])('a stand-in names %s of a compiled script with a damaged default: %j', async (place, damaged) => {
  await expectNamed({ default: damaged }, place);
});

test('a stand-in does not play a compiled script of another format as it is', async () => {
  const path = folder({
    'other.json': JSON.stringify({ ...compiled, format: 2 }),
    'same.json': JSON.stringify(compiled),
  });
  await expect(loadScript(join(path, 'other.json'))).rejects.toThrow(/has format 2; /);
  expect((await loadScript(join(path, 'same.json'))).rules).toEqual(compiled.rules);
});
