import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPlugin } from '../../src/kinds/conversation/plugins/plugin.js';
import { runHook } from '../../src/kinds/conversation/plugins/run-hook.js';
import { ToolError } from '../../src/mcp/errors.js';
import { hooksOf, type OwnedHook, runsOfHook } from '../../src/mcp/plugins/hook-runs.js';
import type { RegisteredPlugin } from '../../src/mcp/plugins/registry.js';
import { selectHooks } from '../../src/mcp/plugins/trigger-hooks.js';
import type { HookExecution } from '../../src/mcp/session-times.js';
import { tempFolder } from '../support/cli.js';
import { layOut } from './support/harness-client.js';

/** Reads a plugin with these handlers for events, as it would be installed. */
async function own(
  events: Readonly<Record<string, readonly object[]>>,
  files: Readonly<Record<string, string>> = {},
): Promise<OwnedHook[]> {
  const path = join(tempFolder(), 'p');
  const groups = Object.entries(events).map(([event, handlers]) => [
    event,
    handlers.map((handler) => {
      const { matcher, ...hook } = { matcher: '', type: 'command', ...handler };
      return { matcher, hooks: [hook] };
    }),
  ]);
  layOut(path, {
    '.claude-plugin/plugin.json': JSON.stringify({ name: 'p', version: '1.0.0', description: 'p' }),
    'hooks/hooks.json': JSON.stringify({ hooks: Object.fromEntries(groups) }),
    ...files,
  });
  const plugin = await readPlugin(path);
  return hooksOf({
    ...{ name: 'p', id: 'p@inline', mode: 'plugin-dir', path, stubbed: null, entry: null, marketplace: null },
    ...{ installedAt: '', installed: true },
    status: {
      ...{ plugin, problems: [], isActive: true, activeAgents: [] },
      ...{ activeCommands: [], activeSkills: [], aliases: new Map(), servers: [] },
    },
  });
}

const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } });

/** Returns the commands that run, or the name, message and hint of the error. */
function select(hooks: readonly OwnedHook[], name: string, payload: Readonly<Record<string, unknown>> = {}) {
  try {
    return selectHooks(hooks, name, payload).hooks.map(({ hook }) => hook.handler);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return `${error.errorName}: ${error.message} ${error.hint}`;
  }
}

describe('trigger_hook selects', () => {
  test('no hook that only Claude Code can run, and names what it has', async () => {
    const refused = async (handler: object) => select(await own({ Stop: [handler] }), 'Stop');
    expect(await refused({ type: 'prompt', prompt: 'Done?' })).toMatch(
      /^UnsupportedError: .*the type "prompt"/,
    );
    expect(await refused({ command: 'a', async: true })).toMatch(/^UnsupportedError: .*"async"/);
    expect(await refused({ command: 'a', if: 'Bash(git *)' })).toMatch(
      /^UnsupportedError: .*the condition "if": "Bash\(git \*\)"/,
    );
    expect(await refused({ command: 'a', if: '' })).toEqual(['a']);
    expect(await refused({ command: 'a', shell: 'powershell' })).toMatch(/^UnsupportedError: .*"powershell"/);
    expect(await refused({ command: 'a', shell: 'bash' })).toEqual(['a']);
  });

  test('nothing without what the event is about, and says what is missing', async () => {
    const hooks = await own({
      PreToolUse: [{ matcher: 'Bash', command: 'a' }],
      SessionEnd: [{ command: 'b' }],
    });
    expect(select(hooks, 'PreToolUse')).toBe(
      'HookNotFoundError: Expected PreToolUse:<tool_name>, because all its hooks have a matcher, found "PreToolUse". Write it so, or put "tool_name" in the payload. Hooks for PreToolUse: PreToolUse:Bash.',
    );
    expect(select(hooks, 'PreToolUse', bash('ls'))).toEqual(['a']);
    expect(select(hooks, 'PreToolUse:Read')).toMatch(
      /^HookNotFoundError: .*matcher of a PreToolUse hook fits, .* Hooks for PreToolUse: PreToolUse:Bash\.$/,
    );
    expect(select(hooks, 'Stop')).toMatch(
      /^HookNotFoundError: .*an installed plugin has a hook, found "Stop"\. Hooks in installed plugins: PreToolUse:Bash, SessionEnd\.$/,
    );
  });
});

test('a hook with arguments is a program without a shell', async () => {
  const [owned] = await own(
    {
      Stop: [
        {
          command: '${CLAUDE_PLUGIN_ROOT}/x/bin/show',
          args: ['${CLAUDE_PROJECT_DIR}', '$HOME', '${HOME}', 'a b;c'],
        },
      ],
    },
    { 'x/bin/show': '#!/bin/sh\nprintf "%s|" "$@" && cat\n' },
  );
  if (owned === undefined) throw new Error('expected a hook');
  const folder = tempFolder();
  mkdirSync(join(folder, 'project'));
  const answer = await runHook(
    owned.hook,
    { a: 1 },
    {
      ...{
        pluginRoot: owned.plugin.path,
        pluginData: join(folder, 'data'),
        projectDir: join(folder, 'project'),
      },
      ...{ env: { PATH: '/usr/bin:/bin', HOME: folder }, artifacts: folder, secrets: [] },
    },
  );
  expect(answer.stdout.trim()).toBe(`${join(folder, 'project')}|$HOME|\${HOME}|a b;c|{"a":1}`);
});

test('runs that several hooks may have made belong to the group, and to no hook of another tool', async () => {
  const hooks = await own({
    PreToolUse: [
      { matcher: 'Write', command: 'guard' },
      { matcher: 'Bash', if: 'Bash(git *)', command: 'first' },
      { command: 'second' },
    ],
  });
  const plugins = hooks.slice(0, 1).map(({ plugin }) => plugin);
  const sessionWith = (plugins: readonly RegisteredPlugin[]) => ({
    get: () => ({ options: { plugins } }),
  });
  const runs = (id: string, command: string, count: number): HookExecution[] =>
    Array.from({ length: count }, (_, index) => ({
      ...{
        execution_id: `${id}-${index}`,
        hook_name: 'PreToolUse:Bash',
        timestamp: '',
        output: '',
        error: null,
      },
      ...{ status: 'success', duration_ms: 1, action_blocked: false, session_id: 's', action_id: id },
      ...{ event_payload: { ...bash(command), tool_use_id: id }, triggered: null },
    }));
  const count = (...all: HookExecution[][]) =>
    hooks.map((hook) => {
      const { runs: own, sharedBy } = runsOfHook(hook, sessionWith(plugins), all.flat());
      return [own.map((run) => run.execution_id), sharedBy.map((other) => other.hook.handler)];
    });
  expect(count(runs('ls', 'ls', 2))).toEqual([
    [[], []],
    [['ls-0', 'ls-1'], ['second']],
    [['ls-0', 'ls-1'], ['first']],
  ]);
  const [only] = await own({ Stop: [{ command: 'stop' }] });
  if (only === undefined) throw new Error('expected a hook');
  const stopped = runs('x', '', 2).map((run) => ({ ...run, hook_name: 'Stop', event_payload: {} }));
  expect(runsOfHook(only, sessionWith([only.plugin]), stopped)).toMatchObject({
    runs: stopped,
    sharedBy: [],
  });
});
