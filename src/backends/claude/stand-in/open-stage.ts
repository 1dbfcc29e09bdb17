import { join, resolve } from 'node:path';
import { randomUUID } from '../../../agent/engine/random-id.js';
import type { Actor } from '../../../agent/face/actor.js';
import type { Surroundings } from '../../../agent/face/surroundings.js';
import { isRefusedEvent } from '../plugins/not-played.js';
import { AUTO_MODE, type ClaudeArguments, PERMISSION_MODES, type PermissionMode } from './arguments.js';
import { VERSION } from './identity.js';
import { Inbox } from './inbox.js';
import { Ledger, resolveModel } from './ledger.js';
import { Output } from './output/output.js';
import { fitFile, wholeTools } from './permissions/rules.js';
import { readAdditions } from './plugins/commands.js';
import { readLink } from './plugins/paths.js';
import { StoredSession, sessionFolder } from './session.js';
import { configFolder, readSettings, type Settings } from './settings/settings.js';
import { readTrust } from './settings/trust.js';
import { IgnoredSettings, SettingsError } from './settings/values.js';
import type { ClaudeStage } from './stage.js';
import { offeredTools, switchedOff } from './tools/offer.js';
import { PlayedServers } from './tools/servers.js';
import { Tools } from './tools/tools.js';

/** Assembles what the turns of a call need. Arguments take precedence over the script's identity. */
export async function openStage(
  around: Surroundings,
  actor: Actor,
  args: ClaudeArguments,
  { id, resumed }: { readonly id: string; readonly resumed: boolean },
): Promise<ClaudeStage> {
  const { cwd, env, write } = around;
  const { identity, tools: scriptTools } = await actor.script();
  const config = configFolder(env);
  const settings = readSettings(cwd, config, {
    sources: args.settingSources,
    given: args.settings,
    trust: readTrust(cwd, env),
  });
  const unplayed = settings.hooks.find(({ event }) => isRefusedEvent(event));
  if (unplayed !== undefined) throw new IgnoredSettings(`a ${unplayed.event} hook in the settings`);
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
    args.persists,
  );
  const servers = new PlayedServers(additions.servers, { cwd, env: childEnv });
  const denied = [...args.disallowed, ...settings.deny];
  const disallowed = switchedOff(wholeTools(denied), servers.toolNames);
  const toolNames = offeredTools(disallowed, servers.toolNames);
  const home = env.HOME ?? '/';
  const folders = {
    cwd,
    // A link is no further folder: what is behind it is elsewhere.
    all: [
      cwd,
      ...[...args.addDirs, ...settings.directories]
        .map((path) => resolve(cwd, path))
        .filter((path) => readLink(path) === null),
    ],
  };
  const chosen = args.mode ?? toMode(settings.defaultMode);
  const modes = [args.mode, toMode(settings.defaultMode), toMode(identity?.permissionMode)];
  const mode = modes.find((wanted) => wanted !== undefined && !isDisabled(wanted, settings)) ?? 'default';
  const skips = chosen === 'bypassPermissions' || mode === 'bypassPermissions';
  if (skips && !mayRootSkip(around)) throw new SettingsError(REFUSES_ROOT);
  const tools = new Tools({
    ...{ folders, env: childEnv, script: scriptTools, available: toolNames, disallowed },
    ...{ skills: additions.plugged, session: session.id, servers },
    isHidden: (path) => fitFile(denied, 'Read', path, { cwd, home }).includes(true),
  });
  const output = new Output(write, args.outputFormat, args.verbose, session.id);
  const ledger = new Ledger();
  if (resumed) ledger.restore(session.readUsage());
  return {
    around,
    args,
    actor,
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
    ledger,
    tools,
    servers,
    toolNames,
    memory: join(config, 'ralph-e2e', 'calls.jsonl'),
    version: identity?.version ?? VERSION,
    loggedIn: actor.loggedIn && identity?.loggedIn !== false,
    resumed,
    inbox: new Inbox(env.RALPH_E2E_AGENT_RECEIVED),
    startContext: [],
    runningTool: null,
    mode,
    maySkipPermissions: args.skipsPermissions || skips,
    model: resolveModel(args.model ?? env.ANTHROPIC_MODEL ?? settings.model ?? identity?.model),
  };
}

function isDisabled(mode: PermissionMode, { bypassDisabled }: Settings): boolean {
  return bypassDisabled && mode === 'bypassPermissions';
}

/** Root skips permissions only in a sandbox. */
export function mayRootSkip({ isRoot, env }: Surroundings): boolean {
  return !isRoot || env.IS_SANDBOX === '1';
}

export const REFUSES_ROOT =
  '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons';

/** Other tools' scripts write mode names with dashes. */
function toMode(name: string | undefined): PermissionMode | undefined {
  if (name === 'manual') return 'default';
  const plain = name?.replaceAll('-', '').toLowerCase();
  if (plain === 'auto') throw new IgnoredSettings(AUTO_MODE);
  return PERMISSION_MODES.find((mode) => mode.toLowerCase() === plain);
}
