import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowDefinition } from '../domain/scenario/workflow.js';
import { LANE_TRAITS } from '../domain/vocabulary.js';
import { makeFolder } from '../exec/files/make-folder.js';
import type { ManagedSession } from '../kinds/conversation/session/managed-session.js';
import { prepareSession, sessionMarker } from '../kinds/conversation/session/prepare.js';
import { agentLoop } from '../kinds/conversation/workflows/agent-loop.js';
import { epti } from '../kinds/conversation/workflows/epti.js';
import { visualIteration } from '../kinds/conversation/workflows/visual-iteration.js';
import { removeTree } from '../workspace/remove-tree.js';
import { layOutConversation } from './bench.js';
import { ToolError } from './errors.js';
import type { Laboratory } from './laboratory.js';
import type { ShelvedPlugin } from './plugins/shelf.js';

/** What a caller may say about a new conversation. */
export interface ConversationRequest {
  readonly agentMode: string | null;
  readonly workingDirectory: string | null;
  /** Names; null for every plugin that is installed. */
  readonly plugins: readonly string[] | null;
  readonly contextFiles: readonly string[];
  readonly script: string | null;
}

/** A file that the agent has before it from the first turn on. */
interface ContextFile {
  readonly path: string;
  readonly text: string;
}

/** The workflows that we know, by the plugin that brings them. */
export const WORKFLOWS: readonly WorkflowDefinition[] = [agentLoop, epti, visualIteration];

const SESSION_SECONDS = 4 * 3600;
/** One argument of a command line holds 128 KiB on Linux. */
const MAX_CONTEXT_BYTES = 100_000;

/** Starts a conversation: its own home, its own model, the plugins that were asked for. */
export async function startConversation(
  laboratory: Laboratory,
  request: ConversationRequest,
): Promise<ManagedSession> {
  const { options } = laboratory;
  const plugins = choosePlugins(laboratory, request.plugins);
  const contextFiles = await readContext(laboratory, request);
  const cwd = await openFolder(laboratory, request.workingDirectory);
  const script =
    request.script === null ? null : await laboratory.paths.existing(request.script, 'config.script', 'file');
  const folder = laboratory.scratch('sessions');
  const artifacts = join(folder, 'artifacts');
  await makeFolder(artifacts);
  const home = join(folder, 'home');
  const installed = plugins.filter(({ mode }) => mode === 'marketplace');
  refuseLostLogin(laboratory, installed);
  const mockArgs = await laboratory.mocks.sessionArgs();
  const bench = await layOutConversation(options, { home, artifacts }, script);
  const session = await laboratory.sessions.start({
    ...prepareSession({
      backend: 'claude',
      bench,
      executable: bench.executable,
      cwd,
      artifacts,
      pluginDirs: plugins.filter(({ mode }) => mode === 'plugin-dir').map(({ path }) => path),
      configFolder: installed.length === 0 ? undefined : laboratory.plugins.configFolder,
      settings: enableInstalled(laboratory, installed),
      agent: request.agentMode ?? undefined,
      model: options.model,
      allowedTools: [...options.allowedTools, ...plugins.flatMap(ownTools), ...laboratory.mocks.allowed],
      args: [...mockArgs, ...contextArgs(contextFiles)],
      sessionTimeoutSeconds: SESSION_SECONDS,
      marker: sessionMarker(folder),
      signal: options.signal,
    }),
    workflows: plugins.flatMap(({ name }) => WORKFLOWS.filter((workflow) => workflow.name === name)),
    release: async () => {
      await bench.close();
      await removeTree(home);
    },
  });
  laboratory.facts.set(session.id, { agentMode: request.agentMode, plugins });
  return session;
}

function choosePlugins(laboratory: Laboratory, names: readonly string[] | null): readonly ShelvedPlugin[] {
  if (names === null) return laboratory.plugins.installed;
  return names.map((name) => {
    const plugin = laboratory.plugins.get(name);
    if (plugin.installed) return plugin;
    throw new ToolError(
      'PluginNotFoundError',
      `${name} is not installed any more.`,
      'Install it again first.',
    );
  });
}

async function openFolder(laboratory: Laboratory, asked: string | null): Promise<string> {
  if (asked !== null) return laboratory.paths.existing(asked, 'config.working_directory', 'folder');
  const folder = await laboratory.keep('workspaces', randomUUID());
  await makeFolder(folder);
  return folder;
}

async function readContext(
  laboratory: Laboratory,
  { contextFiles }: ConversationRequest,
): Promise<readonly ContextFile[]> {
  const files: ContextFile[] = [];
  for (const path of contextFiles) {
    const real = await laboratory.paths.existing(path, 'config.context_files', 'file');
    files.push({ path: real, text: await readFile(real, 'utf8') });
  }
  const size = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (size <= MAX_CONTEXT_BYTES) return files;
  throw new ToolError(
    'InvalidInputError',
    `config.context_files: expected at most ${MAX_CONTEXT_BYTES} bytes in all, found ${size}.`,
  );
}

function contextArgs(files: readonly ContextFile[]): string[] {
  if (files.length === 0) return [];
  const texts = files.map(({ path, text }) => `<file path=${JSON.stringify(path)}>\n${text}\n</file>`);
  return ['--append-system-prompt', `Files of the context:\n${texts.join('\n')}`];
}

/** The tools of a plugin's own MCP servers, which nobody is there to allow. */
function ownTools({ name, status }: ShelvedPlugin): string[] {
  return Object.keys(status.plugin.servers).map((server) => `mcp__plugin_${plain(name)}_${plain(server)}`);
}

function plain(name: string): string {
  return name.replace(/[^\w-]/g, '_');
}

/** The configuration folder holds the plugins of every conversation: this one has those that were asked for. */
function enableInstalled(
  laboratory: Laboratory,
  installed: readonly ShelvedPlugin[],
): Readonly<Record<string, unknown>> {
  if (installed.length === 0) return {};
  const every = laboratory.plugins.installed.filter(({ mode }) => mode === 'marketplace');
  return {
    enabledPlugins: Object.fromEntries(every.map((plugin) => [plugin.id, installed.includes(plugin)])),
  };
}

/** A configuration folder of our own has no login in it: a key in the environment has to do. */
function refuseLostLogin({ options }: Laboratory, installed: readonly ShelvedPlugin[]): void {
  const names = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];
  const key = names.some((name) => (options.env[name] ?? '') !== '');
  if (!LANE_TRAITS[options.lane].asUser || installed.length === 0 || key) return;
  throw new ToolError(
    'BackendAuthError',
    'Plugins that are really installed live in a configuration folder of our own, in which you are not logged in.',
    `Set ${names.join(' or ')}, or install them with mode "plugin-dir".`,
  );
}
