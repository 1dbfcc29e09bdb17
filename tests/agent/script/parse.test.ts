import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseScript } from '../../../src/agent/script/parse.js';
import { loadScript } from '../../../src/agent/stand-in/load-script.js';
import { FORMATS } from '../../../src/domain/common/format-version.js';
import { ask, folder } from '../support.js';

const minor = FORMATS.agentScript.minor + 1;
const parse = (script: object, file = 's.json') =>
  parseScript(JSON.stringify(script), { format: 'json', file });
const advice = expect.stringMatching(/It has format 1\.\d+, and .*\. Update ralph-e2e\./);

/** As people write it. */
const written = {
  version: 1,
  rules: [{ on: { hat: 'Builder' }, steps: [{ write: 'a.txt', text: 'b' }] }],
  default: 'hello',
};
/** As the harness writes it. */
const compiled = {
  version: 1,
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
  test('is refused with a sentence in another major version', () => {
    expect(() => parse({ ...script, version: 2, minor: 4 })).toThrow(
      expect.objectContaining({
        message: 's.json has format 2.4; this ralph-e2e reads agent scripts 1.x.',
        hint: 'Update ralph-e2e.',
      }),
    );
  });

  test('is refused with an unknown key; the hint is to update if its minor version is newer', () => {
    expect(() => parse({ ...script, mood: 'sunny' })).toThrow(/mood/);
    expect(() => parse({ ...script, minor, mood: 'sunny' })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/mood/), hint: advice }),
    );
    expect(parse({ ...script, minor }).script.rules).toEqual(parse(script).script.rules);
  });
});

test.each([
  ['a step with two verbs', { steps: [{ say: 'a', run: 'b' }] }, /expected one verb per step/],
  ['an unknown step', { steps: [{ dance: 'a' }] }, /unknown key "dance"/],
  ['another type', { say: 42 }, /expected a string/],
])('%s is a mistake in a newer minor version too, and it may be time to update', (_what, answer, message) => {
  expect(() => parse({ version: 1, minor, rules: [{ on: 'a', ...answer }] })).toThrow(
    expect.objectContaining({ message: expect.stringMatching(message), hint: advice }),
  );
});

test('a version is no reason to take a script that somebody wrote for a compiled one', async () => {
  for (const answer of ['hello', { say: 'hello' }, { steps: [{ say: 'hello' }] }]) {
    const path = folder({ 's.json': JSON.stringify({ version: 1, rules: [], default: answer }) });
    expect(await ask(await loadScript(join(path, 's.json')), 'a')).toEqual(['hello']);
  }
});

test('a compiled recording of an older minor version, with keys that are gone, still loads', () => {
  const guards = { files: {}, folders: [], names: [], hooks: [] };
  const { script } = parseScript(JSON.stringify({ ...compiled, minor: 1, recording: { guards } }), {
    format: 'json',
  });
  expect(script.recording).toEqual({});
});

test('a stand-in does not play a compiled script of another version as it is', async () => {
  const [rule] = compiled.rules;
  const newer = { ...compiled, minor, rules: [{ ...rule, respond: { steps: [{ do: 'dance' }] } }] };
  const path = folder({
    'other.json': JSON.stringify({ ...compiled, version: 2 }),
    'newer.json': JSON.stringify(newer),
    'same.json': JSON.stringify({ ...compiled, minor: FORMATS.agentScript.minor }),
  });
  await expect(loadScript(join(path, 'other.json'))).rejects.toThrow(/has format 2\.0; /);
  await expect(loadScript(join(path, 'newer.json'))).rejects.toThrow(
    expect.objectContaining({ hint: advice }),
  );
  expect((await loadScript(join(path, 'same.json'))).rules).toEqual(compiled.rules);
});
