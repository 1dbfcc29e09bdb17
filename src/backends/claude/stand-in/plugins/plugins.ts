import { dirname, join } from 'node:path';
import { asMapping } from '../../../../agent/stand-in/json.js';
import type { CommandText, CommandVariables } from '../../expand-command.js';
import { asList } from '../../plugins/files.js';
import type { HookPart } from '../../plugins/hooks.js';
import type { PluginFault } from '../../plugins/manifest.js';
import { findNotPlayed } from '../../plugins/not-played.js';
import type { SlashPart } from '../../plugins/parts.js';
import { readPluginContent } from '../../plugins/read-plugin.js';
import { hookSeconds, pluginDataFolder } from '../../plugins/running-hooks.js';
import type { HookCommand } from '../settings.js';
import type { PlayedServer } from '../tools/servers.js';

/** A slash command from a file; the text of the file is the prompt. */
export interface CommandFile extends CommandText {
  readonly name: string;
  /** Other names that it answers to. */
  readonly aliases: readonly string[];
  readonly description: string;
  readonly argumentHint: string;
  /** Whether users can call it; if not, only the model can. */
  readonly isListed: boolean;
  /** Whether the model cannot load it. */
  readonly isForUsersOnly: boolean;
  /** Variables that its plugin adds. */
  readonly variables: CommandVariables;
}

/** An agent of a plugin; its text replaces the system prompt. */
interface AgentFile {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** What plugins add to Claude Code, and why one adds nothing. */
export interface PluginAdditions {
  /** Commands, then skills, which are called the same way. */
  readonly plugged: readonly CommandFile[];
  readonly agents: readonly AgentFile[];
  /** The names in the list of skills. */
  readonly skills: readonly string[];
  readonly plugins: readonly Readonly<Record<string, string>>[];
  readonly errors: readonly Readonly<Record<string, string>>[];
  readonly hooks: readonly HookCommand[];
  readonly servers: readonly PlayedServer[];
}

const NOTHING: PluginAdditions = {
  plugged: [],
  agents: [],
  skills: [],
  plugins: [],
  errors: [],
  hooks: [],
  servers: [],
};

/** Reads a plugin as Claude Code does: it lists a plugin that it cannot load as an error, and continues. */
export function loadPlugin(path: string, index: number, config: string): PluginAdditions {
  const content = readPluginContent(path);
  if ('fault' in content)
    return { ...NOTHING, errors: [{ plugin: `inline[${index}]`, ...explain(content.fault), path }] };
  const { name, version } = content.manifest;
  const missing = findNotPlayed(content, path);
  if (missing !== null) {
    throw new Error(
      `the plugin ${name} has ${missing}, which the stand-in for claude does not support. The scripted lane does, with the real Claude Code.`,
    );
  }
  const place = { root: path, data: pluginDataFolder(config, `${name}@inline`), plugin: name };
  return {
    plugged: content.slash.map((part) => toCommandFile(part, place)),
    skills: content.slash.filter(({ isListedSkill }) => isListedSkill).map((part) => part.name),
    agents: content.agents.map(({ name: agent, description, body }) => ({ name: agent, description, body })),
    hooks: content.hooks.map((hook) => toHookCommand(hook, place)),
    servers: Object.entries(content.servers).map(([server, config]) => toPlayed(server, config, path, name)),
    plugins: [{ name, path, source: `${name}@inline`, ...(version === null ? {} : { version }) }],
    errors: content.faults.map((fault) => ({ plugin: `${name}@inline`, ...explain(fault) })),
  };
}

/** We do not know Claude Code's own rules for what cannot be read: it can tell itself. */
function explain({ type, message }: PluginFault): { readonly type: string; readonly message: string } {
  if (type === 'path-not-found') return { type, message };
  return { type, message: `${message}. Run with --lane scripted to see what Claude Code itself says.` };
}

/** A script that plays a server: the stand-in refuses plugins with any other. */
function toPlayed(server: string, config: unknown, root: string, plugin: string): PlayedServer {
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
  const { kind, name, aliases, file, description, argumentHint, argumentNames, body } = part;
  return {
    ...{ name, aliases, argumentHint, argumentNames, body },
    description: `(${plugin}) ${description}`,
    isListed: part.isListed,
    isForUsersOnly: part.isForUsersOnly,
    skillFolder: kind === 'skill' ? join(root, dirname(file)) : null,
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
