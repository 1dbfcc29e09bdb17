import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from '../../../agent/engine/random-id.js';
import type { Responder } from '../../../agent/stand-in/responder.js';
import type { Surroundings } from '../../../agent/stand-in/surroundings.js';
import { isRefusedEvent } from '../plugins/not-played.js';
import {
  type ClaudeArguments,
  notPlayed,
  PERMISSION_MODES,
  type PermissionMode,
  Refused,
} from './arguments.js';
import { resolveModel, TOOL_NAMES, VERSION } from './identity.js';
import { Output } from './output.js';
import { wholeTools } from './permissions.js';
import { type Additions, readAdditions } from './plugins/commands.js';
import type { HookSurroundings } from './plugins/hooks.js';
import type { WorkingFolders } from './plugins/paths.js';
import { StoredSession, sessionFolder } from './session.js';
import { configFolder, readSettings, type Settings } from './settings.js';
import { PlayedServers } from './tools/servers.js';
import { switchedOff, Tools } from './tools/tools.js';

/** Everything that a turn needs. Fields that a caller can change between turns are not readonly. */
export interface ClaudeCall {
  readonly around: Surroundings;
  readonly args: ClaudeArguments;
  readonly responder: Responder;
  readonly settings: Settings;
  readonly additions: Additions;
  readonly folders: WorkingFolders;
  readonly hooks: HookSurroundings;
  readonly output: Output;
  readonly session: StoredSession;
  readonly tools: Tools;
  readonly servers: PlayedServers;
  /** The tools that it reports. */
  readonly toolNames: readonly string[];
  /** The file that keeps conversations if the caller keeps no log. */
  readonly memory: string;
  readonly version: string;
  readonly loggedIn: boolean;
  readonly resumed: boolean;
  /** What the model receives with its next request. */
  readonly received: ReceivedTexts;
  /** What hooks said at the start of the session. */
  startContext: readonly string[];
  readonly mode: PermissionMode;
  readonly model: string;
}

/** The input that every hook receives. */
export function hookPayload(call: ClaudeCall, promptId: string | null): Readonly<Record<string, unknown>> {
  const { session, tools, mode } = call;
  return {
    session_id: session.id,
    transcript_path: session.path,
    cwd: tools.shellFolder,
    ...(promptId === null ? {} : { prompt_id: promptId, permission_mode: mode }),
  };
}

/** Assembles what the turns of a call need. Arguments take precedence over the script's identity. */
export async function openCall(
  around: Surroundings,
  responder: Responder,
  args: ClaudeArguments,
  { id, resumed }: { readonly id: string; readonly resumed: boolean },
): Promise<ClaudeCall> {
  const { cwd, env, write } = around;
  const { identity, tools: scriptTools } = await responder.script();
  const config = configFolder(env);
  const settings = readSettings(cwd, config, {
    sources: args.settingSources,
    given: args.settings,
  });
  const unplayed = settings.hooks.find(({ event }) => isRefusedEvent(event));
  if (unplayed !== undefined) throw notPlayed(`a ${unplayed.event} hook in the settings`);
  for (const warning of settings.warnings) write('stderr', `${warning}\n`);
  const childEnv = { ...env, ...settings.env };
  const additions = await readAdditions(cwd, config, {
    sources: args.settingSources,
    pluginDirs: args.pluginDirs,
  });
  const session = new StoredSession(
    sessionFolder(config, cwd),
    id === '' ? (identity?.sessionId ?? randomUUID()) : id,
    cwd,
  );
  const servers = new PlayedServers(additions.servers, { cwd, env: childEnv });
  const denied = [...args.disallowed, ...settings.deny];
  const disallowed = switchedOff(wholeTools(denied), servers.toolNames);
  const toolNames = [...TOOL_NAMES, ...servers.toolNames].filter((name) => !disallowed.includes(name));
  const folders = { cwd, all: [cwd] };
  const mode = args.mode ?? toMode(settings.defaultMode) ?? toMode(identity?.permissionMode) ?? 'default';
  requireSandbox(mode, around);
  const tools = new Tools({
    ...{ folders, env: childEnv, script: scriptTools, available: toolNames, disallowed },
    ...{ skills: additions.plugged, session: session.id, servers },
  });
  const output = new Output(write, args.outputFormat, session.id);
  return {
    around,
    args,
    responder,
    settings,
    additions,
    folders,
    hooks: {
      hooks: [...settings.hooks, ...additions.hooks],
      cwd,
      shell: tools,
      env: childEnv,
      output,
      shown: args.hookEvents,
    },
    output,
    session,
    tools,
    servers,
    toolNames,
    memory: join(config, 'ralph-e2e', 'calls.jsonl'),
    version: identity?.version ?? VERSION,
    loggedIn: responder.loggedIn && identity?.loggedIn !== false,
    resumed,
    received: new ReceivedTexts(env.RALPH_E2E_AGENT_RECEIVED),
    startContext: [],
    mode,
    model: resolveModel(args.model ?? env.ANTHROPIC_MODEL ?? settings.model ?? identity?.model),
  };
}

/** Root skips permissions only in a sandbox. */
export function requireSandbox(mode: PermissionMode | undefined, { isRoot, env }: Surroundings): void {
  if (mode !== 'bypassPermissions' || !isRoot || env.IS_SANDBOX === '1') return;
  throw new Refused(
    '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons',
  );
}

/** Other tools' scripts write mode names with dashes. */
function toMode(name: string | undefined): PermissionMode | undefined {
  if (name === 'manual') return 'default';
  const plain = name?.replaceAll('-', '').toLowerCase();
  // Its safety check runs on Anthropic's servers.
  if (plain === 'auto') throw notPlayed('the permission mode auto');
  return PERMISSION_MODES.find((mode) => mode.toLowerCase() === plain);
}

/** Collects what the model receives between two answers, and writes it to the file that the harness asks for. */
class ReceivedTexts {
  readonly #file: string | undefined;
  #texts: string[] = [];

  constructor(file: string | undefined) {
    this.#file = file;
  }

  put(...texts: readonly string[]): void {
    this.#texts.push(...texts.filter((text) => text !== ''));
  }

  /** Ends a request: the model answers now. */
  send(): void {
    const text = this.#texts.join('\n\n');
    this.#texts = [];
    if (this.#file === undefined) return;
    appendFileSync(this.#file, `${JSON.stringify({ at: new Date().toISOString(), text })}\n`);
  }
}
