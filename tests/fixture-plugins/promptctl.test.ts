import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer } from '../mcp-stub/talk.js';
import { tempFolder } from '../support/cli.js';
import { PLUGINS, runHook } from './run-hook.js';

test('promptctl records what its hooks are told, stops nothing, and counts it over MCP', async () => {
  const folder = tempFolder();
  const PROMPTCTL_LOG = join(folder, 'deep', 'events.jsonl');
  const { call, ask } = startServer([join(PLUGINS, 'promptctl/server.mjs')], {
    cwd: folder,
    env: { PROMPTCTL_LOG },
  });
  expect((await call('status'))?.structuredContent).toEqual({ log: PROMPTCTL_LOG, total: 0, events: {} });

  const events = [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PreToolUse',
    'PostToolUse',
    'Stop',
    'SessionEnd',
  ];
  for (const [index, event] of events.entries()) {
    const answer = runHook('promptctl', { event, tool_use_id: `call-${index}` }, folder, { PROMPTCTL_LOG });
    expect(answer).toMatchObject({ code: 0, stdout: '', stderr: '' });
  }
  const recorded = readFileSync(PROMPTCTL_LOG, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(recorded.map((event) => event.hook_event_name)).toEqual(events);
  expect(recorded[2]).toMatchObject({ tool_use_id: 'call-2', at: expect.stringMatching(/^\d{4}-/) });

  expect((await call('status'))?.structuredContent).toMatchObject({
    total: 7,
    events: { PreToolUse: 2, Stop: 1 },
  });
  expect((await call('logs', { filter_type: 'PreToolUse', limit: 1 }))?.structuredContent).toEqual({
    events: [recorded[3]],
  });
  expect((await ask('tools/call', { name: 'nothing' })).error?.message).toBe('promptctl has no tool nothing');
  expect((await ask('tools/list')).result).toMatchObject({ tools: [{ name: 'status' }, { name: 'logs' }] });
});

test('without a variable the log is in the home of the user', () => {
  const home = tempFolder();
  runHook('promptctl', { event: 'Stop' }, home);
  expect(readFileSync(join(home, '.promptctl/events.jsonl'), 'utf8')).toContain('"Stop"');
});
