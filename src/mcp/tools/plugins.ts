import * as z from 'zod';
import { stubbedServerSchema } from '../../domain/stub/script.js';
import { countParts, listParts, listServers } from '../plugins/parts.js';
import type { RegisteredPlugin } from '../plugins/registry.js';
import { defineTool, pageShape, type Tool, takePage } from '../tool.js';

const pluginName = z
  .string()
  .trim()
  // Claude Code also refuses spaces in a manifest, but not in the name of a folder without one.
  .regex(/^(?!\.+$)[^:/\\\p{C}]+$/u, 'expected the name of a plugin');

const countsSchema = z.object({
  agents: z.number(),
  commands: z.number(),
  skills: z.number(),
  hooks: z.number(),
  mcp_servers: z.number(),
});

/** A command or a skill. */
const slashSchema = z.object({
  name: z.string(),
  aliases: z.array(z.string()).describe('Other names that Claude Code accepts'),
  file: z.string(),
  available: z.boolean(),
});

const statusSchema = z.enum(['loading', 'loaded', 'error', 'unloading', 'not_installed']);

function stateOf({ status: { problems } }: RegisteredPlugin): 'loaded' | 'error' {
  return problems.length === 0 ? 'loaded' : 'error';
}

export const pluginTools: readonly Tool[] = [
  defineTool({
    name: 'install_plugin',
    description:
      'Adds a plugin to every conversation that starts after this call, and checks that Claude Code loads it. mode "marketplace" really installs it, in a separate configuration folder.',
    input: z.object({
      plugin_name: pluginName,
      marketplace_path: z
        .string()
        .optional()
        .describe(
          'A marketplace, a folder of plugins, or the folder of the plugin, inside the root. Default: the root',
        ),
      force_reinstall: z.boolean().default(false),
      mode: z.enum(['plugin-dir', 'marketplace']).default('plugin-dir'),
      stubs: z
        .record(z.string().min(1), stubbedServerSchema)
        .default({})
        .describe(
          'Scripts that play MCP servers of the plugin, by the name of the server: {"weather": {"tools": {"forecast": {"answers": [{"text": "Rain"}]}}}}. These servers are not started',
        ),
    }),
    output: z.object({
      success: z.boolean(),
      plugin_id: z.string(),
      status: statusSchema,
      loaded: z.boolean(),
      agents_registered: z.array(z.string()),
      commands_registered: z.array(z.string()),
      hooks_registered: z.array(z.string()),
      mcp_servers_started: z.array(z.string()),
      error: z.string().nullable(),
      error_name: z.string().nullable(),
    }),
    run: async ({ plugin_name, marketplace_path, force_reinstall, mode, stubs }, harness) => {
      const from =
        marketplace_path === undefined
          ? harness.paths.root
          : await harness.paths.existing(marketplace_path, 'marketplace_path', 'folder');
      const registered = await harness.plugins.install({
        ...{ name: plugin_name, from, mode },
        force: force_reinstall,
        stubs,
      });
      const { problems, plugin, isActive, activeAgents, activeCommands, servers } = registered.status;
      const loaded = problems.length === 0;
      return {
        success: loaded,
        plugin_id: registered.id,
        status: stateOf(registered),
        loaded,
        agents_registered: [...activeAgents],
        commands_registered: activeCommands.map((name) => `/${name}`),
        hooks_registered: isActive ? plugin.hooks.map(({ name }) => name) : [],
        mcp_servers_started: servers.filter(({ status }) => status === 'connected').map(({ name }) => name),
        error: loaded ? null : problems.join('\n'),
        error_name: loaded ? null : 'PluginInvalidError',
      };
    },
  }),

  defineTool({
    name: 'uninstall_plugin',
    description:
      'Removes a plugin from every conversation that starts after this call. With cleanup_config it also removes the marketplace, if no other plugin came from it.',
    input: z.object({ plugin_name: pluginName, cleanup_config: z.boolean().default(true) }),
    output: z.object({
      success: z.boolean(),
      components_removed: countsSchema,
      error: z.string().nullable(),
    }),
    run: async ({ plugin_name, cleanup_config }, harness) => {
      const removed = await harness.plugins.uninstall(plugin_name, cleanup_config);
      return { success: true, components_removed: countParts(removed), error: null };
    },
  }),

  defineTool({
    name: 'list_plugins',
    description: 'Lists the installed plugins.',
    input: z.object(pageShape),
    output: z.object({
      plugins: z.array(
        z.object({
          plugin_name: z.string(),
          name: z.string(),
          plugin_id: z.string(),
          status: statusSchema,
          version: z.string(),
          install_time: z.string(),
          component_counts: countsSchema,
        }),
      ),
      total: z.number(),
    }),
    run: (page, harness) => {
      const plugins = harness.plugins.installed.map((plugin) => ({
        plugin_name: plugin.name,
        name: plugin.name,
        plugin_id: plugin.id,
        status: stateOf(plugin),
        version: plugin.status.plugin.version ?? '',
        install_time: plugin.installedAt,
        component_counts: countParts(plugin),
      }));
      return { plugins: takePage(plugins, page), total: plugins.length };
    },
  }),

  defineTool({
    name: 'get_plugin_status',
    description:
      'Checks a plugin again and returns its files, the objections of `claude plugin validate`, what Claude Code loaded, and the status of its MCP servers. `limit` and `offset` apply to each of the lists.',
    input: z.object({ plugin_name: pluginName, ...pageShape }),
    output: z.object({
      plugin_name: z.string(),
      plugin_id: z.string(),
      status: statusSchema,
      error_message: z.string().nullable(),
      last_error: z.string().nullable(),
      agents: z.array(z.object({ name: z.string(), file: z.string(), active: z.boolean() })),
      commands: z.array(slashSchema),
      skills: z.array(slashSchema),
      hooks: z.array(
        z.object({ name: z.string(), event: z.string(), handler: z.string(), active: z.boolean() }),
      ),
      mcp_servers: z.array(z.object({ name: z.string(), status: z.string(), error: z.string().nullable() })),
      totals: countsSchema.describe('How long the lists are without limit and offset'),
    }),
    run: async ({ plugin_name, ...page }, harness) => {
      const registered = await harness.plugins.refresh(plugin_name);
      const { installed } = registered;
      const { problems, servers } = registered.status;
      const { agents, commands, skills, hooks } = listParts(registered);
      const mcpServers = listServers(registered, servers);
      return {
        plugin_name: registered.name,
        plugin_id: registered.id,
        status: installed ? stateOf(registered) : ('not_installed' as const),
        error_message: installed && problems.length > 0 ? problems.join('\n') : null,
        last_error: problems.at(-1) ?? null,
        agents: takePage(agents, page),
        commands: takePage(commands, page),
        skills: takePage(skills, page),
        hooks: takePage(hooks, page),
        mcp_servers: takePage(mcpServers, page),
        totals: {
          agents: agents.length,
          commands: commands.length,
          skills: skills.length,
          hooks: hooks.length,
          mcp_servers: mcpServers.length,
        },
      };
    },
  }),
];
