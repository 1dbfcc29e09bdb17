import { expect, test } from 'vitest';
import { readClaudeStream } from '../../../src/backends/claude/transcript.js';

const END =
  '{"type":"result","subtype":"success","is_error":false,"result":"Hi.","num_turns":1,"total_cost_usd":0}';
const INIT = { type: 'system', subtype: 'init', model: 'm', tools: ['Bash'], permissionMode: 'default' };
const said = (message: object) =>
  JSON.stringify({
    type: 'assistant',
    message: { content: [{ type: 'text', text: 'Hi.' }], ...message },
  });

test.each([{ usage: null }, { model: null }, { usage: { input_tokens: 'many' } }])(
  'a message with %j is evidence',
  (message) => {
    const read = readClaudeStream([JSON.stringify(INIT), said(message), END]);
    expect(read).toMatchObject({ said: 'Hi.', texts: 1, cli: { whole: true } });
  },
);

test.each([
  ['a text', '"ls"'],
  ['null', 'null'],
  ['a list', '["ls"]'],
])('a tool call whose input is %s is evidence', (_, input) => {
  const call = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"X","input":${input}}]}}`;
  const answer =
    '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"out"}]}}';
  const read = readClaudeStream([JSON.stringify(INIT), call, answer, said({}), END]);
  expect(read).toMatchObject({
    toolCalls: [{ id: 't', name: 'X', input, result: 'out' }],
    cli: { whole: true },
  });
});

test('a tool call without an input is evidence', () => {
  const call = '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"X"}]}}';
  expect(readClaudeStream([call])?.toolCalls).toMatchObject([{ id: 't', input: 'null' }]);
});

test.each([
  { plugins: [{ name: 'p' }] },
  { mcp_servers: [{ name: 's' }] },
  { plugin_errors: 'none' },
  { slash_commands: null },
  { agents: [1] },
])('a first event with %j still tells the tools', (more) => {
  const read = readClaudeStream([JSON.stringify({ ...INIT, ...more }), said({}), END]);
  expect(read?.cli).toEqual({ tools: ['Bash'], permissionMode: 'default', whole: true });
  expect(read?.usage).toMatchObject({ model: 'm' });
});

test.each([{ permission_denials: [{ tool_name: 'Bash' }] }, { errors: null }])(
  'a result with %j is evidence',
  (more) => {
    const end = JSON.stringify({ ...JSON.parse(END), ...more });
    expect(readClaudeStream([said({}), end])).toMatchObject({ usage: { turns: 1 }, cli: { whole: true } });
  },
);
