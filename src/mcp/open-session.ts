import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowDefinition } from '../domain/scenario/workflow.js';
import { makeFolder } from '../exec/files/make-folder.js';
import { HOOK_LOG_VARIABLE } from '../kinds/conversation/hook-log.js';
import type { ManagedSession } from '../kinds/conversation/session/managed-session.js';
import { agentLoop } from '../kinds/conversation/workflows/agent-loop.js';
import { epti } from '../kinds/conversation/workflows/epti.js';
import { visualIteration } from '../kinds/conversation/workflows/visual-iteration.js';
import { listParentMemoryPatterns } from '../workspace/claude-isolation.js';
import { removeTree } from '../workspace/remove-tree.js';
import { ToolError } from './errors.js';
import type { Laboratory } from './laboratory.js';
import type { ShelvedPlugin } from './plugins/shelf.js';
import { type Stage, setStage } from './stage.js';

/** What a caller may say about a new conversation. */
export interface SessionRequest {
  readonly agentMode: string | null;
  readonly workingDirectory: string | null;
  /** Names; null for every plugin that is installed. */
  readonly plugins: readonly string[] | null;
  readonly contextFiles: readonly string[];
  readonly script: string | null;
}

/** What the server knows of a session besides its conversation. */
export interface SessionFacts {
  readonly agentMode: string | null;
  readonly plugins: readonly ShelvedPlugin[];
  readonly contextFiles: readonly { readonly path: string; readonly text: string }[];
  readonly stage: Stage;
}

/** The workflows that we know, by the plugin that brings them. */
export const WORKFLOWS: readonly WorkflowDefinition[] = [agentLoop, epti, visualIteration];

const SESSION_SECONDS = 4 * 3600;
/** One argument of a command line holds 128 KiB on Linux. */
const MAX_CONTEXT_BYTES = 100_000;

/** Starts a conversation: its own home, its own model, the plugins that were asked for. */
export async function openSession(laboratory: Laboratory, request: SessionRequest): Promise<ManagedSession> {
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
  const stage = await setStage(options, { home, artifacts }, script);
  const session = await laboratory.sessions.start({
    executable: stage.executable,
    cwd,
    env: {
      ...stage.env,
      [HOOK_LOG_VARIABLE]: join(artifacts, 'hook-log.jsonl'),
      ...(installed.length === 0 ? {} : { CLAUDE_CONFIG_DIR: laboratory.plugins.configFolder }),
    },
    artifacts,
    pluginDirs: plugins.filter(({ mode }) => mode === 'plugin-dir').map(({ path }) => path),
    permissionMode: 'acceptEdits',
    allowedTools: [...options.allowedTools, ...plugins.flatMap(ownTools), ...laboratory.mocks.allowed],
    args: [
      ...(request.agentMode === null ? [] : ['--agent', request.agentMode]),
      ...(options.model === null ? [] : ['--model', options.model]),
      ...settingsArgs(laboratory, cwd, installed),
      ...mockArgs,
      ...contextArgs(contextFiles),
    ],
    sessionTimeoutSeconds: SESSION_SECONDS,
    marker: { name: 'RALPH_E2E_SESSION', value: folder },
    secrets: stage.secrets,
    signal: options.signal,
    workflows: plugins.flatMap(({ name }) => WORKFLOWS.filter((workflow) => workflow.name === name)),
    release: async () => {
      await stage.close();
      await removeTree(home);
    },
  });
  laboratory.facts.set(session.id, { agentMode: request.agentMode, plugins, contextFiles, stage });
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

async function readContext(laboratory: Laboratory, { contextFiles }: SessionRequest) {
  const files: { path: string; text: string }[] = [];
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

/** Files that the agent has before it, from the first turn on. */
function contextArgs(files: SessionFacts['contextFiles']): string[] {
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

/** Keeps instructions of the folders above out, and of the user's own settings what is not part of the test. */
function settingsArgs(laboratory: Laboratory, cwd: string, installed: readonly ShelvedPlugin[]): string[] {
  const every = laboratory.plugins.installed.filter(({ mode }) => mode === 'marketplace');
  const enabledPlugins = Object.fromEntries(every.map((plugin) => [plugin.id, installed.includes(plugin)]));
  const settings = {
    claudeMdExcludes: listParentMemoryPatterns(cwd),
    autoMemoryEnabled: false,
    ...(installed.length === 0 ? {} : { enabledPlugins }),
  };
  const ownHome = laboratory.options.lane !== 'live' || installed.length > 0;
  return ['--settings', JSON.stringify(settings), ...(ownHome ? [] : ['--setting-sources', 'project,local'])];
}

/** A configuration folder of our own has no login in it: a key in the environment has to do. */
function refuseLostLogin({ options }: Laboratory, installed: readonly ShelvedPlugin[]): void {
  const names = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];
  const key = names.some((name) => (options.env[name] ?? '') !== '');
  if (options.lane !== 'live' || installed.length === 0 || key) return;
  throw new ToolError(
    'BackendAuthError',
    'Plugins that are really installed live in a configuration folder of our own, in which you are not logged in.',
    `Set ${names.join(' or ')}, or install them with mode "plugin-dir".`,
  );
}
