import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { onAnyPrompt, onPrompt, type RuleBuilder } from '../../src/agent/builder.js';
import { startModelServer } from '../../src/agent/http/server.js';
import { BACKENDS, TOOL_RECIPES } from '../../src/backends/index.js';
import { ClaudeSession } from '../../src/conversation/claude-session.js';
import {
  createTestProject,
  type DefectName,
  FIXTURE_PLUGINS,
  type FixturePlugin,
  fixtureMarketplace,
  fixturePluginFolder,
  type ProjectType,
  setupGitRepo,
} from '../../src/projects/index.js';
import { scriptedAttempt } from '../../src/run/lane-environment.js';
import { tempFolder } from '../support/cli.js';
import { requireProgram } from './programs.js';
import { runRaw } from './support/run-agent.js';

const HELLO = onAnyPrompt().says('Hello.');

interface TalkOptions {
  readonly type?: ProjectType;
  readonly defect?: readonly DefectName[];
  readonly tools?: readonly string[];
}

/** A conversation of the real Claude Code about a new project, with our plugins and a scripted model. */
async function talk(
  plugins: readonly (FixturePlugin | string)[],
  rules: readonly RuleBuilder[],
  options: TalkOptions = {},
) {
  const base = realpathSync(tempFolder());
  const [project, home, artifacts] = [join(base, 'project'), join(base, 'home'), join(base, 'artifacts')];
  for (const folder of [home, artifacts]) mkdirSync(folder);
  const { type = 'cli', defect = ['add-subtracts'] } = options;
  await createTestProject({ type, language: 'python', path: project, defect });
  await setupGitRepo(project);
  const script = { version: 1 as const, rules: rules.map(({ rule }) => rule) };
  const server = await startModelServer({ script, recipes: TOOL_RECIPES });
  onTestFinished(server.close);
  const recorded = {
    PROMPTCTL_LOG: join(base, 'events.jsonl'),
    RALPH_E2E_MCP_CALLS: join(base, 'mcp-calls.jsonl'),
    RALPH_E2E_MCP_MOCKS: join(base, 'mocks.json'),
  };
  const env = scriptedAttempt([BACKENDS.claude], { PATH: process.env.PATH ?? '' }, home, server.url);
  const session = await ClaudeSession.start({
    executable: requireProgram('claude'),
    cwd: project,
    env: { ...env, ...recorded },
    artifacts,
    pluginDirs: plugins.map((name) => (isFixture(name) ? fixturePluginFolder(name) : name)),
    permissionMode: 'acceptEdits',
    allowedTools: ['Bash', ...(options.tools ?? [])],
    args: [],
    sessionTimeoutSeconds: 600,
    marker: { name: 'TEST_SESSION', value: base },
    secrets: [],
  });
  onTestFinished(async () => void (await session.end()));
  const send = async (prompt: string) => {
    const turn = await session.send(prompt, 300);
    return {
      ...turn,
      results: turn.calls.map(({ name, isError }) => `${name} ${isError ? 'failed' : 'done'}`),
    };
  };
  return { session, send, project, recorded, server };
}

function isFixture(name: string): name is FixturePlugin {
  return !name.includes('/');
}

const statusSchema = z.object({ mcpServers: z.array(z.object({ name: z.string(), status: z.string() })) });

/** How a server of the session is; it may take a while to connect. */
function serverStatus(session: ClaudeSession, name: string) {
  const ask = async () => {
    const { mcpServers } = statusSchema.parse(await session.control({ subtype: 'mcp_status' }, 60));
    return mcpServers.find((server) => server.name === name)?.status;
  };
  return expect.poll(ask, { timeout: 60_000 });
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
}

function readLines(path: string): Record<string, unknown>[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('our plugins in the real Claude Code', () => {
  const validate = (folder: string) =>
    runRaw(requireProgram('claude'), ['plugin', 'validate', '--strict', folder], {
      PATH: process.env.PATH ?? '',
      HOME: tempFolder(),
      DISABLE_AUTOUPDATER: '1',
    });

  test.each(FIXTURE_PLUGINS)('%s is valid', async (name) => {
    const { exitCode, output } = await validate(fixturePluginFolder(name));
    expect(exitCode, output).toBe(0);
  });

  test('and so is the marketplace of them', async () => {
    const { exitCode, output } = await validate(fixtureMarketplace());
    expect(exitCode, output).toBe(0);
  });

  test('load together without an error: commands, agents, skills and servers', async () => {
    const { session, send } = await talk(FIXTURE_PLUGINS, [HELLO]);
    await send('hello');
    const init = session.init;
    expect(init?.plugin_errors).toEqual([]);
    expect(init?.plugins.map(({ name }) => name)).toEqual(expect.arrayContaining([...FIXTURE_PLUGINS]));
    const ours = (names: readonly string[] | undefined) =>
      names?.filter((name) => /^(?:agent-loop|epti|visual-iteration|promptctl):/.test(name)).sort();
    expect(ours(session.commands.map(({ name }) => name))).toMatchInlineSnapshot(`
      [
        "agent-loop:code",
        "agent-loop:code-exploration",
        "agent-loop:commit",
        "agent-loop:explore",
        "agent-loop:plan",
        "epti:commit-code",
        "epti:commit-tests",
        "epti:implement",
        "epti:iterate",
        "epti:test-execution",
        "epti:verify-fail",
        "epti:write-tests",
        "visual-iteration:commit-visual",
        "visual-iteration:feedback",
        "visual-iteration:implement-design",
        "visual-iteration:load-mock",
        "visual-iteration:refine",
        "visual-iteration:screenshot",
        "visual-iteration:visual-comparison",
      ]
    `);
    expect(ours(init?.agents)).toMatchInlineSnapshot(`
      [
        "agent-loop:workflow-agent",
        "epti:tdd-agent",
        "visual-iteration:visual-iteration-agent",
      ]
    `);
    expect(ours(init?.skills)).toMatchInlineSnapshot(`
      [
        "agent-loop:code-exploration",
        "epti:test-execution",
        "visual-iteration:visual-comparison",
      ]
    `);
    await serverStatus(session, 'plugin:visual-iteration:browser-tools').toBe('connected');
    await serverStatus(session, 'plugin:promptctl:promptctl').toBe('connected');
  });
});

describe('agent-loop', () => {
  const commit = 'git commit --quiet --allow-empty -m "fix(calculator): add adds"';

  test('stops a commit without a plan, and lets it pass with one', async () => {
    const { send, project } = await talk(
      ['agent-loop'],
      [
        onPrompt('Plan stage of agent-loop').writes('PLAN.md', '1. add adds\n').says('STAGE: planning'),
        onPrompt('Commit stage of agent-loop').runs(commit).says('STAGE: committing'),
      ],
    );
    const early = await send('/commit');
    expect(early.results).toEqual(['Bash failed']);
    expect(early.hooks.find(({ blocked }) => blocked)).toMatchObject({
      name: 'PreToolUse:Bash',
      exitCode: 2,
      callId: early.calls[0]?.id,
    });
    expect(early.calls[0]?.result).toContain('Expected PLAN.md, found none');
    expect(early.denied).toEqual([early.calls[0]?.id]);
    expect((await send('/plan the fix')).results).toEqual(['Write done']);
    expect((await send('/commit')).results).toEqual(['Bash done']);
    expect(git(project, 'log', '--format=%s')).toBe('fix(calculator): add adds\nInitial commit');
  });

  test('warns of code before a plan, and reminds of the tests after a change', async () => {
    const { send } = await talk(
      ['agent-loop'],
      [
        onPrompt('Code stage of agent-loop')
          .edits(
            'calculator/operations.py',
            '(a, b):\n    return a - b\n\n\ndef subtract',
            '(a, b):\n    return a + b\n\n\ndef subtract',
          )
          .says('Done'),
      ],
    );
    const turn = await send('/code');
    const said = turn.hooks
      .filter(({ stdout }) => stdout !== '')
      .map(({ event, stdout }) => [event, JSON.parse(stdout)]);
    expect(turn.results.at(-1)).toBe('Edit done');
    expect(said).toEqual([
      [
        'UserPromptSubmit',
        {
          hookSpecificOutput: expect.objectContaining({
            additionalContext: expect.stringContaining('no PLAN.md'),
          }),
        },
      ],
      [
        'PostToolUse',
        {
          hookSpecificOutput: expect.objectContaining({
            additionalContext: expect.stringContaining('Run the tests'),
          }),
        },
      ],
    ]);
  });
});

describe('epti', () => {
  const MODULE = 'calculator/power.py';
  const TESTS = `import unittest

from calculator.power import power


class PowerTest(unittest.TestCase):
    def test_power(self):
        self.assertEqual(power(2, 3), 8)
`;

  test('lets nobody implement before the tests are committed, nor commit code on red', async () => {
    const { send, project } = await talk(
      ['epti'],
      [
        onPrompt('just implement it').writes(MODULE, 'x = 1\n').says('I tried.'),
        onPrompt('Write-tests stage').writes('tests/test_power.py', TESTS).says('STAGE: writing-tests'),
        onPrompt('Commit-tests stage')
          .runs('git add tests && git commit --quiet -m "test: add tests for power"')
          .says('STAGE: committing-tests'),
        onPrompt('Implement stage')
          .writes(MODULE, 'def power(a, b):\n    return a * b\n')
          .says('STAGE: implementing'),
        onPrompt('Commit-code stage')
          .runs('git add --all && git commit --quiet -m "feat(calculator): implement power"')
          .says('STAGE: committing-code'),
        onPrompt('Iterate stage').edits(MODULE, 'a * b', 'a ** b').says('STAGE: iterating'),
      ],
      { defect: [] },
    );
    const blocked = await send('/implement');
    expect(blocked.outcome).toEqual({
      kind: 'blocked',
      reason: expect.stringContaining('commit the tests first'),
    });
    const early = await send('just implement it');
    expect(early.results).toEqual(['Write failed']);
    expect(early.calls[0]?.result).toContain(`commit the tests first; ${MODULE} is code`);
    expect(existsSync(join(project, MODULE))).toBe(false);

    const written = await send('/write-tests power');
    expect(written.results).toEqual(['Write done']);
    expect(written.hooks.find(({ event }) => event === 'PostToolUse')?.stdout).toMatch(/unittest.* fails/);
    expect((await send('/commit-tests')).results).toEqual(['Bash done']);
    expect((await send('/implement')).results).toEqual(['Write done']);
    const red = await send('/commit-code');
    expect(red.results).toEqual(['Bash failed']);
    expect(red.calls[0]?.result).toContain('nothing but tests is committed while tests fail');
    expect((await send('/iterate')).results.at(-1)).toBe('Edit done');
    expect((await send('/commit-code')).results).toEqual(['Bash done']);
    expect(git(project, 'log', '--format=%s', '-2')).toBe(
      'feat(calculator): implement power\ntest: add tests for power',
    );
  });
});

describe('visual-iteration', () => {
  const TOOL = 'mcp__plugin_visual-iteration_browser-tools__screenshot';

  test('takes pictures through its server, which change with the style sheet', async () => {
    const { session, send, project, recorded } = await talk(
      ['visual-iteration'],
      [
        onPrompt('Screenshot stage').calls(TOOL, { url: 'http://127.0.0.1:3000' }).says('STAGE: capturing'),
        onPrompt('Refine stage')
          .edits('public/style.css', 'padding: 32px', 'padding: 24px')
          .says('STAGE: refining'),
      ],
      { type: 'web-app', defect: ['wide-padding'], tools: [TOOL] },
    );
    await serverStatus(session, 'plugin:visual-iteration:browser-tools').toBe('connected');
    const first = await send('/screenshot');
    expect(first.calls[0]?.result).toMatch(/Saved screenshots\/1\.png .*This is a stub.*card padding 32px/);
    expect((await send('/refine')).results.at(-1)).toBe('Edit done');
    expect((await send('/screenshot')).calls[0]?.result).toMatch(/screenshots\/2\.png .*card padding 24px/);
    const picture = (name: string) => readFileSync(join(project, 'screenshots', name));
    expect(picture('1.png').equals(picture('2.png'))).toBe(false);
    expect(readLines(recorded.RALPH_E2E_MCP_CALLS)).toMatchObject([
      { tool: 'screenshot', source: 'script', arguments: { url: 'http://127.0.0.1:3000' } },
      { tool: 'screenshot' },
    ]);
  });
});

test('the marketplace installs, and what it installed brings its server along', async () => {
  const env = { PATH: process.env.PATH ?? '', HOME: tempFolder(), DISABLE_AUTOUPDATER: '1' };
  const claude = (...args: string[]) => runRaw(requireProgram('claude'), args, env);
  const added = await claude('plugin', 'marketplace', 'add', fixtureMarketplace());
  expect(added.exitCode, added.output).toBe(0);
  const installed = await claude('plugin', 'install', 'visual-iteration@ralph-e2e');
  expect(installed.exitCode, installed.output).toBe(0);
  const listed = await claude('plugin', 'list', '--json');
  expect(JSON.parse(listed.output)).toEqual([
    expect.objectContaining({ id: 'visual-iteration@ralph-e2e', enabled: true }),
  ]);
  expect((await claude('mcp', 'list')).output).toMatch(/browser-tools.*Connected/);
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

describe('broken plugins', () => {
  test('a bad manifest and missing folders are told by the session, which goes on', async () => {
    const { session, send } = await talk(['broken-manifest', 'broken-folder', '/nowhere/at/all'], [HELLO]);
    expect((await send('hello')).text).toBe('Hello.');
    const told = session.init?.plugin_errors.map(
      ({ plugin, type, message }) => `${plugin} ${type}: ${message}`,
    );
    expect(told).toEqual([
      expect.stringMatching(
        /^inline\[0\] generic-error: .*broken-manifest has an invalid manifest.*agents: /,
      ),
      expect.stringMatching(/^broken-folder@inline path-not-found: .*nowhere\/hello\.md/),
      'inline[2] path-not-found: Path not found: /nowhere/at/all',
    ]);
    expect(session.commands.filter(({ name }) => name.includes('broken-'))).toEqual([]);
  });

  test('a server that dies has failed, its commands are there', async () => {
    const { session, send } = await talk(['broken-server'], [HELLO]);
    expect((await send('/hello')).sent).toBe('/broken-server:hello');
    await serverStatus(session, 'plugin:broken-server:dying').toBe('failed');
  });

  test('a hook whose script is missing fails and stops nothing', async () => {
    const { send } = await talk(['broken-hook'], [HELLO]);
    const turn = await send('hello');
    expect(turn.text).toBe('Hello.');
    expect(turn.hooks).toEqual([
      expect.objectContaining({ event: 'UserPromptSubmit', outcome: 'error', blocked: false }),
    ]);
    expect(turn.hooks[0]?.stderr).toContain('nowhere.mjs');
  });
});
