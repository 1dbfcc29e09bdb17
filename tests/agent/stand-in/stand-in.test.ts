// Starts programs, or takes seconds: in the project `whole`.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { onAnyPrompt, onObjective, type RuleBuilder } from '../../../src/agent/builder.js';
import { readClaudeStream } from '../../../src/backends/claude/transcript.js';
import { BACKEND_FACTS, BACKEND_IDS } from '../../../src/domain/backends.js';
import { tempFolder } from '../../support/cli.js';
import { ralphPrompt } from '../../support/prompt.js';

const BIN = fileURLToPath(new URL('../../../dist/agent/bin', import.meta.url));

/** ralph's own argument vector for Claude Code. */
const CLAUDE_ARGS = [
  '--dangerously-skip-permissions',
  '--verbose',
  '--output-format',
  'stream-json',
  '--setting-sources',
  'project,local',
  '--print',
  '--disallowedTools=TodoWrite,TaskCreate,TaskUpdate,TaskList,TaskGet',
];

function call(
  command: string,
  args: readonly string[],
  options: { rules?: RuleBuilder[]; input?: string; env?: Record<string, string> } = {},
) {
  const cwd = tempFolder();
  const script = join(cwd, 'script.json');
  const log = join(cwd, 'calls.jsonl');
  const rules = (options.rules ?? []).map(({ rule }) => rule);
  writeFileSync(script, JSON.stringify({ format: 1, rules }));
  const { status, stdout, stderr } = spawnSync(join(BIN, command), args, {
    cwd,
    encoding: 'utf8',
    input: options.input ?? '',
    env: {
      ...process.env,
      IS_SANDBOX: '1',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      RALPH_E2E_AGENT_SCRIPT: script,
      RALPH_E2E_AGENT_LOG: log,
      ...options.env,
    },
  });
  const calls = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { status, stdout, stderr, calls, cwd };
}

describe('the stand-in for claude', () => {
  test('plays a prompt from stdin as NDJSON that our own reader understands', () => {
    const { status, stdout, calls, cwd } = call('claude', CLAUDE_ARGS, {
      rules: [
        onObjective(/Work out (\d+) \+ (\d+)/)
          .writes('sum.txt', '{{add 1 2}}')
          .says('ANSWER={{add 1 2}}')
          .completes(),
      ],
      input: ralphPrompt({ objective: 'Work out 2 + 3' }),
    });
    expect(status).toBe(0);
    const output = readClaudeStream(stdout.split('\n'));
    expect(output?.said).toBe('ANSWER=5\nLOOP_COMPLETE');
    expect(output?.toolCalls).toMatchObject([{ name: 'Write', isError: false, result: expect.any(String) }]);
    expect(output?.usage?.turns).toBe(2);
    expect(readFileSync(join(cwd, 'sum.txt'), 'utf8')).toBe('5');
    expect(calls).toMatchObject([
      { backend: 'claude', promptSource: 'stdin', outcome: 'played', matched: 'response[0]' },
    ]);
  });

  test('refused credentials: is_error under subtype success, and exit 1', () => {
    const { status, stdout } = call('claude', CLAUDE_ARGS, {
      rules: [onAnyPrompt().refusesCredentials()],
      input: 'hello',
    });
    expect(status).toBe(1);
    const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(result).toMatchObject({
      type: 'result',
      subtype: 'success',
      is_error: true,
      api_error_status: 401,
    });
  });

  test('a prompt that no rule answers is an error that names the prompt and the rules', () => {
    const { status, stdout, stderr, calls } = call('claude', CLAUDE_ARGS, {
      rules: [onObjective(/something else/)],
      input: ralphPrompt({ objective: 'An unforeseen objective' }),
    });
    expect(status).toBe(70);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /no rule .* answers this prompt[\s\S]*An unforeseen objective[\s\S]*on objective \/something else\//,
    );
    expect(calls).toMatchObject([{ outcome: 'no-match', matched: null }]);
  });

  test('a mistake in the script is said, not played', () => {
    const { status, stderr, calls } = call('claude', CLAUDE_ARGS, {
      rules: [onAnyPrompt().says('{{1}}')],
      input: 'hello',
    });
    expect(status).toBe(70);
    expect(stderr).toMatch(/there is no capture 1/);
    expect(calls.at(-1)).toMatchObject({ outcome: 'script-error' });
  });

  test.each([
    [['--frobnicate'], /does not support --frobnicate.* scripted lane/, 70],
    [['--print', '--output-format', 'stream-json'], /without --verbose.* scripted lane/, 70],
    [['--print', '--verbose', '--output-format', 'stream-json'], /Input must be provided/, 1],
    [['--print'], /Input must be provided/, 1],
    [
      ['--print', '--permission-mode', 'accept-edits', 'x'],
      /--permission-mode accept-edits.* scripted lane/,
      70,
    ],
    [['--print', '--input-format', 'stream-json'], /without --output-format=stream-json.* scripted lane/, 70],
    [['--print', '--settings', 'nosuch.json', 'x'], /Settings file not found: \//, 1],
    [['hello'], /does not support "hello" without --print: the interactive screen .* scripted lane/, 70],
    [['mcp', 'list'], /does not support "mcp" without --print.* other commands.* scripted lane/, 70],
    [['plugin', 'validate', '.'], /does not support "plugin".* scripted lane/, 70],
    [[], /does not support the interactive screen .* scripted lane/, 70],
    [
      ['-p', '--mcp-config', '{"mcpServers":{"x":{"command":"x"}}}', '--', 'x'],
      /--mcp-config.* scripted lane/,
      70,
    ],
    [['-p', '/compact'], /does not support \/compact.* scripted lane/, 70],
  ])('%j is refused as the real one does, or said not to be played', (args, message, code) => {
    const { status, stderr } = call('claude', args);
    expect(stderr).toMatch(message);
    expect(status).toBe(code);
  });

  test('answers auth status in and out of a login', () => {
    expect(call('claude', ['auth', 'status'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"loggedIn":true'),
    });
    const out = call('claude', ['auth', 'status'], { env: { RALPH_E2E_AGENT_LOGIN: 'absent' } });
    expect(out).toMatchObject({ status: 1, stdout: expect.stringContaining('"loggedIn":false') });
  });
});

describe.each([
  ['kiro-cli', ['chat', '--no-interactive', '--trust-all-tools'], /not logged in/],
  ['opencode', ['run'], /invalid x-api-key/],
  ['codex', ['exec', '--yolo'], /^ERROR: unexpected status 401 invalid x-api-key$/m],
  ['gemini', ['--yolo', '-p'], /^Error when talking to Gemini API 401 invalid x-api-key$/m],
])('the stand-in for %s', (command, args, refusal) => {
  const rules = [
    onObjective(/Say (\w+)/)
      .says('{{upper 1}}')
      .completes(),
  ];

  test('plays a prompt from its argument as plain text', () => {
    const { status, stdout, calls } = call(command, [...args, ralphPrompt({ objective: 'Say hello' })], {
      rules,
    });
    expect([status, stdout]).toEqual([0, 'HELLO\nLOOP_COMPLETE\n']);
    expect(calls).toMatchObject([{ promptSource: 'argument' }]);
  });

  test('reads a long prompt from the file that ralph names', () => {
    const file = join(tempFolder(), '.tmpAbCdEf');
    writeFileSync(file, ralphPrompt({ objective: 'Say hello' }));
    const { stdout, calls } = call(command, [...args, `Please read and execute the task in ${file}`], {
      rules,
      // OpenCode alone needs to be told that it may.
      env: { OPENCODE_PERMISSION: '{"external_directory":"allow"}' },
    });
    expect(stdout).toBe('HELLO\nLOOP_COMPLETE\n');
    expect(calls).toMatchObject([{ promptSource: 'file' }]);
  });

  test('refused credentials go to stderr with exit 1', () => {
    const { status, stdout, stderr } = call(command, [...args, 'hello'], {
      rules: [onAnyPrompt().refusesCredentials()],
    });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(refusal);
  });
});

test.each(BACKEND_IDS)('the version of the stand-in for %s says what it imitates, and that it does', (id) => {
  const { command, imitates } = BACKEND_FACTS[id];
  const { stdout, stderr } = call(command, ['--version']);
  // pi says it on stderr.
  expect(`${stdout}${stderr}`).toContain(`${imitates} (ralph-e2e stand-in)\n`);
});

/** Ralph's pipes are pipes of the system; those of Node's child_process are sockets, which are read and written otherwise. */
describe('through a pipe of the system, a stand-in', () => {
  const throughPipes = (prompt: string, rule: RuleBuilder) => {
    const cwd = tempFolder();
    const [script, log] = [join(cwd, 'script.json'), join(cwd, 'calls.jsonl')];
    writeFileSync(script, JSON.stringify({ format: 1, rules: [rule.rule] }));
    writeFileSync(join(cwd, 'prompt.md'), prompt);
    const line = 'cat prompt.md | "$0" "$@" | cat';
    const { stdout } = spawnSync('sh', ['-c', line, join(BIN, 'claude'), ...CLAUDE_ARGS], {
      cwd,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      env: {
        ...process.env,
        IS_SANDBOX: '1',
        RALPH_E2E_AGENT_SCRIPT: script,
        RALPH_E2E_AGENT_LOG: log,
      },
    });
    return { stdout, call: JSON.parse(readFileSync(log, 'utf8').split('\n')[0] ?? '') };
  };

  test('reads a prompt that comes in many parts to its end', () => {
    const prompt = `${ralphPrompt({ objective: 'Say hello.' })}\n${'word '.repeat(400_000)}`;
    const { call } = throughPipes(prompt, onAnyPrompt().says('hello'));
    expect(call).toMatchObject({ outcome: 'played', promptBytes: Buffer.byteLength(prompt) });
  });

  test('writes more than a pipe holds, whole and in order', () => {
    const words = Array.from({ length: 60_000 }, (_, index) => `word${index}`).join(' ');
    const { stdout } = throughPipes('Say a lot.', onAnyPrompt().says(words).says('The end.'));
    const said = stdout.split('\n').filter((line) => line.includes('"type":"text"'));
    expect(said[0]).toContain(words);
    expect(said.at(-1)).toContain('The end.');
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).type)
        .at(-1),
    ).toBe('result');
  });
});
