// Starts programs, or takes seconds: in the project `whole`.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { installPlugin } from '../../../../src/kinds/conversation/factories/install-plugin.js';
import { holdConversation } from '../../../../src/kinds/conversation/hold-conversation.js';
import { openInForm, sayTurn } from '../../../../src/kinds/conversation/session/conversation.js';
import type { Session, SessionOptions } from '../../../../src/kinds/conversation/session/session.js';
import { tempFolder } from '../../../support/cli.js';
import { withGrowingLimit } from '../../../support/growing-limit.js';

const standIn = (name: string) =>
  fileURLToPath(new URL(`../../../../dist/agent/bin/${name}`, import.meta.url));

const SCRIPT = `rules:
  - on: Look around
    steps:
      - say: I look.
      - run: echo found; exit 3
      - write: a.txt
        text: x
      - say: Done.
  - on: overload
    failure: overloaded
  - on: vanish
    failure: crash
  - on: leave something
    steps:
      - run: touch begun
      - run: sleep 1000
  - on: wait for ever
    steps:
      - say: I wait.
      - hang
  - on: {prompt: what did I say, earlier_prompt: {regex: 'call me (\\w+)'}}
    say: "You are {{1}}."
  - on: any
    say: You said it.
`;

/** The options of a session with a stand-in. */
function options(backend: 'claude' | 'opencode', more: Partial<SessionOptions> = {}): SessionOptions {
  const folder = tempFolder();
  for (const name of ['workspace', 'home', 'artifacts']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'script.yaml'), SCRIPT);
  return {
    executable: standIn(backend),
    cwd: join(folder, 'workspace'),
    env: {
      PATH: `${process.env.PATH}`,
      HOME: join(folder, 'home'),
      RALPH_E2E_AGENT_SCRIPT: join(folder, 'script.yaml'),
    },
    artifacts: join(folder, 'artifacts'),
    pluginDirs: [],
    permissionMode: 'acceptEdits',
    allowedTools: ['Bash'],
    args: [],
    sessionTimeoutSeconds: 120,
    marker: { name: 'TEST_SESSION', value: folder },
    secrets: [],
    ...more,
  };
}

async function talk(backend: 'claude' | 'opencode', more: Partial<SessionOptions> = {}) {
  const session = await openInForm(backend, 'turn-by-turn', options(backend, more));
  onTestFinished(async () => void (await session.end()));
  await session.begin();
  return session;
}

/** Waits until the current turn has text. The state may say that the agent responds before it says anything. */
async function untilSaid({ log }: Session): Promise<void> {
  const latest = () => log.changes.findLast(({ event }) => event === 'prompt-sent' || event === 'text');
  await expect.poll(() => latest()?.event, { timeout: 30_000 }).toBe('text');
}

/** A stand-in for opencode that prints these lines and exits with this code. */
function printing(folder: string, lines: readonly object[], exitCode: number): string {
  const path = join(folder, 'printing');
  const text = lines.map((line) => `${JSON.stringify({ sessionID: 'ses_1', ...line })}\n`).join('');
  writeFileSync(join(folder, 'lines'), text);
  writeFileSync(path, `#!/bin/sh\ncat "${join(folder, 'lines')}"\necho odd >&2\nexit ${exitCode}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe.each(['claude', 'opencode'] as const)('a process a turn, on %s', (backend) => {
  test('continues the session, and each turn has its own process', async () => {
    const session = await talk(backend);
    const ids = [];
    for (const prompt of ['call me alfred', '-- dashes first']) {
      expect((await session.send(prompt, 60)).text).toBe('You said it.');
      ids.push(session.id);
    }
    expect((await session.send('what did I say', 60)).text).toBe('You are alfred.');
    expect(new Set([...ids, session.id]).size).toBe(1);
    expect(session.log.turns.map(({ number }) => number)).toEqual([1, 2, 3]);
    const { exitCode, stdout, leftBehind } = await session.end();
    expect([exitCode, leftBehind]).toEqual([0, []]);
    const printed = readFileSync(stdout.path, 'utf8');
    expect(printed.match(/You said it\./g)?.length).toBeGreaterThanOrEqual(2);
    expect(printed).toContain('You are alfred.');
    expect(stdout.head).toBe(printed);
    expect(session.log.illegal).toEqual([]);
  });

  test('reports the calls, their results and the cost', async () => {
    let calls = 0;
    const session = await talk(backend, { onCall: () => (calls += 1) });
    const turn = await session.send('Look around', 60);
    expect(turn.outcome).toEqual({ kind: 'completed' });
    expect(turn.text).toContain('I look.');
    expect(turn.calls).toMatchObject([
      { input: { command: 'echo found; exit 3' }, isError: true, result: expect.stringContaining('found') },
      { isError: false, input: { content: 'x' } },
    ]);
    expect(calls).toBe(2);
    expect(turn.inputTokens).toBeGreaterThan(0);
    expect(turn.outputTokens).toBeGreaterThan(0);
  });

  test('an API error and a crash cost one turn each, and the conversation continues', async () => {
    const session = await talk(backend);
    await session.send('call me alfred', 60);
    expect((await session.send('overload', 60)).outcome).toMatchObject({ kind: 'api-error', status: 529 });
    expect((await session.send('vanish', 60)).outcome).toEqual({ kind: 'crashed', detail: 'exit SIGKILL' });
    expect(session.over).toBeNull();
    expect((await session.send('what did I say', 60)).text).toBe('You are alfred.');
    expect(session.log.illegal).toEqual([]);
  });

  test('a turn that takes too long is ended with everything it started, and the next one is sent', async () => {
    const session = await talk(backend);
    await session.send('call me alfred', 60);
    const turn = await session.send('leave something', 5);
    expect(turn.outcome).toEqual({ kind: 'timed-out', afterSeconds: 5 });
    expect((await session.send('what did I say', 60)).text).toBe('You are alfred.');
    const { survivors, timedOut } = await session.end();
    expect([survivors, timedOut]).toEqual([[], false]);
  });

  test('an interruption ends the process of the turn, and not the conversation', async () => {
    const session = await talk(backend);
    await session.send('call me alfred', 60);
    const sent = session.send('wait for ever', 60);
    await untilSaid(session);
    await session.interrupt();
    expect(await sent).toMatchObject({ outcome: { kind: 'cancelled' }, text: 'I wait.' });
    expect((await session.send('what did I say', 60)).text).toBe('You are alfred.');
    // An interruption at the very end does not end the conversation either.
    const last = session.send('wait for ever', 60);
    await untilSaid(session);
    await session.interrupt();
    await last;
    expect(await session.end()).toMatchObject({ interrupted: false, exitCode: 0, signal: null });
  });

  test('can be closed during a turn, which reports how it ended', async () => {
    const session = await talk(backend);
    const sent = session.send('wait for ever', 60);
    await untilSaid(session);
    const { stdout, survivors } = await session.end();
    expect(stdout.head).toContain('I wait.');
    expect(survivors).toEqual([]);
    expect((await sent).outcome.kind).toBe('crashed');
    await expect(session.send('hello', 60)).rejects.toThrow();
    expect(session.log.illegal).toHaveLength(1);
  });

  test('ends at the time limit of the session', () =>
    withGrowingLimit(async (seconds) => {
      const short = await talk(backend, { sessionTimeoutSeconds: seconds });
      const ended = { kind: 'timed-out', afterSeconds: seconds };
      expect((await short.send('wait for ever', 60)).outcome).toEqual(ended);
      expect(short.over).toEqual(ended);
      await expect(short.send('hello', 60)).rejects.toThrow();
    }));

  test('ends if there is no such program', async () => {
    const absent = talk(backend, { executable: '/no/such/program' });
    // We ask Claude Code for its commands before the first turn.
    if (backend === 'claude') return expect(absent).rejects.toThrow('/no/such/program');
    const none = await absent;
    expect((await none.send('hello', 60)).outcome).toMatchObject({ kind: 'crashed' });
    expect(none.over).toMatchObject({ kind: 'crashed' });
  });
});

test('claude gets its commands by their full names, and no unknown ones', async () => {
  const plugin = await installPlugin({
    name: 'hello',
    files: {
      '.claude-plugin/plugin.json': JSON.stringify({
        name: 'hello',
        version: '1.0.0',
        description: 'Greets',
      }),
      'commands/greet.md': 'hello\n',
    },
  });
  onTestFinished(() => plugin.close());
  const happened: string[] = [];
  const asked = options('claude', {
    pluginDirs: [plugin.path],
    onStateChange: ({ event }) => happened.push(event),
  });
  const session = await openInForm('claude', 'turn-by-turn', asked);
  await session.begin();
  // Asking the CLI for its commands is not part of the conversation and has its own folder.
  expect(happened).toEqual(['started']);
  expect(readdirSync(asked.artifacts)).toEqual(['commands']);
  const { sent, outcome } = await session.send('/greet', 60);
  expect([sent, outcome]).toEqual(['/hello:greet', { kind: 'completed' }]);
  await expect(session.send('/nope', 60)).rejects.toThrow('The session has no command /nope');
  // Nothing was started for it: newer releases would have answered it, and reported success.
  expect(readdirSync(asked.artifacts).sort()).toEqual(['commands', 'turn-1']);
  expect((await sayTurn(session, { prompt: '/nope' }, 60)).outcome).toEqual({
    kind: 'unknown-command',
    command: '/nope',
  });
  await session.end();
});

describe('opencode', () => {
  const finish = (reason: string, cost = 0) => ({
    type: 'step_finish',
    part: { reason, tokens: { input: 7, output: 2 }, cost },
  });
  const said = { type: 'text', part: { text: 'Hi.' } };
  const rejected = {
    type: 'tool_use',
    part: {
      tool: 'read',
      callID: 'c1',
      state: {
        status: 'error',
        input: {},
        error: 'The user rejected permission to use this specific tool call.',
      },
    },
  };

  test.each<[string, readonly object[], number, object]>([
    ['an answer', [said, finish('stop')], 0, { kind: 'completed' }],
    ['no answer at all', [], 0, { kind: 'crashed', detail: 'exit 0: odd, in the middle of an answer' }],
    [
      'tools and no answer',
      [finish('tool-calls')],
      0,
      { kind: 'crashed', detail: expect.stringContaining('in the middle') },
    ],
    // Seen with 1.18.18: reading outside the folder ends the run with exit code 0.
    [
      'a permission that nobody gives',
      [rejected, finish('tool-calls')],
      0,
      { kind: 'limit', which: 'a permission request that nobody could answer' },
    ],
    [
      'too long an answer',
      [said, finish('length')],
      0,
      { kind: 'limit', which: 'the maximum length of an answer' },
    ],
    ['another exit code', [said, finish('stop')], 4, { kind: 'crashed', detail: 'exit 4: odd' }],
    [
      'an error that is none of the service',
      [{ type: 'error', error: { name: 'UnknownError', data: {} } }],
      1,
      { kind: 'api-error', status: null, message: 'UnknownError' },
    ],
  ])('%s is told as what it is', async (_, lines, exitCode, outcome) => {
    const session = await talk('opencode', { executable: printing(tempFolder(), lines, exitCode) });
    const turn = await session.send('hello', 60);
    expect(turn.outcome).toEqual(outcome);
    expect(turn.denied).toEqual(lines.includes(rejected) ? ['c1'] : []);
  });

  test.each([
    ['completed', 0],
    ['crashed', 4],
  ])('the costs of the turns add up, also of those that end as %s', async (kind, exitCode) => {
    const lines = [said, finish('tool-calls', 0.25), finish('stop', 0.5)];
    const session = await talk('opencode', { executable: printing(tempFolder(), lines, exitCode) });
    await session.send('one', 60);
    expect(await session.send('two', 60)).toMatchObject({
      outcome: { kind },
      totalCostUsd: 1.5,
      inputTokens: 14,
      outputTokens: 4,
    });
  });

  test.each([
    [{ pluginDirs: ['/some/plugin'] }, 'OpenCode cannot load Claude Code plugins.'],
    [{ permissionMode: 'plan' }, 'OpenCode has no permission mode "plan".'],
  ])('%j is refused before anything is said', async (more, message) => {
    const session = options('opencode', more);
    const { record } = await holdConversation({
      backend: 'opencode',
      turns: ['hello'],
      session,
    });
    expect([record.startError, record.turns]).toEqual([message, []]);
  });

  test('a conversation continues after a crash, is cancelled at the first call, and has no commands', async () => {
    const session = options('opencode');
    const { record, result } = await holdConversation({
      backend: 'opencode',
      turns: ['vanish', '/plan it', { prompt: 'leave something', cancelled: 'at-first-call' }, 'hello'],
      session,
    });
    expect(record.turns.map(({ outcome }) => outcome.kind)).toEqual([
      ...['crashed', 'unknown-command', 'cancelled', 'completed'],
    ]);
    expect(existsSync(join(session.cwd, 'begun'))).toBe(true);
    expect(result).toMatchObject({ exitCode: 0, survivors: [] });
    expect(record.illegalSteps).toEqual([]);
  });
});

test('what a CLI cannot do is reported, with what it can', async () => {
  await expect(openInForm('opencode', 'streamed', options('opencode'))).rejects.toThrow(
    'opencode cannot hold a streamed conversation.',
  );
  await expect(openInForm('kiro', undefined, options('opencode'))).rejects.toMatchObject({
    message: 'kiro cannot hold conversations yet.',
    hint: 'Backends that can: claude, opencode.',
  });
});
