import type { PluginPart } from '../../kinds/conversation/plugins/plugin.js';
import type { ProbedServer } from './probe.js';
import type { ShelvedPlugin } from './shelf.js';

const MANIFEST = '.claude-plugin/plugin.json';

/** Lists the parts of a plugin: those that Claude Code reports, then those of its files that Claude Code does not have. */
export function listParts({ installed, status }: ShelvedPlugin) {
  const { plugin, isActive, activeAgents, activeCommands, activeSkills, aliases } = status;
  const slash = [...plugin.commands, ...plugin.skills];
  const toSlash = (name: string, part: PluginPart | undefined, available: boolean) => ({
    name,
    aliases: [...(aliases.get(name) ?? part?.aliases ?? [])],
    // Some manifests contain the text of a command.
    file: part === undefined ? '' : part.file || MANIFEST,
    available: installed && available,
  });
  const reported = activeCommands.map((name) =>
    toSlash(
      name,
      slash.find((part) => part.name === name),
      true,
    ),
  );
  const missing = (parts: readonly PluginPart[]) =>
    parts
      .filter(({ name, isListed }) => isListed && !activeCommands.includes(name))
      .map((part) => toSlash(part.name, part, false));
  return {
    agents: [
      ...activeAgents.map((name) => ({
        name,
        file: plugin.agents.find((agent) => agent.name === name)?.file ?? '',
        active: installed,
      })),
      ...plugin.agents
        .filter(({ name }) => !activeAgents.includes(name))
        .map(({ name, file }) => ({ name, file, active: false })),
    ],
    commands: [...reported.filter(({ name }) => !activeSkills.includes(name)), ...missing(plugin.commands)],
    skills: [...reported.filter(({ name }) => activeSkills.includes(name)), ...missing(plugin.skills)],
    hooks: plugin.hooks.map(({ name, event, handler }) => ({
      name,
      event,
      handler,
      active: installed && isActive,
    })),
  };
}

/** Counts the parts of a plugin that Claude Code has. */
export function countParts(shelved: ShelvedPlugin) {
  const { agents, commands, skills, hooks } = listParts(shelved);
  const there = (parts: readonly { readonly available: boolean }[]) =>
    parts.filter(({ available }) => available).length;
  const active = (parts: readonly { readonly active: boolean }[]) =>
    parts.filter((part) => part.active).length;
  return {
    agents: active(agents),
    commands: there(commands),
    skills: there(skills),
    hooks: active(hooks),
    mcp_servers: shelved.status.servers.length,
  };
}

/** Lists the MCP servers of a plugin by their own names. */
export function listServers(
  { installed, status: { plugin } }: ShelvedPlugin,
  probed: readonly ProbedServer[],
) {
  const prefix = `plugin:${plugin.name}:`;
  const names = new Set([
    ...probed.map(({ name }) => name.slice(prefix.length)),
    ...Object.keys(plugin.servers),
  ]);
  return [...names].map((name) => {
    const known = probed.find((server) => server.name === `${prefix}${name}`);
    return {
      name,
      status: installed ? (known?.status ?? 'unknown') : 'stopped',
      error: known?.error ?? null,
    };
  });
}
