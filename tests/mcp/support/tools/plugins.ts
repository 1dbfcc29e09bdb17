import { describe, expect, test } from 'vitest';
import { covers } from '../../../coverage/covers.js';
import { open } from './opened.js';

/** Plugins, in every offline lane. */
export function testPlugins(args: readonly string[]): void {
  describe('plugins', () => {
    test('are installed, listed, looked at and uninstalled', async () => {
      covers('H1', 'H2', 'H3', 'H4', 'H7', 'H46', 'H77', 'A7', 'A12');
      const { ok, call } = await open(args);
      expect(await ok('install_plugin', { plugin_name: 'agent-loop', marketplace_path: '.' })).toMatchObject({
        success: true,
        loaded: true,
        status: 'loaded',
        plugin_id: 'agent-loop@inline',
        commands_registered: expect.arrayContaining(['/agent-loop:explore', '/agent-loop:plan']),
        hooks_registered: ['PreToolUse:Bash', 'UserPromptSubmit'],
        error: null,
      });
      expect(await ok('list_plugins')).toMatchObject({
        total: 1,
        plugins: [
          { plugin_name: 'agent-loop', version: '1.2.0', component_counts: { commands: 3, hooks: 2 } },
        ],
      });
      // Without a conversation, the commands of the installed plugins.
      const { commands, total } = await ok('list_available_commands');
      expect(total).toBe(commands.length);
      expect(commands).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: '/agent-loop:plan', plugin: 'agent-loop', description: 'Plans' }),
        ]),
      );
      expect(commands.filter(({ plugin }: { plugin: string }) => plugin !== 'agent-loop')).toEqual([]);
      const status = await ok('get_plugin_status', { plugin_name: 'agent-loop' });
      // Claude Code promises no order.
      const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
      expect({ ...status, commands: status.commands.toSorted(byName) }).toEqual({
        ...{ plugin_name: 'agent-loop', plugin_id: 'agent-loop@inline', status: 'loaded' },
        ...{ error_message: null, last_error: null },
        agents: [{ name: 'agent-loop:guide', file: 'agents/guide.md', active: true }],
        commands: ['code', 'explore', 'plan'].map((name) => ({
          ...{ name: `agent-loop:${name}`, aliases: [], file: `commands/${name}.md`, available: true },
        })),
        skills: [
          {
            ...{
              name: 'agent-loop:scout',
              aliases: ['scout'],
              file: 'skills/scout/SKILL.md',
              available: true,
            },
          },
        ],
        hooks: [
          ['PreToolUse:Bash', 'PreToolUse', 'no pushing'],
          ['UserPromptSubmit', 'UserPromptSubmit', 'a bad word'],
        ].map(([name, event, text]) => ({
          ...{ name, event, handler: expect.stringContaining(`${text}`), active: true },
        })),
        mcp_servers: [],
        totals: { agents: 1, commands: 3, skills: 1, hooks: 2, mcp_servers: 0 },
      });
      expect(await ok('uninstall_plugin', { plugin_name: 'agent-loop' })).toEqual({
        success: true,
        components_removed: { agents: 1, commands: 3, skills: 1, hooks: 2, mcp_servers: 0 },
        error: null,
      });
      expect(await ok('list_plugins')).toEqual({ plugins: [], total: 0 });
      expect(await ok('get_plugin_status', { plugin_name: 'agent-loop' })).toMatchObject({
        status: 'not_installed',
      });
      const again = await call('start_conversation', { config: { plugins: ['agent-loop'] } });
      expect(again.data.error_name).toBe('PluginNotFoundError');
      const reinstalled = await ok('install_plugin', { plugin_name: 'agent-loop', marketplace_path: '.' });
      expect(reinstalled).toMatchObject({
        status: 'loaded',
        hooks_registered: ['PreToolUse:Bash', 'UserPromptSubmit'],
      });
      expect(await ok('list_plugins')).toMatchObject({ total: 1 });
      expect(await ok('start_conversation', { config: { plugins: ['agent-loop'] } })).toMatchObject({
        plugins_active: ['agent-loop'],
      });
    });

    test.each([
      ['bad-manifest', /plugin\.json/],
      ['bad-hooks', /hooks/],
      ['ghost', /ghost/],
    ])('that are broken are reported with the cause: %s', async (plugin_name, cause) => {
      const { ok } = await open(args);
      const installed = await ok('install_plugin', { plugin_name });
      expect(installed).toMatchObject({ success: false, status: 'error', error_name: 'PluginInvalidError' });
      const status = await ok('get_plugin_status', { plugin_name });
      expect(status.status).toBe('error');
      expect(status.error_message).toMatch(cause);
    });
  });
}
