import { dirname, join } from 'node:path';
import { type ExpandedCommand, expandCommandText } from '../../backends/claude/expand-command.js';
import type { PluginPart } from '../../kinds/conversation/plugins/plugin.js';
import type { ManagedSession } from '../../kinds/conversation/session/managed-session.js';
import type { Laboratory } from '../laboratory.js';
import type { ShelvedPlugin } from './shelf.js';

/** A command or skill of a plugin. */
export interface CommandSource {
  readonly plugin: ShelvedPlugin;
  readonly part: PluginPart;
  readonly isSkill: boolean;
}

/** Expands a command as Claude Code does. `session` is null outside of a conversation. */
export async function expandSource(
  { plugins }: Laboratory,
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
    CLAUDE_PROJECT_DIR: session?.workingDirectory ?? null,
    CLAUDE_SESSION_ID: session?.id ?? null,
  });
  if (expanded.text !== null || session !== null || !expanded.unknown.includes('${')) return expanded;
  return { text: null, unknown: `${expanded.unknown} without a session_id` };
}
