import { dirname, join } from 'node:path';
import type { ParseYaml } from '../../plugins/head.js';
import type { HookPart } from '../../plugins/hooks.js';
import { findNotPlayed } from '../../plugins/not-played.js';
import type { SlashPart } from '../../plugins/parts.js';
import { readPluginContent } from '../../plugins/read-plugin.js';
import type { HookCommand } from '../settings/hook-settings.js';
import type { CommandFile } from './command-files.js';

/** An agent of a plugin; its text replaces the system prompt. */
export interface AgentFile {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** What a plugin contributes, or why it contributes nothing. */
interface Plugin {
  readonly commands: readonly CommandFile[];
  /** The names in the list of skills. */
  readonly skills: readonly string[];
  readonly agents: readonly AgentFile[];
  readonly hooks: readonly HookCommand[];
  readonly listed: readonly Readonly<Record<string, string>>[];
  readonly errors: readonly Readonly<Record<string, string>>[];
}

const NOTHING: Plugin = { commands: [], skills: [], agents: [], hooks: [], listed: [], errors: [] };

/** Reads a plugin as Claude Code does: it lists a plugin that it cannot load as an error, and continues. */
export function loadPlugin(
  path: string,
  index: number,
  { parseYaml, data }: { readonly parseYaml: ParseYaml; readonly data: string },
): Plugin {
  const content = readPluginContent(path, parseYaml);
  if ('type' in content) return { ...NOTHING, errors: [{ plugin: `inline[${index}]`, ...content, path }] };
  const { name, version } = content.manifest;
  const missing = findNotPlayed(content, path);
  if (missing !== null) {
    throw new Error(
      `the plugin ${name} has ${missing}, which the stand-in for claude does not support. The scripted lane does, with the real Claude Code.`,
    );
  }
  return {
    commands: content.slash.map((part) => toCommandFile(part, { root: path, data, plugin: name })),
    skills: content.slash.filter(({ isListedSkill }) => isListedSkill).map((part) => part.name),
    agents: content.agents.map(({ name: agent, description, body }) => ({ name: agent, description, body })),
    hooks: content.hooks.map((hook) => toHookCommand(hook, path)),
    listed: [{ name, path, source: `${name}@inline`, ...(version === null ? {} : { version }) }],
    errors: content.faults.map((fault) => ({ plugin: `${name}@inline`, ...fault })),
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
    variables: { CLAUDE_PLUGIN_ROOT: root, CLAUDE_PLUGIN_DATA: join(data, `${plugin}-inline`) },
  };
}

interface PluginPlace {
  readonly root: string;
  /** The folder in which plugins keep data. */
  readonly data: string;
  readonly plugin: string;
}

function toHookCommand(
  { event, matcher, handler, timeoutSeconds }: HookPart,
  pluginRoot: string,
): HookCommand {
  return {
    event,
    matcher: matcher ?? '',
    command: handler,
    timeoutSeconds: timeoutSeconds ?? 600,
    pluginRoot,
  };
}
