// Starts programs, or takes seconds: in the project `whole`.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { statesKept } from '../../../src/kinds/conversation/checks/check-turn.js';
import { ClaudeSession } from '../../../src/kinds/conversation/claude/session.js';
import { holdConversation } from '../../../src/kinds/conversation/hold-conversation.js';
import { sayTurn } from '../../../src/kinds/conversation/session/conversation.js';
import { agentLoop } from '../../../src/kinds/conversation/workflows.js';
import { covers } from '../../coverage/covers.js';
import { makeEvidence } from '../../domain/support/evidence.js';
import { tempFolder } from '../../support/cli.js';

/** A CLI that offers commands, answers one prompt and exits. */
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

/** A CLI that calls a tool, and exits when it is interrupted. */
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

/** A CLI in both of its forms: it repeats the prompt for half a dollar, or works and exits in the middle of it. */
const GOES_AT_WORK = `#!/usr/bin/env node
const say = (event) => process.stdout.write(JSON.stringify(event) + '\\n');
const work = (id, type, output_tokens, parent_tool_use_id = null) => {
  const content = [{ text: { type, text: id }, tool_use: { type, id: 't' + id, name: 'Agent', input: {} } }[type]];
  const usage = { input_tokens: 100, output_tokens };
  say({ type: 'assistant', parent_tool_use_id, message: { id, content, usage } });
};
function answer(prompt) {
  if (prompt === 'resume') return say({ type: 'result', subtype: 'error_during_execution', errors: ['no such session'] });
  if (!prompt.startsWith('work')) {
    const usage = { input_tokens: 10, output_tokens: 1 };
    return say({ type: 'result', subtype: 'success', num_turns: 1, result: prompt, usage, total_cost_usd: 0.5 });
  }
  work('a', 'text', 8);
  work('a', 'tool_use', 8);
  work('of another agent', 'text', 1000, 'ta');
  work('b', 'text', 7);
  process.exitCode = 7;
  process.stdin.destroy();
}
if (!process.argv.includes('--input-format')) answer(process.argv.at(-1));
else require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, request_id, request, message } = JSON.parse(line);
  const known = { initialize: { commands: [] }, mcp_status: { mcpServers: [] } }[request?.subtype];
  if (known) say({ type: 'control_response', response: { subtype: 'success', request_id, response: known } });
  if (type === 'user') answer(message.content);
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

test('a prompt that cannot be sent is a turn with the reason: unknown command, ambiguous command, no CLI', async () => {
  const session = sessionOptions();
  const { record } = await holdConversation({
    backend: 'claude',
    turns: ['/none', '/plan it', '/code', 'hello', 'and on'],
    workflow: agentLoop,
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

test('a turn that cannot be reviewed leaves no timer that keeps us running', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const session = await ClaudeSession.open({
    ...sessionOptions(),
    review: () => Promise.reject(new Error('no look')),
  });
  await session.begin();
  const before = timers();
  await expect(session.send('hello', 100)).rejects.toThrow('no look');
  expect(timers()).toBeLessThanOrEqual(before);
  await session.end();
});

test('a CLI that exits while its turn is reviewed ends the conversation without an illegal state', async () => {
  const session: ClaudeSession = await ClaudeSession.open({
    ...sessionOptions(),
    review: async () => {
      // Nobody answers: it fails when the CLI exits.
      await expect(session.control({ subtype: 'nothing_it_knows' }, 100)).rejects.toThrow(
        'Claude Code has exited',
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
  expect(session.log.illegal).toEqual([]);
  await session.end();
});

test.each(['streamed', 'turn-by-turn'] as const)(
  'an event that the state does not allow is recorded, and makes the conversation red, %s',
  async (form) => {
    covers('C12');
    const session = sessionOptions(GOES_AT_WORK);
    const hold = async (...turns: readonly string[]) => {
      const { record } = await holdConversation({
        backend: 'claude',
        form,
        session,
        workflow: agentLoop,
        turns,
      });
      return [record.illegalSteps, statesKept().judge(makeEvidence({ conversation: record }))];
    };
    expect(await hold('hello')).toMatchObject([[], { passed: true }]);
    // The stage of a turn without a single message of the agent.
    const step = 'stage-changed in USER_PROMPT: idle -> exploring (the agent declared it)';
    expect(await hold('hello', 'STAGE: exploring', 'hello')).toMatchObject([
      [step],
      { passed: false, actual: step },
    ]);
  },
);

test('a CLI that exits when interrupted costs only its turn', async () => {
  const session = sessionOptions(GOES_WHEN_INTERRUPTED);
  const { record } = await holdConversation({
    backend: 'claude',
    turns: [{ prompt: 'hello', cancelled: 'at-first-call' }, 'and on'],
    session,
  });
  expect(record.turns.map(({ outcome }) => outcome.kind)).toEqual(['crashed']);
});

test.each(['streamed', 'turn-by-turn'] as const)(
  'a turn that does not end costs what is known of it, %s',
  async (form) => {
    const session = sessionOptions(GOES_AT_WORK);
    const { record } = await holdConversation({
      ...{ backend: 'claude', form, session },
      turns: ['hello', '/nonsense', 'resume', 'work for ever'],
    });
    const bills = record.turns.map(({ outcome, inputTokens, outputTokens, totalCostUsd }) => [
      ...[outcome.kind, inputTokens, outputTokens, totalCostUsd],
    ]);
    expect(bills).toEqual([
      ['completed', 10, 1, 0.5],
      ['unknown-command', 0, 0, 0.5],
      // A call that could not start reports that the session cost nothing.
      ['crashed', 0, 0, 0.5],
      // The tokens of the messages that arrived, each message once. The CLI reports the cost at the end of a turn.
      ['crashed', 200, 15, 0.5],
    ]);
  },
);
