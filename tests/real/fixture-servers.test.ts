import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onPrompt } from '../../src/agent/builder.js';
import { readLines, serverStatus, talk } from './support/talk.js';

describe('visual-iteration', () => {
  const TOOL = 'mcp__plugin_visual-iteration_browser-tools__screenshot';

  test('takes pictures through its server, which change with the style sheet', async () => {
    const { session, send, project, recorded } = await talk(
      ['visual-iteration'],
      [
        onPrompt('Screenshot stage').calls(TOOL, {}).says('STAGE: capturing'),
        onPrompt('Refine stage')
          .edits('public/style.css', 'padding: 32px', 'padding: 24px')
          .says('STAGE: refining'),
      ],
      { type: 'web-app', defect: ['wide-padding'], tools: [TOOL] },
    );
    await serverStatus(session, 'plugin:visual-iteration:browser-tools').toBe('connected');
    const first = await send('/screenshot');
    expect(first.calls[0]?.result).toMatch(/Saved screenshots\/1\.png .*card padding 32px/);
    expect((await send('/refine')).results.at(-1)).toBe('Edit done');
    expect((await send('/screenshot')).calls[0]?.result).toMatch(/screenshots\/2\.png .*card padding 24px/);
    const picture = (name: string) => readFileSync(join(project, 'screenshots', name));
    expect(picture('1.png').equals(picture('2.png'))).toBe(false);
    expect(readLines(recorded.RALPH_E2E_MCP_CALLS)).toMatchObject([
      { tool: 'screenshot', arguments: {} },
      { tool: 'screenshot' },
    ]);
  });
});

describe('promptctl', () => {
  const TOOL = 'mcp__plugin_promptctl_promptctl__status';

  test('records every event with the id of the call, and tells it over MCP', async () => {
    const { session, send, recorded } = await talk(
      ['promptctl'],
      [onPrompt('look').runs('ls').says('Seen.'), onPrompt('status').calls(TOOL, {}).says('Told.')],
      { tools: [TOOL] },
    );
    await serverStatus(session, 'plugin:promptctl:promptctl').toBe('connected');
    const looked = await send('look');
    const told = await send('status');
    await session.end();
    const events = readLines(recorded.PROMPTCTL_LOG);
    expect(events.map((event) => event.hook_event_name)).toEqual(
      expect.arrayContaining([
        'SessionStart',
        'UserPromptSubmit',
        'PreToolUse',
        'PostToolUse',
        'Stop',
        'SessionEnd',
      ]),
    );
    const before = events.find((event) => event.hook_event_name === 'PreToolUse');
    expect(before).toMatchObject({ tool_name: 'Bash', tool_use_id: looked.calls[0]?.id });
    expect(JSON.parse(told.calls[0]?.result ?? '')).toMatchObject({
      log: recorded.PROMPTCTL_LOG,
      events: { SessionStart: 1, UserPromptSubmit: 2 },
    });
  });
});
