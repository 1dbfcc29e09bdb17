import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ScriptSyntax } from '../../../src/agent/script/document.js';
import { loadScriptFile } from '../../../src/agent/script/load.js';
import { parseScript } from '../../../src/agent/script/parse.js';
import { loadScript } from '../../../src/agent/stand-in/load-script.js';
import { folder } from '../support.js';

const parse = (text: string, format: ScriptSyntax = 'yaml') =>
  parseScript(text, { format, file: `s.${format}` }).script;

const EVERYTHING = `
name: everything
agent: { model: opus, version: 1.2.3, session_id: s-1, permission_mode: acceptEdits, logged_in: false }
tools: { mode: mock, Bash: { approve: true, result: r, error: e, answers: { q: a } } }
default: { say: d, stop_reason: max_tokens }
rules:
  - name: mine
    on:
      { prompt: [/a(b)/i, { exact: x }], hat: H, event: e.f, coordinating: true, objective: { glob: 'o*' }, memories: m,
        system_prompt: sp, earlier_prompt: ep, tool_result: tr, model: any, cwd: c, session: { regex: s, flags: i }, flags: [--resume], turn: 2 }
    say: first
    steps:
      - { say: 'then {{1}}' }
      - { write: w, text: t }
      - { append: a, text: t }
      - { edit: p, old: o, new: n }
      - { read: r }
      - { note: n }
      - { run: c }
      - { emit: t.u, payload: p, by: tag }
      - { emit: t.v }
      - { tool: Bash, input: { command: ls, deep: [1, null] }, result: out }
      - { tool: Bare }
      - { wait_ms: 5 }
      - complete
      - hang
    usage: { input_tokens: 1, output_tokens: 2 }
    delay_ms: 1
    token_delay_ms: 2
    stop_reason: end_turn
    failure: { type: timeout, after_ms: 3 }
    fail_times: 4
    max: 5
    turns:
      - { on: any, say: t }
      - { on: { any: true }, failure: overloaded }
`;

describe('our own format', () => {
  test('has a place for everything that the engine knows', () => {
    expect(parse(EVERYTHING)).toEqual({
      format: 1,
      name: 'everything',
      identity: {
        model: 'opus',
        version: '1.2.3',
        sessionId: 's-1',
        permissionMode: 'acceptEdits',
        loggedIn: false,
      },
      tools: {
        mode: 'mock',
        policies: { Bash: { approve: true, result: 'r', error: 'e', answers: { q: 'a' } } },
      },
      default: { steps: [{ do: 'say', text: 'd' }], stopReason: 'max_tokens' },
      rules: [
        {
          name: 'mine',
          when: {
            hat: 'H',
            event: 'e.f',
            coordinating: true,
            objective: { glob: 'o*' },
            memories: { contains: 'm' },
            prompt: [{ regex: 'a(b)', flags: 'i' }, { exact: 'x' }],
            systemPrompt: { contains: 'sp' },
            earlier: { contains: 'ep' },
            toolResult: { contains: 'tr' },
            model: { any: true },
            cwd: { contains: 'c' },
            session: { regex: 's', flags: 'i' },
            flags: ['--resume'],
            turn: 2,
          },
          respond: {
            steps: [
              { do: 'say', text: 'first' },
              { do: 'say', text: 'then {{1}}' },
              { do: 'write', path: 'w', text: 't' },
              { do: 'append', path: 'a', text: 't' },
              { do: 'edit', path: 'p', old: 'o', new: 'n' },
              { do: 'read', path: 'r' },
              { do: 'note', text: 'n' },
              { do: 'run', command: 'c' },
              { do: 'emit', topic: 't.u', payload: 'p', by: 'tag' },
              { do: 'emit', topic: 't.v', by: 'command' },
              { do: 'tool', name: 'Bash', input: { command: 'ls', deep: [1, null] }, result: 'out' },
              { do: 'tool', name: 'Bare', input: {} },
              { do: 'wait', milliseconds: 5 },
              { do: 'complete' },
              { do: 'hang' },
            ],
            usage: { inputTokens: 1, outputTokens: 2 },
            delayMs: 1,
            tokenDelayMs: 2,
            stopReason: 'end_turn',
            failure: { type: 'timeout', afterMs: 3 },
            failTimes: 4,
          },
          maxMatches: 5,
          turns: [
            { when: {}, respond: { steps: [{ do: 'say', text: 't' }] } },
            { when: { prompt: [{ any: true }] }, respond: { steps: [], failure: { type: 'overloaded' } } },
          ],
        },
      ],
    });
  });

  test('is the same in TOML and JSON', () => {
    const expected = parse('rules:\n  - on: { prompt: a, turn: 1 }\n    steps: [hang, { say: b }]\n');
    expect(
      parse('[[rules]]\non = { prompt = "a", turn = 1 }\nsteps = ["hang", { say = "b" }]\n', 'toml'),
    ).toEqual(expected);
    expect(
      parse(
        '{\n\t"rules": [\n\t\t{ "on": { "prompt": "a", "turn": 1 }, "steps": ["hang", { "say": "b" }] }\n\t]\n}',
        'json',
      ),
    ).toEqual(expected);
  });

  test.each([
    ['on: login', 'on prompt "login"'],
    ['on: /a/i', 'on prompt /a/i'],
    ['on: any', 'on any prompt'],
    ['on: { hat: Builder, model: opus }', 'on hat Builder, model "opus"'],
  ])('names a rule by what it waits for: %s', (on, name) => {
    expect(parse(`rules: [{ ${on}, say: x }]`).rules[0]?.name).toBe(name);
  });

  test('the form that travels between processes loads too', () => {
    const script = parse(EVERYTHING);
    expect(parse(JSON.stringify(script), 'json')).toEqual(script);
  });

  test('takes texts and inputs from files beside the script, braces as they are', async () => {
    const path = folder({
      'a.txt': 'text of {{1}}\n',
      'in.json': '{ "x": [1] }',
      's.yaml': `rules:
        - on: any
          say: { $file: a.txt }
          steps: [{ tool: T, input: { deep: [{ $file: in.json }, { $file: a.txt }] } }, { tool: U, input: { $file: in.json } }]`,
    });
    const { script } = await loadScriptFile(join(path, 's.yaml'));
    expect(script.rules[0]?.respond.steps).toEqual([
      { do: 'say', text: 'text of {{=1}}\n' },
      { do: 'tool', name: 'T', input: { deep: [{ x: [1] }, 'text of {{=1}}\n'] } },
      { do: 'tool', name: 'U', input: { x: [1] } },
    ]);
  });

  test.each([
    ['a pipe', 'pipe', /\$file needs a text file at .*pipe: it is not a regular file/],
    ['a link to a pipe', 'link', /\$file needs a text file at .*link: it is not a regular file/],
    ['a device', '/dev/zero', /\$file needs a text file at \/dev\/zero: it is not a regular file/],
    ['a folder', '.', /\$file needs a text file at .*: it is a folder/],
  ])('takes texts only from regular files: %s', async (_, name, reason) => {
    const path = folder({ 's.yaml': `rules: [{ on: any, say: { $file: ${name} } }]` });
    execFileSync('mkfifo', [join(path, 'pipe')]);
    symlinkSync('pipe', join(path, 'link'));
    await expect(loadScriptFile(join(path, 's.yaml'))).rejects.toThrow(reason);
  });

  test('is itself a regular file', async () => {
    const path = folder();
    execFileSync('mkfifo', [join(path, 's.json')]);
    await expect(loadScriptFile(join(path, 's.json'))).rejects.toThrow(/s\.json: .*not a regular file/);
    await expect(loadScript(join(path, 's.json'))).rejects.toThrow(/s\.json: .*not a regular file/);
  });

  const SCRIPT = 'rules:\n  - on: any\n    say: Grüße\n';
  test.each([
    ['UTF-16', Buffer.from(`\ufeff${SCRIPT}`, 'utf16le'), /is not UTF-8/],
    ['UTF-16 without a mark', Buffer.from(SCRIPT, 'utf16le'), /is not UTF-8/],
    ['Latin-1', Buffer.from(SCRIPT, 'latin1'), /is not UTF-8/],
  ])('reports an encoding other than UTF-8: %s', async (_, bytes, reason) => {
    const path = folder({ 's.yaml': 'rules: [{ on: any, say: { $file: text.txt } }]' });
    writeFileSync(join(path, 'other.yaml'), bytes);
    writeFileSync(join(path, 'text.txt'), bytes);
    await expect(loadScriptFile(join(path, 'other.yaml'))).rejects.toThrow(reason);
    await expect(loadScriptFile(join(path, 's.yaml'))).rejects.toThrow(reason);
  });

  test('may have a byte order mark, and a replacement character that somebody wrote', async () => {
    const path = folder({ 's.yaml': `\ufeff${SCRIPT.replace('ü', '\ufffd')}` });
    const { script } = await loadScriptFile(join(path, 's.yaml'));
    expect(script.rules[0]?.respond.steps).toEqual([{ do: 'say', text: 'Gr\ufffdße' }]);
  });
});
