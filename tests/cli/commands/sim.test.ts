import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli, tempFolder } from '../../support/cli.js';

const SCRIPT = `rules:
  - on: login
    say: "Username:"
    turns:
      - on: any
        say: "Welcome."
`;

function makeFolder() {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'agent.yaml'), SCRIPT);
  const sim = (...args: string[]) => runCli(['sim', ...args], { cwd, env: { HOME: join(cwd, 'home') } });
  return { cwd, sim };
}

describe('ralph-e2e sim', () => {
  test('plays a script as a CLI, with its output and its exit code', async () => {
    const { sim } = makeFolder();
    expect(await sim('claude', '--script', 'agent.yaml', '--', '-p', 'login')).toEqual({
      code: 0,
      stdout: 'Username:\n',
      stderr: '',
    });
    const trusting = ['chat', '--no-interactive', '--trust-all-tools'];
    const kiro = await sim('kiro', '--script', 'agent.yaml', '--', ...trusting, 'login');
    expect(kiro.stdout).toBe('Username:\n');
    const codex = await sim('codex', '--script', 'agent.yaml', '--', 'exec', '--yolo', 'login');
    expect(codex.stdout).toBe('Username:\n');
    expect(await sim('opencode', '--script', 'agent.yaml', '--', 'run', '--frob')).toMatchObject({
      code: 70,
    });
    expect(await sim('claude', '--script', 'agent.yaml', '--', '-p', 'what?')).toMatchObject({
      code: 70,
      stdout: '',
      stderr: expect.stringContaining('no rule in the agent script answers'),
    });
  });

  test('records calls, and --strict fails until every rule and turn was used', async () => {
    const { cwd, sim } = makeFolder();
    const flags = ['claude', '--script', 'agent.yaml', '--log', 'calls.jsonl', '--strict', '--', '-p'];
    const id = '5f0c1d5e-7a53-4d39-9a53-0c5d1f6b8a11';
    const first = await sim(...flags, '--session-id', id, 'login');
    expect(first).toMatchObject({ code: 70, stdout: 'Username:\n' });
    expect(first.stderr).toMatch(/never used: response\[0\]\.turn\[0\]/);
    expect(await sim(...flags, '--resume', id, 'alfred')).toMatchObject({
      code: 0,
      stdout: 'Welcome.\n',
      stderr: '',
    });
    const calls = readFileSync(join(cwd, 'calls.jsonl'), 'utf8').trim().split('\n');
    expect(calls.map((line) => JSON.parse(line).matched)).toEqual(['response[0]', 'response[0].turn[0]']);
  });

  test('converts scripts of other tools', async () => {
    const { cwd, sim } = makeFolder();
    writeFileSync(join(cwd, 'old.toml'), '[[responses]]\npattern = { type = "any" }\nresponse = "Hello."\n');
    const { code, stdout } = await sim('convert', 'old.toml');
    expect(code).toBe(0);
    writeFileSync(join(cwd, 'new.yaml'), stdout);
    expect((await sim('claude', '--script', 'new.yaml', '--', '-p', 'hi')).stdout).toBe('Hello.\n');
  });

  test.each([
    [
      ['copilot', '--', 'x'],
      2,
      /sim copilot: expected one of claude, .*, pi\b.*, or check, explain or convert/,
    ],
    [['claude', '--', '-p', 'x'], 70, /no agent script was given:.*--script/],
    [['claude', '--script', 'nosuch.yaml', '--', '-p', 'x'], 70, /nosuch\.yaml: expected an agent script/],
  ])('%j says what is wrong', async (args, code, message) => {
    const { sim } = makeFolder();
    const run = await sim(...args);
    expect(run.stderr).toMatch(message);
    expect(run.code).toBe(code);
  });

  test('checks a script and explains its answers', async () => {
    const { cwd, sim } = makeFolder();
    expect(await sim('check', 'agent.yaml')).toEqual({
      code: 0,
      stdout: 'agent.yaml: 1 rule, 1 turn, no default\n',
      stderr: '',
    });
    const explained = await sim('explain', 'agent.yaml', '--prompt', 'login', '--prompt', 'ann');
    expect(explained.code).toBe(0);
    expect(explained.stdout).toContain('response[0].turn[0] answers');
    expect(await sim('explain', 'agent.yaml', '--prompt', 'bye')).toMatchObject({ code: 1 });
    expect(await sim('explain', 'agent.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('sim explain needs --prompt'),
    });
    writeFileSync(join(cwd, 'bad.yaml'), 'rules: [{ on: any, say: A }, { on: b, say: B }]');
    expect(await sim('check', 'bad.yaml')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('response[1] (on prompt "b") is never reached'),
    });
    writeFileSync(join(cwd, 'worse.yaml'), 'rules: [{ on: any, sya: A }]');
    expect(await sim('check', 'worse.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "say"?'),
    });
  });
});
