import { dirname, join } from 'node:path';
import { type ExpandedCommand, expandCommandText } from '../../backends/claude/expand-command.js';
import type { ReportedServer } from '../../kinds/conversation/claude/control.js';
import type { PluginPart } from '../../kinds/conversation/plugins/plugin.js';
import type { Harness } from '../harness.js';
import type { ManagedSession } from '../sessions.js';
import type { RegisteredPlugin } from './registry.js';

const MANIFEST = '.claude-plugin/plugin.json';

/** Lists the parts of a plugin: those that Claude Code reports, then those of its files that Claude Code does not have. */
export function listParts({ installed, status }: RegisteredPlugin) {
  const { plugin, isActive, activeAgents, activeCommands, activeSkills, aliases } = status;
  const declared = [...plugin.commands, ...plugin.skills].filter(({ isListed }) => isListed);
  const toSlash = (name: string) => {
    const part = [...plugin.commands, ...plugin.skills].find((known) => known.name === name);
    return {
      name,
      aliases: [...(aliases.get(name) ?? part?.aliases ?? [])],
      // Some manifests contain the text of a command.
      file: part === undefined ? '' : part.file || MANIFEST,
      available: installed && activeCommands.includes(name),
    };
  };
  const slash = unique([...activeCommands, ...declared.map(({ name }) => name)]);
  const isSkill = (name: string) =>
    (activeCommands.includes(name) ? activeSkills : plugin.skills.map((skill) => skill.name)).includes(name);
  return {
    agents: unique([...activeAgents, ...plugin.agents.map(({ name }) => name)]).map((name) => ({
      name,
      file: plugin.agents.find((agent) => agent.name === name)?.file ?? '',
      active: installed && activeAgents.includes(name),
    })),
    commands: slash.filter((name) => !isSkill(name)).map(toSlash),
    skills: slash.filter(isSkill).map(toSlash),
    hooks: plugin.hooks.map(({ name, event, handler }) => ({
      ...{ name, event, handler },
      active: installed && isActive,
    })),
  };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

/** Counts the parts of a plugin that Claude Code has. */
export function countParts(registered: RegisteredPlugin) {
  const { agents, commands, skills, hooks } = listParts(registered);
  return {
    agents: agents.filter(({ active }) => active).length,
    commands: commands.filter(({ available }) => available).length,
    skills: skills.filter(({ available }) => available).length,
    hooks: hooks.filter(({ active }) => active).length,
    mcp_servers: registered.status.servers.length,
  };
}

/** Lists the MCP servers of a plugin by their own names. */
export function listServers(
  { installed, status: { plugin } }: RegisteredPlugin,
  probed: readonly ReportedServer[],
) {
  const prefix = `plugin:${plugin.name}:`;
  const reported = probed.map(({ name }) => name.slice(prefix.length));
  return unique([...reported, ...Object.keys(plugin.servers)]).map((name) => {
    const known = probed.find((server) => server.name === `${prefix}${name}`);
    return {
      name,
      status: installed ? (known?.status ?? 'unknown') : 'stopped',
      error: known?.error ?? null,
    };
  });
}

/** A slash command that Claude Code reports, or that a plugin has. */
interface KnownCommand {
  /** The name in Claude Code's list, without its slash. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly plugin: string | null;
  readonly description: string;
  /** Null if no file has it: it is Claude Code's own, or its plugin's manifest contains it. */
  readonly file: string | null;
  readonly available: boolean;
  /** Null if it is not a command of an installed plugin. */
  readonly source: CommandSource | null;
}

/** Lists the commands of a conversation, or without one those of the installed plugins. */
export function listKnownCommands(harness: Harness, session: ManagedSession | null): readonly KnownCommand[] {
  const plugins = session === null ? harness.plugins.installed : session.options.plugins;
  const declared = plugins.flatMap((plugin): KnownCommand[] => {
    const { aliases, activeCommands } = plugin.status;
    const { commands, skills, path } = plugin.status.plugin;
    return [...commands, ...skills].map((part) => ({
      name: part.name,
      aliases: aliases.get(part.name) ?? part.aliases,
      plugin: plugin.name,
      description: part.description,
      file: part.file === '' ? null : join(path, part.file),
      available: activeCommands.includes(part.name),
      source: { plugin, part, isSkill: skills.includes(part) },
    }));
  });
  if (session === null) return declared;
  const offered = session.session.commands.map(({ name, aliases = [], description }): KnownCommand => {
    const own = declared.find((known) => known.name === name);
    return {
      name,
      aliases,
      plugin: own?.plugin ?? (name.includes(':') ? (name.split(':')[0] ?? null) : null),
      description,
      file: own?.file ?? null,
      available: true,
      source: own?.source ?? null,
    };
  });
  const missing = declared.filter((known) => !offered.some(({ name }) => name === known.name));
  return [...offered, ...missing.map((known) => ({ ...known, available: false }))];
}

/** Finds a command by any of its names. */
export function findKnownCommand(commands: readonly KnownCommand[], name: string): KnownCommand | undefined {
  return (
    commands.find((known) => known.name === name) ?? commands.find(({ aliases }) => aliases.includes(name))
  );
}

/** A command or skill of a plugin. */
interface CommandSource {
  readonly plugin: RegisteredPlugin;
  readonly part: PluginPart;
  readonly isSkill: boolean;
}

/** Expands a command as Claude Code does. `session` is null outside of a conversation. */
export async function expandSource(
  { plugins }: Harness,
  { plugin, part, isSkill }: CommandSource,
  args: string,
  session: ManagedSession | null,
): Promise<ExpandedCommand> {
  if (isSkill && plugin.mode === 'marketplace')
    return { text: null, unknown: 'an installed skill runs from a copy, and its folder is sent' };
  // Its files may have changed since it was installed.
  const { commands, skills } = await plugins.read(plugin);
  const now = [...commands, ...skills].find(({ name }) => name === part.name);
  if (now === undefined) return { text: null, unknown: 'the plugin no longer has it' };
  const skillFolder = isSkill ? dirname(join(plugin.path, now.file)) : null;
  const expanded = expandCommandText({ ...now, skillFolder }, args, {
    // An installed plugin runs from a copy.
    CLAUDE_PLUGIN_ROOT: plugin.mode === 'plugin-dir' ? plugin.path : null,
    CLAUDE_PLUGIN_DATA: null,
    CLAUDE_EFFORT: null,
    CLAUDE_PROJECT_DIR: session?.options.cwd ?? null,
    CLAUDE_SESSION_ID: session?.id ?? null,
  });
  if (expanded.text !== null || session !== null || !expanded.unknown.includes('${')) return expanded;
  return { text: null, unknown: `${expanded.unknown} without a session_id` };
}
