import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { WorkflowDefinition } from '../domain/scenario/workflow.js';
import { LANE_TRAITS } from '../domain/vocabulary.js';
import { makeFolder } from '../exec/files/make-folder.js';
import { removeTree } from '../exec/files/remove-tree.js';
import { prepareSession, sessionMarker } from '../kinds/conversation/session/prepare.js';
import { agentLoop, epti, visualIteration } from '../kinds/conversation/workflows.js';
import { ToolError } from './errors.js';
import type { Harness } from './harness.js';
import type { RegisteredPlugin } from './plugins/registry.js';
import { layOutConversation } from './prepare-claude.js';
import type { ManagedSession } from './sessions.js';

/** What a caller can choose for a new conversation. */
export const conversationRequestSchema = z.strictObject({
  agent_mode: z.string().min(1).optional().describe('The agent that answers, for example "my-plugin:guide"'),
  working_directory: z
    .string()
    .optional()
    .describe('The project to work in, inside the root. Default: a new empty folder'),
  plugins: z.array(z.string()).optional().describe('Names of plugins. Default: all installed plugins'),
  context_files: z.array(z.string()).optional().describe('Files whose content the agent sees from the start'),
  script: z.string().optional().describe('The agent script for the offline lanes: a file inside the root'),
});
type ConversationRequest = z.output<typeof conversationRequestSchema>;

/** A file that the agent sees from the first turn on. */
interface ContextFile {
  readonly path: string;
  readonly text: string;
}

/** The known workflows. Each has the name of its plugin. */
export const WORKFLOWS: readonly WorkflowDefinition[] = [agentLoop, epti, visualIteration];

const SESSION_SECONDS = 4 * 3600;
/** Linux limits a single command-line argument to 128 KiB. */
const MAX_CONTEXT_BYTES = 100_000;

/** Starts a conversation with its own home, its own model and the requested plugins. */
export async function startConversation(
  harness: Harness,
  request: ConversationRequest,
): Promise<ManagedSession> {
  const { options } = harness;
  const plugins = choosePlugins(harness, request.plugins);
  const contextFiles = await readContext(harness, request.context_files ?? []);
  const cwd = await openFolder(harness, request.working_directory);
  const script =
    request.script === undefined
      ? null
      : await harness.paths.existing(request.script, 'config.script', 'file');
  const folder = harness.scratch('sessions');
  const artifacts = join(folder, 'artifacts');
  await makeFolder(artifacts);
  const home = join(folder, 'home');
  const installed = plugins.filter(({ mode }) => mode === 'marketplace');
  refuseLostLogin(harness, installed);
  const mocks = harness.mocks.forSession();
  const laneSetup = await layOutConversation(harness.lane, { home, artifacts }, script);
  const pluginDirs = plugins.filter(({ mode }) => mode === 'plugin-dir').map(({ path }) => path);
  const configFolder = installed.length === 0 ? undefined : harness.plugins.configFolder;
  const sandbox = await harness.sandboxes.openForClaude(laneSetup, artifacts, {
    ...{ cwd, home, folders: configFolder === undefined ? [] : [configFolder] },
    readable: [...pluginDirs, ...contextFiles.map(({ path }) => path), ...mocks.readable],
  });
  return harness.sessions.start({
    ...prepareSession({
      backend: 'claude',
      laneSetup,
      executable: laneSetup.executable,
      cwd,
      artifacts,
      pluginDirs,
      configFolder,
      settings: enableInstalled(harness, installed),
      agent: request.agent_mode,
      model: options.model,
      allowedTools: [...options.allowedTools, ...plugins.flatMap(ownTools), ...mocks.allowed],
      args: [...mocks.args, ...contextArgs(contextFiles)],
      sessionTimeoutSeconds: SESSION_SECONDS,
      marker: sessionMarker(folder),
      signal: options.signal,
      sandbox,
    }),
    agentMode: request.agent_mode ?? null,
    home,
    plugins,
    workflows: plugins.flatMap(({ name }) => WORKFLOWS.filter((workflow) => workflow.name === name)),
    release: async () => {
      await sandbox?.close();
      await laneSetup.close();
      await removeTree(home);
    },
  });
}

function choosePlugins(harness: Harness, names: readonly string[] | undefined): readonly RegisteredPlugin[] {
  if (names === undefined) return harness.plugins.installed;
  return names.map((name) => {
    const plugin = harness.plugins.get(name);
    if (plugin.installed) return plugin;
    throw new ToolError(
      'PluginNotFoundError',
      `The plugin ${name} is no longer installed.`,
      'Install it again with install_plugin.',
    );
  });
}

async function openFolder(harness: Harness, asked: string | undefined): Promise<string> {
  if (asked !== undefined) return harness.paths.existing(asked, 'config.working_directory', 'folder');
  const folder = await harness.keep('workspaces', randomUUID());
  await harness.workspaces.add(folder, () => makeFolder(folder));
  return folder;
}

async function readContext(harness: Harness, files: readonly string[]): Promise<readonly ContextFile[]> {
  const paths: string[] = [];
  let size = 0;
  for (const path of files) {
    const real = await harness.paths.existing(path, 'config.context_files', 'file');
    size += (await stat(real)).size;
    paths.push(real);
  }
  if (size <= MAX_CONTEXT_BYTES)
    return Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
  throw new ToolError(
    'InvalidInputError',
    `config.context_files: expected at most ${MAX_CONTEXT_BYTES} bytes in total, found ${size}.`,
  );
}

function contextArgs(files: readonly ContextFile[]): string[] {
  if (files.length === 0) return [];
  const texts = files.map(({ path, text }) => `<file path=${JSON.stringify(path)}>\n${text}\n</file>`);
  return ['--append-system-prompt', `Context files:\n${texts.join('\n')}`];
}

/** Lists the tools of a plugin's MCP servers, so that they are allowed: nobody is there to confirm them. */
function ownTools({ name, status }: RegisteredPlugin): string[] {
  return Object.keys(status.plugin.servers).map((server) => `mcp__plugin_${plain(name)}_${plain(server)}`);
}

function plain(name: string): string {
  return name.replace(/[^\w-]/g, '_');
}

/** Enables only the requested plugins: the configuration folder contains those of every conversation. */
function enableInstalled(
  harness: Harness,
  installed: readonly RegisteredPlugin[],
): Readonly<Record<string, unknown>> {
  if (installed.length === 0) return {};
  const every = harness.plugins.installed.filter(({ mode }) => mode === 'marketplace');
  return {
    enabledPlugins: Object.fromEntries(every.map((plugin) => [plugin.id, installed.includes(plugin)])),
  };
}

/** Requires a key in the environment: our own configuration folder contains no login. */
function refuseLostLogin({ options }: Harness, installed: readonly RegisteredPlugin[]): void {
  const names = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];
  const key = names.some((name) => (options.env[name] ?? '') !== '');
  if (!LANE_TRAITS[options.lane].asUser || installed.length === 0 || key) return;
  throw new ToolError(
    'BackendAuthError',
    'Marketplace plugins are installed into a separate configuration folder, where you are not logged in.',
    `Set ${names.join(' or ')}, or install the plugins with mode "plugin-dir".`,
  );
}
