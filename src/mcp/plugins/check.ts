import type { SessionInit } from '../../backends/claude/stream.js';
import { KnownError } from '../../domain/common/known-error.js';
import type { HookRun } from '../../domain/evidence/conversation.js';
import { LANE_TRAITS } from '../../domain/vocabulary.js';
import type { Sandbox } from '../../isolation/launch.js';
import { pollServers, type ReportedServer } from '../../kinds/conversation/claude/control.js';
import { ClaudeSession } from '../../kinds/conversation/claude/session.js';
import {
  listInstalled,
  type PluginCli,
  validatePlugin,
} from '../../kinds/conversation/plugins/claude-plugins.js';
import type { Plugin } from '../../kinds/conversation/plugins/plugin.js';
import {
  type PreparedAgent,
  prepareSession,
  sessionMarker,
} from '../../kinds/conversation/session/prepare.js';
import { PROBE_TOOLS } from '../prepare-claude.js';
import type { InstallMode } from './locate.js';

/** The status of a plugin: what is in its folder, what Claude Code loaded, and what is wrong. */
export interface PluginStatus {
  readonly plugin: Plugin;
  /** Empty if it is loaded as it should be. */
  readonly problems: readonly string[];
  /** Whether Claude Code has it among its plugins, whatever else is wrong. */
  readonly isActive: boolean;
  /** Names that Claude Code itself lists. */
  readonly activeAgents: readonly string[];
  /** Its commands and skills, which both are called with a slash. */
  readonly activeCommands: readonly string[];
  readonly activeSkills: readonly string[];
  /** Other names of commands and skills. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly servers: readonly ReportedServer[];
}

/** The Claude Code that is asked, and where it runs. */
interface Asked {
  readonly laneSetup: PreparedAgent;
  readonly cwd: string;
  readonly artifacts: string;
  /** Where its hooks and servers run; undefined on the host. */
  readonly sandbox: Sandbox | undefined;
}

/** Checks a plugin in every way: its files, `plugin validate`, `plugin list`, and a conversation that loads it. */
export async function judgePlugin(plugin: Plugin, mode: InstallMode, asked: Asked): Promise<PluginStatus> {
  const { laneSetup, cwd } = asked;
  const cli = { executable: laneSetup.executable, env: laneSetup.env, cwd };
  const { standIns } = LANE_TRAITS[laneSetup.lane];
  const objections = standIns ? judgeFiles(plugin).problems : await validatePlugin(cli, plugin.path);
  const listed = standIns || mode === 'plugin-dir' ? [] : await listProblems(cli, plugin.name);
  // Claude Code loads an installed plugin by itself, and cannot load it twice in one conversation.
  const probed = await probePlugin(asked, mode === 'plugin-dir' ? [plugin.path] : []);
  const problems = [...new Set([...objections, ...listed, ...probeProblems(plugin, probed)])];
  const own = (name: string) => name.startsWith(`${plugin.name}:`);
  return {
    plugin,
    problems,
    isActive: probed.init?.plugins.some(({ name }) => name === plugin.name) ?? false,
    activeAgents: (probed.init?.agents ?? []).filter(own),
    activeCommands: (probed.init?.slash_commands ?? []).filter(own),
    activeSkills: (probed.init?.skills ?? []).filter(own),
    aliases: probed.aliases,
    servers: probed.servers.filter(({ name }) => name.startsWith(`plugin:${plugin.name}:`)),
  };
}

/**
 * Whether a conversation with the stand-in, which reads the files as we do, would tell nothing more: no hook or server
 * runs, and no declared name can be one of Claude Code's own commands.
 */
export function isPlainText({ hooks, servers, commands, skills }: Plugin): boolean {
  const declaresNames = [...commands, ...skills].some(({ aliases }) => aliases.length > 0);
  return hooks.length === 0 && Object.keys(servers).length === 0 && !declaresNames;
}

/** Judges a plugin by its files alone. */
export function judgeFiles(plugin: Plugin): PluginStatus {
  const { isLoadable, agents, commands, skills, problems } = plugin;
  const listed = [...commands, ...skills].filter(({ isListed }) => isListed);
  return {
    plugin,
    problems: problems.map((problem) =>
      problem.startsWith('path-not-found:') ? problem : `${problem}. ${ASK_CLAUDE_CODE}`,
    ),
    isActive: isLoadable,
    activeAgents: agents.map((agent) => agent.name),
    activeCommands: listed.map((part) => part.name),
    activeSkills: [...commands, ...skills]
      .filter(({ isListedSkill }) => isListedSkill)
      .map((part) => part.name),
    aliases: new Map(),
    servers: [],
  };
}

const ASK_CLAUDE_CODE = 'Run with --lane scripted to see what Claude Code itself says.';

async function listProblems(cli: PluginCli, name: string): Promise<string[]> {
  const installed = (await listInstalled(cli)).find(({ id }) => id.startsWith(`${name}@`));
  if (installed === undefined) return ['Claude Code does not list it as installed'];
  return installed.enabled ? installed.errors : [...installed.errors, 'it is installed but disabled'];
}

/** Finds problems in what Claude Code reported: a broken plugin never makes the process fail. */
function probeProblems(plugin: Plugin, { init, servers, hooks, failure }: ProbedPlugin): string[] {
  if (failure !== null) return [`Claude Code did not get ready with it: ${failure}`];
  const errors = (init?.plugin_errors ?? []).map(({ type, message }) => `${type}: ${message}`);
  const loaded = init?.plugins.some(({ name }) => name === plugin.name) ?? false;
  const ours = servers.filter(({ name }) => name.startsWith(`plugin:${plugin.name}:`));
  const dead = ours.filter(({ status }) => status === 'failed');
  const late = ours.filter(({ status }) => status === 'pending');
  // Exit code 2 is a decision. Any other code except 0 is a failure. What a hook makes of a tool call is no part of it.
  const failing = hooks.filter(
    ({ event, exitCode }) => !/ToolUse/.test(event) && exitCode !== null && exitCode !== 0 && exitCode !== 2,
  );
  return [
    ...errors,
    ...(loaded || errors.length > 0 ? [] : ['Claude Code did not load it']),
    ...dead.map(({ name, error = 'no reason given' }) => `MCP server ${name} failed: ${error}`),
    ...late.map(({ name }) => `MCP server ${name} is still starting after ${SERVERS_SECONDS} s`),
    ...failing.map(
      ({ name, exitCode, stderr }) => `hook ${name} failed: exit code ${exitCode}: ${stderr.trim()}`,
    ),
  ];
}

/** What Claude Code itself reports after it has loaded a plugin. */
interface ProbedPlugin {
  readonly init: SessionInit | null;
  /** Every name that a command answers to, by the name in Claude Code's list. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly servers: readonly ReportedServer[];
  readonly hooks: readonly HookRun[];
  /** Why Claude Code could not be asked, or null. */
  readonly failure: string | null;
}

const NOTHING_PROBED = { init: null, aliases: new Map(), servers: [], hooks: [] };
const SESSION_SECONDS = 120;
const TURN_SECONDS = 30;
/** How long a server may take to start. */
const SERVERS_SECONDS = 15;

/** Loads plugins in a separate conversation and asks Claude Code about them. Uses no model. */
async function probePlugin(
  { laneSetup, ...place }: Asked,
  pluginDirs: readonly string[],
): Promise<ProbedPlugin> {
  let session: ClaudeSession | null = null;
  try {
    const options = prepareSession({
      ...place,
      backend: 'claude',
      laneSetup,
      executable: laneSetup.executable,
      pluginDirs,
      permissionMode: 'acceptEdits',
      allowedTools: PROBE_TOOLS,
      sessionTimeoutSeconds: SESSION_SECONDS,
      marker: sessionMarker(place.artifacts),
    });
    session = await ClaudeSession.open(options);
    await session.begin();
    // The first turn reports what was loaded and what was not.
    const turn = await session.send('Are you ready?', TURN_SECONDS);
    if (turn.outcome.kind === 'timed-out') {
      const running = turn.hooks.map(({ name }) => name).join(', ') || 'none';
      const failure = `the first turn did not end within ${TURN_SECONDS} s, so we ended it. Hooks that ended: ${running}. Look for one that hangs`;
      return { ...NOTHING_PROBED, init: session.init, hooks: turn.hooks, failure };
    }
    return {
      init: session.init,
      aliases: new Map(session.commands.map(({ name, aliases = [] }) => [name, aliases])),
      servers: await pollServers(session, SERVERS_SECONDS),
      hooks: turn.hooks,
      failure: session.init === null ? `it did not report its plugins: ${turn.outcome.kind}` : null,
    };
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    return { ...NOTHING_PROBED, failure: error.message };
  } finally {
    await session?.end();
  }
}
