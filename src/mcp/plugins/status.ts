import { LANE_TRAITS } from '../../domain/vocabulary.js';
import type { Cell } from '../../isolation/launch.js';
import { listInstalled, validatePlugin } from '../../kinds/conversation/plugins/claude-plugins.js';
import type { Plugin } from '../../kinds/conversation/plugins/plugin.js';
import type { ClaudeBench } from '../bench.js';
import { type ProbedPlugin, type ProbedServer, probePlugin, SERVERS_SECONDS } from './probe.js';

/** The status of a plugin: what is in its folder, what Claude Code loaded, and what is wrong. */
export interface PluginStatus {
  readonly state: 'loaded' | 'error';
  readonly plugin: Plugin;
  readonly problems: readonly string[];
  readonly version: string;
  /** Whether Claude Code has it among its plugins, whatever else is wrong. */
  readonly isActive: boolean;
  /** Names that Claude Code itself lists. */
  readonly activeAgents: readonly string[];
  /** Its commands and skills, which both are called with a slash. */
  readonly activeCommands: readonly string[];
  readonly activeSkills: readonly string[];
  /** Other names of commands and skills. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly servers: readonly ProbedServer[];
}

export interface JudgedPlugin {
  readonly plugin: Plugin;
  readonly mode: 'plugin-dir' | 'marketplace';
  readonly bench: ClaudeBench;
  readonly cwd: string;
  readonly artifacts: string;
  /** Where its hooks and servers run; undefined on the host. */
  readonly cell: Cell | undefined;
}

/** Checks a plugin in every way: its files, `plugin validate`, `plugin list`, and a conversation that loads it. */
export async function judgePlugin(judged: JudgedPlugin): Promise<PluginStatus> {
  const { plugin, mode, bench, cwd, artifacts, cell } = judged;
  const cli = { executable: bench.executable, env: bench.env, cwd };
  // The stand-in validates nothing, so use the problems that our own reader found.
  const { standIns } = LANE_TRAITS[bench.lane];
  const objections = standIns ? plugin.problems : await validatePlugin(cli, plugin.path);
  const listed = standIns || mode === 'plugin-dir' ? [] : await listProblems(cli, plugin.name);
  // Claude Code loads an installed plugin by itself, and cannot load it twice in one conversation.
  const probed = await probePlugin(
    bench,
    { cwd, artifacts, cell },
    mode === 'plugin-dir' ? [plugin.path] : [],
  );
  const problems = unique([...objections, ...listed, ...probeProblems(plugin, probed)]);
  const own = (name: string) => name.startsWith(`${plugin.name}:`);
  return {
    state: problems.length === 0 ? 'loaded' : 'error',
    plugin,
    problems,
    version: plugin.version ?? '',
    isActive: probed.init?.plugins.some(({ name }) => name === plugin.name) ?? false,
    activeAgents: (probed.init?.agents ?? []).filter(own),
    activeCommands: (probed.init?.slash_commands ?? []).filter(own),
    activeSkills: (probed.init?.skills ?? []).filter(own),
    aliases: probed.aliases,
    servers: probed.servers.filter(({ name }) => name.startsWith(`plugin:${plugin.name}:`)),
  };
}

async function listProblems(cli: Parameters<typeof listInstalled>[0], name: string): Promise<string[]> {
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

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
