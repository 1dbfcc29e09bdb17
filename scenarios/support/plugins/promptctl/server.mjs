// An MCP server over stdio: JSON-RPC, one message per line.
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { logPath } from './log-path.mjs';

const filter = { type: 'string', description: 'only events with this name, such as PreToolUse' };
const limit = { type: 'integer', minimum: 1, description: 'how many of the newest events; 20 by default' };

const TOOLS = {
  status: {
    description: 'Counts the recorded events of each kind, and says where the log is',
    inputSchema: { type: 'object', properties: {} },
    call: () => {
      const counts = {};
      for (const { hook_event_name: name } of readEvents()) counts[name] = (counts[name] ?? 0) + 1;
      return { log: logPath, total: readEvents().length, events: counts };
    },
  },
  logs: {
    description: 'Lists the recorded events, newest last',
    inputSchema: { type: 'object', properties: { filter_type: filter, limit } },
    call: ({ filter_type: type, limit: count = 20 }) => ({
      events: readEvents()
        .filter((event) => type === undefined || event.hook_event_name === type)
        .slice(-count),
    }),
  },
};

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'promptctl', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.entries(TOOLS).map(([name, { call: _, ...tool }]) => ({ name, ...tool })),
  }),
  'tools/call': ({ name, arguments: input = {} }) => {
    const tool = TOOLS[name];
    if (tool === undefined) throw { code: -32602, message: `promptctl has no tool ${name}` };
    const result = tool.call(input);
    return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
  },
};

function readEvents() {
  if (!existsSync(logPath)) return [];
  const lines = readFileSync(logPath, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  // A message without an id is a notification and gets no answer.
  if (id === undefined) continue;
  let reply;
  try {
    const run = METHODS[method];
    reply = run
      ? { result: run(params) }
      : { error: { code: -32601, message: `promptctl does not know ${method}` } };
  } catch (error) {
    reply = { error: { code: error.code ?? -32603, message: error.message } };
  }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
}
