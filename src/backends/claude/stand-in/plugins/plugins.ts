import { dirname, join } from 'node:path';
import { asMapping } from '../../../../agent/stand-in/json.js';
import type { CommandText, CommandVariables } from '../../expand-command.js';
import { asList } from '../../plugins/files.js';
import type { HookPart } from '../../plugins/hooks.js';
import type { PluginFault } from '../../plugins/manifest.js';
import { findNotPlayed } from '../../plugins/not-played.js';
import type { AgentPart, SlashPart } from '../../plugins/parts.js';
import { readPluginContent } from '../../plugins/read-plugin.js';
import { hookSeconds, pluginDataFolder } from '../../plugins/running-hooks.js';
import { notPlayed } from '../arguments.js';
import type { HookCommand } from '../settings.js';
import type { PlayedServer } from '../tools/servers.js';

/** A command or a skill of a plugin, with what its text can refer to. */
export type CommandFile = SlashPart &
  Pick<CommandText, 'skillFolder'> & { readonly variables: CommandVariables };

/** What plugins add to Claude Code, and why one adds nothing. */
export interface PluginAdditions {
  /** Commands, then skills, which are called the same way. */
  readonly plugged: CommandFile[];
  readonly agents: AgentPart[];
  /** The names in the list of skills. */
  readonly skills: string[];
  readonly plugins: Readonly<Record<string, string>>[];
  readonly errors: Readonly<Record<string, string>>[];
  readonly hooks: HookCommand[];
  readonly servers: PlayedServer[];
}

/** Reads a plugin as Claude Code does: it lists a plugin that it cannot load as an error, and continues. */
export function addPlugin(additions: PluginAdditions, path: string, index: number, config: string): void {
  const { plugged, agents, skills, plugins, errors, hooks, servers } = additions;
  const content = readPluginContent(path);
  if ('fault' in content) {
    errors.push({ plugin: `inline[${index}]`, ...explain(content.fault), path });
    return;
  }
  const { name, version } = content.manifest;
  const missing = findNotPlayed(content, path);
  if (missing !== null) throw notPlayed(`the plugin ${name}, which has ${missing}`);
  const place = { root: path, data: pluginDataFolder(config, `${name}@inline`), plugin: name };
  plugged.push(...content.slash.map((part) => toCommandFile(part, place)));
  skills.push(...content.slash.filter(({ isListedSkill }) => isListedSkill).map((part) => part.name));
  agents.push(...content.agents);
  hooks.push(...content.hooks.map((hook) => toHookCommand(hook, place)));
  servers.push(...Object.entries(content.servers).map(([server, own]) => toPlayed(server, own, place)));
  plugins.push({ name, path, source: `${name}@inline`, ...(version === null ? {} : { version }) });
  errors.push(...content.faults.map((fault) => ({ plugin: `${name}@inline`, ...explain(fault) })));
}

/** We do not know Claude Code's own rules for what cannot be read: it can tell itself. */
function explain({ type, message }: PluginFault): { readonly type: string; readonly message: string } {
  if (type === 'path-not-found') return { type, message };
  return { type, message: `${message}. Run with --lane scripted to see what Claude Code itself says.` };
}

/** A script that plays a server: the stand-in refuses plugins with any other. */
function toPlayed(server: string, config: unknown, { root, plugin }: PluginPlace): PlayedServer {
  const files = asList(asMapping(config).args).map((part) =>
    String(part).replaceAll('${CLAUDE_PLUGIN_ROOT}', root),
  );
  const plain = (name: string) => name.replace(/[^\w-]/g, '_');
  return {
    name: `plugin:${plugin}:${server}`,
    program: [process.execPath, ...files],
    script: files.at(-1) ?? '',
    prefix: `mcp__plugin_${plain(plugin)}_${plain(server)}__`,
  };
}

/** A skill begins with the folder that its other files are in. */
function toCommandFile(part: SlashPart, { root, data, plugin }: PluginPlace): CommandFile {
  return {
    ...part,
    description: `(${plugin}) ${part.description}`,
    skillFolder: part.kind === 'skill' ? join(root, dirname(part.file)) : null,
    variables: { CLAUDE_PLUGIN_ROOT: root, CLAUDE_PLUGIN_DATA: data },
  };
}

interface PluginPlace {
  readonly root: string;
  /** The folder in which it keeps data. */
  readonly data: string;
  readonly plugin: string;
}

function toHookCommand(hook: HookPart, { root, data }: PluginPlace): HookCommand {
  const { event, matcher, handler, timeoutSeconds } = hook;
  return {
    event,
    matcher: matcher ?? '',
    command: handler,
    timeoutSeconds: hookSeconds({ event, timeoutSeconds, isOfPlugin: true }, process.env),
    plugin: { root, data },
  };
}
