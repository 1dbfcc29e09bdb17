import { dirname, join } from 'node:path';
import { type ExpandedCommand, expandCommandText } from '../../backends/claude/expand-command.js';
import { readArgumentNames } from '../../backends/claude/plugins/head.js';
import { readMarkdownFile } from '../../kinds/conversation/plugins/markdown-file.js';
import type { PluginPart } from '../../kinds/conversation/plugins/plugin.js';
import type { ManagedSession } from '../../kinds/conversation/session/managed-session.js';
import type { ShelvedPlugin } from './shelf.js';

/** A command or skill of a plugin. */
export interface CommandSource {
  readonly plugin: ShelvedPlugin;
  readonly part: PluginPart;
  readonly isSkill: boolean;
}

/** Expands a command as Claude Code does. `session` is null outside of a conversation. */
export async function expandSource(
  source: CommandSource,
  args: string,
  session: ManagedSession | null,
): Promise<ExpandedCommand> {
  const { plugin, part, isSkill } = source;
  if (isSkill && plugin.mode === 'marketplace')
    return { text: null, unknown: 'an installed skill runs from a copy, and its folder is sent' };
  const skillFolder = isSkill ? dirname(join(plugin.path, part.file)) : null;
  const expanded = expandCommandText({ ...(await readText(source)), skillFolder }, args, {
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

/** Returns the text of a command as its file has it now. */
export async function readText({ plugin, part }: Omit<CommandSource, 'isSkill'>) {
  // The manifest contains the text of a command without a file.
  if (part.file === '') return part;
  const { fields, body } = await readMarkdownFile(join(plugin.path, part.file));
  return { body, argumentNames: readArgumentNames(fields) };
}
