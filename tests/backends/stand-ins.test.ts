// Starts programs, or takes seconds: in the project `whole`.
import { describe, expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../src/agent/builder.js';
import { readPiStream } from '../../src/backends/pi/transcript.js';
import { makeFixture } from './support/stand-in-cli.js';

const LOGGED_OUT = { env: { RALPH_E2E_AGENT_LOGIN: 'absent' } };
const UNTRUSTED = { env: { GEMINI_CLI_TRUST_WORKSPACE: '' } };
const CODEX = ['exec', '--yolo'];
const GEMINI = ['--yolo', '-p'];
const PI = ['-p', '--mode', 'json', '--no-session'];
const WORKING = [
  onAnyPrompt().says('I will.').writes('a.txt', 'x').runs('echo hi').says('Done.').says('LOOP_COMPLETE'),
];

describe('kiro', () => {
  test('with all tools trusted, it works; without, it is refused by name', () => {
    const fixture = makeFixture(WORKING);
    const run = (...args: string[]) => fixture.run('kiro-cli', ['chat', '--no-interactive', ...args, 'go']);
    expect(run()).toMatchObject({ status: 70, stderr: expect.stringContaining('--trust-all-tools') });
    expect(run('--trust-all-tools').status).toBe(0);
    expect(fixture.file('a.txt')).toBe('x');
  });
});

describe('codex', () => {
  test('only the last message goes to stdout, and nothing to stderr', () => {
    const fixture = makeFixture(WORKING);
    expect(fixture.run('codex', [...CODEX, 'go'])).toMatchObject({
      status: 0,
      stdout: 'Done.\nLOOP_COMPLETE\n',
      stderr: '',
    });
    expect(fixture.file('a.txt')).toBe('x');
  });

  test.each([
    ['server-error', 'ERROR: unexpected status 500 Internal server error'],
    ['reset', 'ERROR: unexpected status Connection error (reset)'],
  ] as const)('%s: no message, the error twice, exit 1', (type, line) => {
    const fixture = makeFixture([onAnyPrompt().says('Words.').fails({ type })]);
    const run = fixture.run('codex', [...CODEX, 'go']);
    expect(run).toMatchObject({ status: 1, stdout: '', stderr: `${line}\n${line}\n` });
  });

  test('tells on stderr whether somebody is logged in', () => {
    const fixture = makeFixture([]);
    expect(fixture.run('codex', ['login', 'status'])).toMatchObject({ status: 0, stdout: '' });
    expect(fixture.run('codex', ['login', 'status'], LOGGED_OUT)).toMatchObject({
      status: 1,
      stderr: 'Not logged in\n',
    });
  });
});

describe('gemini', () => {
  test('everything that the agent says goes to stdout, line by line', () => {
    expect(makeFixture(WORKING).run('gemini', [...GEMINI, 'go'])).toMatchObject({
      status: 0,
      stdout: 'I will.\nDone.\nLOOP_COMPLETE\n',
      stderr: '',
    });
  });

  test('a folder that nobody trusts ends it with exit 55, before the script is asked', () => {
    const fixture = makeFixture(WORKING, { log: true });
    const { status, stderr } = fixture.run('gemini', [...GEMINI, 'go'], UNTRUSTED);
    expect(stderr).toMatch(/not running in a trusted directory.*GEMINI_CLI_TRUST_WORKSPACE=true/);
    expect(status).toBe(55);
    expect(fixture.calls()).toMatchObject([{ outcome: 'refused' }]);
    expect(fixture.run('gemini', ['--skip-trust', ...GEMINI, 'go'], UNTRUSTED).status).toBe(0);
  });

  test('without a login: exit 41, also where only the extensions are asked for', () => {
    const fixture = makeFixture([]);
    for (const args of [[...GEMINI, 'go'], ['--list-extensions']])
      expect(fixture.run('gemini', args, LOGGED_OUT)).toMatchObject({ status: 41, stdout: '' });
    expect(fixture.run('gemini', ['--list-extensions']).status).toBe(0);
  });
});

describe('pi --mode json', () => {
  test('a line for everything that ralph and our own reader take', () => {
    const fixture = makeFixture(WORKING);
    const { status, stdout, events } = fixture.run('pi', [...PI, 'go']);
    expect(status).toBe(0);
    expect(events.map(({ type }) => type).filter((type) => type !== 'message_update')).toEqual([
      ...['session', 'agent_start'],
      ...['message_start', 'message_end', 'tool_execution_start', 'tool_execution_end', 'turn_end'],
      ...['message_start', 'message_end', 'tool_execution_start', 'tool_execution_end', 'turn_end'],
      ...['message_start', 'message_end', 'turn_end', 'agent_end'],
    ]);
    expect(readPiStream(stdout.split('\n'))).toMatchObject({
      said: 'I will.\nDone.\nLOOP_COMPLETE',
      toolCalls: [
        { name: 'write', input: expect.stringContaining('"content":"x"'), isError: false },
        { name: 'bash', input: '{"command":"echo hi"}', result: expect.stringContaining('hi') },
      ],
      usage: { turns: 3, inputTokens: 300 },
      errors: [],
    });
  });

  test('a refused key is exit 0, and only the last message tells', () => {
    const fixture = makeFixture([onAnyPrompt().refusesCredentials()]);
    const { status, stdout, stderr, events } = fixture.run('pi', [...PI, 'go']);
    expect([status, stderr]).toEqual([0, '']);
    expect(events.at(-2)).toMatchObject({
      type: 'turn_end',
      message: { stopReason: 'error', errorMessage: '401 invalid x-api-key' },
    });
    expect(readPiStream(stdout.split('\n'))?.errors).toEqual(['401 invalid x-api-key']);
  });

  test('lists models on stderr, with exit 0 in and out of a login; without one a prompt is refused', () => {
    const fixture = makeFixture([]);
    expect(fixture.run('pi', ['--list-models'])).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(/^provider +model/),
    });
    expect(fixture.run('pi', ['--list-models'], LOGGED_OUT)).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^No models available/),
    });
    const { status, events } = fixture.run('pi', [...PI, 'go'], LOGGED_OUT);
    expect([status, events.map(({ type }) => type)]).toEqual([1, ['session']]);
  });
});

// Ralph's presets and a user's own arguments have these.
test.each([
  ['codex', ['exec', '--dangerously-bypass-approvals-and-sandbox', '-m', 'a', 'go']],
  ['gemini', ['-y', '-m', 'a', '--prompt', 'go']],
  ['opencode', ['run', '-m', 'a/b', 'go']],
  ['pi', ['--print', '--mode', 'json', 'go']],
] as const)('%s takes other spellings of its options: %j', (backend, args) => {
  const { status, stderr } = makeFixture([onAnyPrompt().says('Done.')]).run(backend, [...args]);
  expect([status, stderr]).toEqual([0, '']);
});

test.each([
  ['codex', ['exec', '--frob', 'x'], /does not support --frob/, 70],
  ['codex', ['exec', 'x'], /does not support its sandbox.*scripted lane/, 70],
  ['codex', [...CODEX, '--json', 'x'], /does not support --json/, 70],
  ['codex', ['resume'], /does not support "resume"/, 70],
  ['gemini', ['--frob', '-p', 'x'], /does not support --frob/, 70],
  ['gemini', ['-p', 'x'], /use --yolo.*scripted lane/, 70],
  ['gemini', ['--yolo', '-o', 'json', '-p', 'x'], /does not support --output-format json/, 70],
  ['gemini', ['x'], /does not support the interactive screen/, 70],
  ['pi', ['--frob'], /does not support --frob/, 70],
  ['pi', ['x'], /does not support the interactive screen/, 70],
  ['pi', ['-p', 'x'], /does not support --mode text/, 70],
  ['pi', ['-p', '--mode', 'rpc', 'x'], /does not support --mode rpc.*scripted lane/, 70],
  ['pi', ['-p', '--continue', 'x'], /does not support --continue/, 70],
])('%s %j is refused by name', (command, args, message, code) => {
  const { status, stdout, stderr } = makeFixture([onPrompt('x').says('X')]).run(command, args);
  expect(stderr).toMatch(message);
  expect([status, stdout]).toEqual([code, '']);
});
