import { describe, expect, test } from 'vitest';
import {
  FIXTURE_PLUGINS,
  fixtureMarketplace,
  fixturePluginFolder,
} from '../../src/kinds/conversation/projects/fixture-plugins.js';
import { tempFolder } from '../support/cli.js';
import { requireProgram } from './programs.js';
import { runRaw } from './support/run-agent.js';
import { HELLO, serverStatus, talk } from './support/talk.js';

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
