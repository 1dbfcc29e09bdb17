import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ScriptSyntax } from '../../../src/agent/script/document.js';
import { loadScriptFile } from '../../../src/agent/script/load.js';
import { parseScript } from '../../../src/agent/script/parse.js';
import { folder } from '../support.js';

const parse = (text: string, format: ScriptSyntax = 'yaml') =>
  parseScript(text, { format, file: `s.${format}` }).script;

/** A mistake, and what must be said about it, line included. */
const MISTAKES: [text: string, message: string][] = [
  ['rules:\n  - on: a\n    sya: x\n', 's.yaml:3: rules[0].sya: unknown key "sya": did you mean "say"?'],
  ['ruels: []\nrules: []\n', 's.yaml:1: ruels: unknown key "ruels": did you mean "rules"?'],
  [
    'rules:\n  - on:\n      contain: a\n    say: x\n',
    's.yaml:3: rules[0].on.contain: unknown key "contain": did you mean "contains"?',
  ],
  [
    'rules:\n  - on: { modle: a }\n    say: x\n',
    's.yaml:2: rules[0].on.modle: unknown key "modle": did you mean "model"?',
  ],
  [
    'rules:\n  - on: { model: { regx: a } }\n    say: x\n',
    's.yaml:2: rules[0].on.model: unknown key "regx": did you mean "regex"?',
  ],
  [
    'rules:\n  - on: { contains: a, model: b }\n    say: x\n',
    'put the pattern under "prompt", next to "model"',
  ],
  [
    'rules:\n  - on: { contains: a, exact: b }\n    say: x\n',
    'expected one kind of pattern, found "contains" and "exact"',
  ],
  ['rules:\n  - on: ""\n    say: x\n', 'rules[0].on: an empty string matches everything: write any'],
  ['rules:\n  - say: x\n', 's.yaml:2: rules[0].on: this key is missing'],
  ['rules:\n  - on: a\n', 's.yaml:2: rules[0]: no answer: expected say, steps or failure'],
  [
    'rules:\n  - on: a\n    say: 42\n',
    's.yaml:3: rules[0].say: expected a string or { $file: path }, found 42 (put it in quotes)',
  ],
  [
    'rules:\n  - on: a\n    steps:\n      - wrte: a\n',
    's.yaml:4: rules[0].steps[0]: unknown key "wrte": did you mean "write"?',
  ],
  [
    'rules:\n  - on: a\n    steps:\n      - write: a\n        txt: b\n',
    's.yaml:5: rules[0].steps[0].txt: unknown key "txt": did you mean "text"?',
  ],
  ['rules:\n  - on: a\n    steps: [hng]\n', 'rules[0].steps[0]: unknown value "hng": did you mean "hang"?'],
  ['rules:\n  - on: a\n    steps: [{ complete: true }]\n', '"complete" takes no value: write - complete'],
  ['rules:\n  - on: a\n    steps: [{ say: a, run: b }]\n', 'expected one verb per step, found say and run'],
  [
    'rules:\n  - on: a\n    failure: rate_limit\n',
    'rules[0].failure: unknown value "rate_limit": did you mean "rate-limit"?',
  ],
  [
    'rules:\n  - on: a\n    failure: { type: timeout, after: 1 }\n',
    'rules[0].failure.after: unknown key "after": did you mean "after_ms"?',
  ],
  [
    'rules:\n  - on: a\n    say: b\n    turns:\n      - on: c\n        say: d\n        max: 2\n',
    's.yaml:7: rules[0].turns[0].max: unknown key "max": expected one of on, say',
  ],
  [
    'rules:\n  - on: a\n    say: b\n    usage: { input: 1, output_tokens: 2 }\n',
    'rules[0].usage.input: unknown key "input": did you mean "input_tokens"?',
  ],
  [
    'agent: { permission_mode: accept-edits }\nrules: []\n',
    'agent.permission_mode: unknown value "accept-edits": did you mean "acceptEdits"?',
  ],
  [
    'tools: { Bash: { aprove: true } }\nrules: []\n',
    'tools.Bash.aprove: unknown key "aprove": did you mean "approve"?',
  ],
  ['tools: { mdoe: mock }\nrules: []\n', 'tools.mdoe: expected a mapping, found the string "mock"'],
  ['default: { sya: a }\n', 'default.sya: unknown key "sya": did you mean "say"?'],
  [
    'rules:\n  - on: a\n    say: b\n  - on: /(/\n    say: c\n',
    's.yaml:4: rules[1]: Invalid regular expression: /(/',
  ],
  ['rules:\n  - on: /(?i)a/\n    say: b\n', 'Put flags after the expression: /…/i'],
  ['rules:\n  - on: { glob: "[a" }\n    say: b\n', 'rules[0]: Invalid glob: [a: a [ is not closed'],
  [
    'rules:\n  - on: /(a)/\n    say: "{{2}}"\n',
    's.yaml:2: rules[0]: {{2}} in the agent script: there is no capture 2; number of captures in the rule: 1',
  ],
  [
    'rules:\n  - on: a\n    say: b\n    turns:\n      - on: c\n        steps: [{ tool: T, input: { x: "{{lower 1}}" } }]\n',
    's.yaml:5: rules[0].turns[0]: {{lower 1}} in the agent script',
  ],
  ['default: "{{1}}"\n', 's.yaml:1: default: {{1}} in the agent script: there is no capture 1'],
  ['rules: []\n', 's.yaml: the script is empty: expected rules or a default'],
  ['', 's.yaml: the script is empty'],
  ['- a\n', 's.yaml: expected a mapping with the key "rules"'],
  [
    'rules:\n  - on: a\n  say: [\n',
    's.yaml:3: this is not YAML: All mapping items must start at the same column',
  ],
  ['rules: *nowhere\n', 's.yaml: Unresolved alias'],
];

describe('mistakes', () => {
  test.each(MISTAKES)('%j', (text, message) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ name: 'KnownError', message: expect.stringContaining(message) }),
    );
  });

  test.each<[ScriptSyntax, string, string]>([
    ['json', '{ "rules": [{ "on": "a",\n"sya": "b" }] }', 's.json:2: rules[0].sya: unknown key "sya"'],
    ['json', '{ "rules": [],\n"rules": [] }', 's.json:2: this is not JSON: Map keys must be unique'],
    ['json', '{ "rules": ', 's.json: this is not JSON'],
    ['json', '{ rules: [] }', 's.json:1: this is not JSON'],
    ['toml', '[[rules]]\non = "a"\n\nsya = "b"\n', 's.toml:4: rules[0].sya: unknown key "sya"'],
    ['toml', 'rules = []\nrules = []\n', 's.toml:2: this is not TOML'],
  ])('in %s: %j', (format, text, message) => {
    expect(() => parse(text, format)).toThrow(message);
  });

  test('all are reported at once, up to ten', () => {
    const rules = Array.from({ length: 12 }, (_, index) => `  - { on: a, say: b, key${index}x: c }\n`);
    const lines = messageOf(() => parse(`rules:\n${rules.join('')}`)).split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[9]).toMatch(/^s\.yaml:11: rules\[9\]\.key9x/);
    expect(lines[10]).toBe('… and 2 more');
  });

  test('a file that is not there, is a folder, or has another ending', async () => {
    const path = folder();
    mkdirSync(join(path, 'folder.yaml'));
    await expect(loadScriptFile(join(path, 'none.yaml'))).rejects.toThrow(
      /none\.yaml: expected an agent script, but this file does not exist\./,
    );
    await expect(loadScriptFile(join(path, 'folder.yaml'))).rejects.toThrow(/folder\.yaml: .*it is a folder/);
    await expect(loadScriptFile(join(path, 's.txt'))).rejects.toThrow(
      'ends in .yaml, .yml, .toml or .json, found ".txt"',
    );
  });

  test('a reference to a file that is not there, is not JSON, or is not a mapping', async () => {
    const scriptWith = (reference: string) =>
      `rules: [{ on: any, steps: [{ tool: T, input: ${reference} }] }]`;
    const path = folder({
      'bad.json': '{',
      'none.yaml': scriptWith('{ a: { $file: gone.txt } }'),
      'bad.yaml': scriptWith('{ a: { $file: bad.json } }'),
      'list.yaml': scriptWith('{ $file: list.json }'),
      'list.json': '[1]',
    });
    const load = (name: string) => loadScriptFile(join(path, name));
    await expect(load('none.yaml')).rejects.toThrow(/none\.yaml: \$file needs a text file at .*gone\.txt/);
    await expect(load('bad.yaml')).rejects.toThrow(/bad\.json: expected JSON/);
    await expect(load('list.yaml')).rejects.toThrow(/list\.json to contain a JSON mapping/);
  });
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('expected an error, nothing was thrown');
}
