import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ClaudeSession } from '../../src/conversation/claude-session.js';
import { holdConversation } from '../../src/conversation/hold-conversation.js';
import { sayTurn } from '../../src/conversation/say-turn.js';
import { agentLoop } from '../../src/conversation/workflows/agent-loop.js';
import { tempFolder } from '../support/cli.js';

/** A CLI that offers commands and answers one prompt; then it is gone. */
const ONE_ANSWER = `#!/usr/bin/env node
const say = (event) => process.stdout.write(JSON.stringify(event) + '\\n');
const commands = ['one:plan', 'two:plan', 'one:code'].map((name) => ({ name }));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, request_id, request } = JSON.parse(line);
  const answer = { initialize: { commands }, mcp_status: { mcpServers: [] } }[request?.subtype];
  if (answer) say({ type: 'control_response', response: { subtype: 'success', request_id, response: answer } });
  if (type !== 'user') return;
  say({ type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'STAGE: exploring' }] } });
  say({ type: 'result', subtype: 'success', num_turns: 1, result: 'STAGE: exploring' });
  process.exitCode = 3;
  process.stdin.destroy();
});
`;

/** A CLI that calls a tool, and goes when it is interrupted. */
const GOES_WHEN_INTERRUPTED = `#!/usr/bin/env node
const say = (event) => process.stdout.write(JSON.stringify(event) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, request_id, request } = JSON.parse(line);
  if (request?.subtype === 'interrupt') process.exit(7);
  const answer = { initialize: { commands: [] }, mcp_status: { mcpServers: [] } }[request?.subtype];
  if (answer) say({ type: 'control_response', response: { subtype: 'success', request_id, response: answer } });
  if (type !== 'user') return;
  const content = [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }];
  say({ type: 'assistant', message: { id: 'm', content } });
});
`;

function sessionOptions(program = ONE_ANSWER) {
  const folder = tempFolder();
  const executable = join(folder, 'one-answer');
  writeFileSync(executable, program);
  chmodSync(executable, 0o755);
  for (const name of ['workspace', 'artifacts']) mkdirSync(join(folder, name));
  return {
    executable,
    cwd: join(folder, 'workspace'),
    env: { PATH: `${process.env.PATH}` },
    artifacts: join(folder, 'artifacts'),
    pluginDirs: [],
    permissionMode: 'acceptEdits',
    allowedTools: [],
    args: [],
    sessionTimeoutSeconds: 120,
    marker: { name: 'TEST_SESSION', value: folder },
    secrets: [],
  };
}

test('what cannot be sent is a turn that says why: no such command, two of them, no CLI any more', async () => {
  const session = sessionOptions();
  const { record } = await holdConversation({
    backend: 'claude',
    turns: ['/none', '/plan it', '/code', 'hello', 'and on'],
    workflow: agentLoop,
    hookLog: join(session.artifacts, 'hook-log.jsonl'),
    session,
  });
  expect(record.turns.map(({ asked, outcome }) => [asked, outcome])).toEqual([
    ['/none', { kind: 'unknown-command', command: '/none' }],
    [
      '/plan it',
      { kind: 'ambiguous-command', command: '/plan', meanings: '/plan can mean /one:plan or /two:plan.' },
    ],
    ['/code', { kind: 'completed' }],
    ['hello', { kind: 'crashed', detail: 'exit 3' }],
  ]);
  expect(record.illegalSteps).toEqual([]);
});

test('a CLI that goes while its turn is looked at ends the conversation, and no state is broken', async () => {
  const session: ClaudeSession = await ClaudeSession.open({
    ...sessionOptions(),
    review: async () => {
      // Answered by nobody: it fails when the CLI is gone.
      await expect(session.control({ subtype: 'nothing_it_knows' }, 100)).rejects.toThrow(
        'Claude Code is gone',
      );
      const change = { turn: 1, from: 'idle', to: 'exploring', trigger: 'a test' };
      return [{ ...change, proofs: [], observed: [], valid: true }];
    },
  });
  await session.begin();
  expect(session.over).toBeNull();
  expect((await session.send('hello', 60)).outcome).toEqual({ kind: 'completed' });
  expect(session.over).toEqual({ kind: 'crashed', detail: 'exit 3' });
  const { number, outcome } = await sayTurn(session, { prompt: 'and on' }, 60);
  expect([number, outcome]).toEqual([2, { kind: 'crashed', detail: 'exit 3' }]);
  expect(session.states.illegal).toEqual([]);
  await session.end();
});

test('a CLI that goes when it is interrupted costs its turn, and nothing else', async () => {
  const session = sessionOptions(GOES_WHEN_INTERRUPTED);
  const { record } = await holdConversation({
    backend: 'claude',
    turns: [{ prompt: 'hello', cancelled: 'at-first-call' }, 'and on'],
    hookLog: join(session.artifacts, 'hook-log.jsonl'),
    session,
  });
  expect(record.turns.map(({ outcome }) => outcome.kind)).toEqual(['crashed']);
});
