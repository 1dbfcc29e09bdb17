import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { LANE_TRAITS } from '../../domain/vocabulary.js';
import { buildEnvironment } from '../../exec/environment.js';
import { makeFolder } from '../../exec/files/make-folder.js';
import { ServerFailedError, StdioServer } from '../../kinds/conversation/mcp-client/stdio-server.js';
import { fillVariables, serverConfigSchema } from '../../kinds/conversation/plugins/plugin.js';
import { knownSecrets } from '../../lane/secrets.js';
import { ToolError } from '../errors.js';
import type { Harness } from '../harness.js';
import type { RegisteredPlugin } from '../plugins/registry.js';
import { defineTool, pageShape, type Tool, takePage } from '../tool.js';

export const mcpServerTools: readonly Tool[] = [
  defineTool({
    name: 'start_mcp_server',
    description: 'Starts an MCP server on stdio from a .mcp.json entry and does the handshake.',
    input: z.object({
      server_name: z.string().trim().min(1).max(100),
      server_config: serverConfigSchema.meta({
        description: 'An entry as in .mcp.json: {command, args, env}',
        // Clients that turn text into JSON look for the type here.
        type: 'object',
      }),
      plugin_name: z
        .string()
        .optional()
        .describe(
          'The installed plugin that ${CLAUDE_PLUGIN_ROOT} stands for. Default: the one that has a server of this name',
        ),
    }),
    output: z.object({
      status: z.literal('success'),
      server_id: z.string(),
      server_name: z.string(),
      port: z.number().nullable(),
      pid: z.number().nullable(),
      details: z.string(),
    }),
    run: async ({ server_name, server_config, plugin_name }, harness, { signal }) => {
      if ('url' in server_config) {
        throw new ToolError(
          'UnsupportedError',
          `start_mcp_server starts programs: expected {"command": …}, found a server of type ${server_config.type}.`,
          'A server with a URL is already running and does not need to be started.',
        );
      }
      const { env: base, passEnv, marks } = harness.lane;
      const asksForRoot = JSON.stringify(server_config).includes('${CLAUDE_PLUGIN_ROOT');
      const plugin = asksForRoot ? findOwner(harness, server_name, plugin_name) : null;
      const places = {
        CLAUDE_PROJECT_DIR: harness.paths.root,
        ...(plugin === null ? {} : { CLAUDE_PLUGIN_ROOT: plugin.path }),
      };
      const fill = (text: string) => fillVariables(text, { ...base, ...places });
      const own = Object.entries(server_config.env).map(([name, value]) => [name, fill(value)]);
      const artifacts = harness.scratch('servers');
      await makeFolder(artifacts);
      const extra = { ...marks, ...Object.fromEntries(own) };
      const env = buildEnvironment({ base, pass: passEnv, extra });
      const server = await StdioServer.start({
        command: fill(server_config.command),
        args: server_config.args.map(fill),
        cwd: harness.paths.root,
        env,
        artifacts,
        secrets: await knownSecrets({ base, passed: passEnv }, env),
        signal,
        sandbox: await harness.sandboxes.open({
          cwd: harness.paths.root,
          readable: plugin === null ? [] : [plugin.path],
        }),
      });
      const server_id = `mcp_${server_name.replace(/\W+/g, '_')}_${randomBytes(4).toString('hex')}`;
      harness.servers.set(server_id, server);
      const pid = await server.pid;
      const details = `${server_name} is running and speaks MCP on stdio`;
      return { status: 'success' as const, server_id, server_name, port: null, pid, details };
    },
  }),

  defineTool({
    name: 'stop_mcp_server',
    description: 'Ends an MCP server and all processes that it started.',
    input: z.object({ server_id: z.string() }),
    output: z.object({
      status: z.boolean(),
      stopped: z.boolean(),
      cleaned: z.boolean().describe('Whether everything that it started has ended too'),
      server_id: z.string(),
    }),
    run: async ({ server_id }, harness) => {
      const server = findServer(harness, server_id);
      const cleaned = await server.stop();
      harness.servers.delete(server_id);
      const stopped = server.ended !== null;
      return { status: stopped, stopped, cleaned, server_id };
    },
  }),

  defineTool({
    name: 'verify_mcp_communication',
    description: 'Asks an MCP server for its tools and measures how long it takes.',
    input: z.object({ server_id: z.string(), ...pageShape }),
    output: z.object({
      status: z.enum(['success', 'error']),
      responding: z.boolean(),
      latency_ms: z.number().nullable(),
      tools_available: z.number(),
      tool_names: z.array(z.string()),
      server_id: z.string(),
      error: z.string().nullable(),
    }),
    run: async ({ server_id, ...page }, harness) => {
      const server = findServer(harness, server_id);
      const startedAt = performance.now();
      try {
        const names = await server.listTools();
        const latency_ms = performance.now() - startedAt;
        const tools = { tools_available: names.length, tool_names: takePage(names, page) };
        return { status: 'success' as const, responding: true, latency_ms, ...tools, server_id, error: null };
      } catch (error) {
        if (!(error instanceof ServerFailedError)) throw error;
        const none = { latency_ms: null, tools_available: 0, tool_names: [] };
        return { status: 'error' as const, responding: false, ...none, server_id, error: error.message };
      }
    },
  }),

  defineTool({
    name: 'mock_mcp_tool_response',
    description:
      'Offers an MCP tool mcp__mocks__<tool_name> with a fixed answer to every conversation that starts after this call. Another call changes the answer at once.',
    input: z.object({
      tool_name: z.string().regex(/^[\w-]{1,64}$/, 'expected a plain name of at most 64 characters'),
      mock_response: z.record(z.string(), z.unknown()),
    }),
    output: z.object({
      status: z.literal('success'),
      mock_registered: z.boolean(),
      tool_name: z.string(),
      offered_as: z.string(),
      details: z.string(),
    }),
    run: async ({ tool_name, mock_response }, harness) => {
      if (LANE_TRAITS[harness.options.lane].standIns) {
        throw new ToolError(
          'UnsupportedError',
          'The stand-in for claude does not support MCP servers, so nothing could call a mocked tool.',
          'Start the server with --lane scripted: it uses the real Claude Code and is also free.',
        );
      }
      await harness.mocks.register(tool_name, mock_response);
      return {
        status: 'success' as const,
        mock_registered: true,
        tool_name,
        offered_as: `mcp__mocks__${tool_name}`,
        details: 'Conversations that start from now on have this tool.',
      };
    },
  }),
];

/** Finds the plugin that a server belongs to. */
function findOwner({ plugins }: Harness, server: string, name: string | undefined): RegisteredPlugin {
  if (name !== undefined) return plugins.get(name);
  const owners = plugins.installed.filter(({ status }) => Object.hasOwn(status.plugin.servers, server));
  const [owner] = owners;
  if (owner !== undefined && owners.length === 1) return owner;
  throw new ToolError(
    'InvalidInputError',
    `server_config mentions \${CLAUDE_PLUGIN_ROOT}: expected one installed plugin with a server ${JSON.stringify(server)}, found ${owners.map((found) => found.name).join(', ') || 'none'}.`,
    'Install the plugin first, or name it with plugin_name.',
  );
}

function findServer(harness: Harness, id: string): StdioServer {
  const server = harness.servers.get(id);
  if (server !== undefined) return server;
  throw new ToolError(
    'ServerNotFoundError',
    `Expected the server_id of a running MCP server, found ${JSON.stringify(id.slice(0, 100))}.`,
    `Running servers: ${[...harness.servers.keys()].join(', ') || 'none'}.`,
  );
}
