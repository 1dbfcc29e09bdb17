import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { convertScript } from '../../../src/agent/script/convert.js';
import type { ScriptSyntax } from '../../../src/agent/script/document.js';
import { convertScriptFile, loadScriptFile } from '../../../src/agent/script/load.js';
import { parseScript } from '../../../src/agent/script/parse.js';
import { ask, fixture } from '../support.js';

const textOf = (name: string) => readFileSync(fixture(name), 'utf8');

describe('the oldest files', () => {
  const MULTI_TURN = ['login', 'grace', 'secret', 'review', 'here', 'fix it', 'hm'];

  test('are refused with the text that they become', async () => {
    const converted = await convertScriptFile(fixture('multi_turn_v0.toml'));
    await expect(loadScriptFile(fixture('multi_turn_v0.toml'))).rejects.toThrow(
      expect.objectContaining({
        name: 'KnownError',
        message: expect.stringContaining(converted),
        hint: expect.stringMatching(/ralph-e2e sim convert .*multi_turn_v0\.toml/),
      }),
    );
  });

  test('become what the migration guide shows', () => {
    const old = `[conversations.my-flow]
turns = [
    { expect = { type = "contains", text = "start" }, response = "First" },
    { expect = { type = "any" }, response = "Second" },
]
`;
    expect(convertScript(old, 'toml')).toBe(`[[responses]]
response = "First"

[responses.pattern]
type = "contains"
text = "start"

[[responses.turns]]
response = "Second"

[responses.turns.expect]
type = "any"
`);
  });

  test.each<[ScriptSyntax, string]>([
    ['toml', textOf('multi_turn_v0.toml')],
    ['json', JSON.stringify({ name: 'n', ...conversationsOfMultiTurn() })],
    ['yaml', JSON.stringify({ name: 'n', ...conversationsOfMultiTurn() })],
  ])('play after migration, in %s, and in our own format', async (format, text) => {
    const answers = [
      'Please enter your username:',
      'Please enter your password:',
      'Login successful! Welcome.',
      "I'll review your code.",
      'I found a few issues...',
      "Here's the corrected code.",
      'Please start a conversation by asking me to login or review code.',
    ];
    const migrated = convertScript(text, format);
    expect(await ask(parseScript(migrated, { format }).script, ...MULTI_TURN)).toEqual(answers);
    const ours = convertScript(text, format, { to: 'ours' });
    expect(ours).toMatch(/^rules:$/m);
    expect(await ask(parseScript(ours, { format: 'yaml' }).script, ...MULTI_TURN)).toEqual(answers);
  });

  test('texts survive the way through TOML', () => {
    const response = 'a "quoted" \\ \n\ttext \u007f é 🧪 \u0001 # no comment';
    const old = { conversations: { 'a b': { turns: [{ expect: { type: 'any' }, response }] } } };
    const asJson = parseScript(convertScript(JSON.stringify(old), 'json'), { format: 'json' }).script;
    const toml = `[conversations."a b"]\nturns = [{ expect = { type = "any" }, response = ${JSON.stringify(response).replace('\u007f', '\\u007f')} }]`;
    expect(parseScript(convertScript(toml, 'toml'), { format: 'toml' }).script).toEqual(asJson);
    expect(asJson.rules[0]?.respond.steps).toEqual([{ do: 'say', text: response }]);
  });

  test('tools keep the modes that are left', () => {
    const { script } = parseScript(convertScript(textOf('multi_turn_v0.toml'), 'toml'), { format: 'toml' });
    expect(script.tools).toEqual({ mode: 'live', policies: {} });
  });
});

function conversationsOfMultiTurn(): object {
  const any = { type: 'any' };
  const contains = (text: string) => ({ type: 'contains', text });
  return {
    conversations: {
      'login-flow': {
        turns: [
          { expect: contains('login'), response: 'Please enter your username:' },
          { expect: any, response: 'Please enter your password:' },
          { expect: any, response: 'Login successful! Welcome.' },
        ],
      },
      'code-review': {
        turns: [
          { expect: contains('review'), response: "I'll review your code." },
          { expect: any, response: 'I found a few issues...' },
          { expect: contains('fix'), response: "Here's the corrected code." },
        ],
      },
    },
    responses: [
      { pattern: any, response: 'Please start a conversation by asking me to login or review code.' },
    ],
  };
}
