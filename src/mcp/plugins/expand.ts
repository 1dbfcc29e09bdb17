import { dirname, join } from 'node:path';
import { fillArguments, fillCommandVariables, runsCommands } from '../../backends/claude/expand-command.js';
import type { PluginPart } from '../../kinds/conversation/plugins/plugin.js';
import type { ManagedSession } from '../../kinds/conversation/session/managed-session.js';
import type { Laboratory } from '../laboratory.js';
import type { ShelvedPlugin } from './shelf.js';

/** The text that the model gets for a command, or why that is not known before Claude Code sends it. */
export type Expanded =
  | { readonly text: string; readonly unknown: null }
  | { readonly text: null; readonly unknown: string };

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
): Promise<Expanded> {
  // Its files may have changed since it was installed.
  const { commands, skills } = await plugins.read(plugin);
  const now = [...commands, ...skills].find(({ name }) => name === part.name);
  if (now === undefined) return unknown('the plugin no longer has it');
  const folder = dirname(join(plugin.path, now.file));
  const text = isSkill ? `Base directory for this skill: ${folder}\n\n${now.body}` : now.body;
  const filled = fillArguments(text, { args, names: now.argumentNames });
  if (filled === null) return unknown('only Claude Code knows how it splits these arguments into words');
  if (runsCommands(filled))
    return unknown('it contains commands that Claude Code runs, and their output is sent');
  if (isSkill && plugin.mode === 'marketplace')
    return unknown('an installed skill runs from a copy, and its folder is sent');
  const variables = {
    // An installed plugin runs from a copy.
    CLAUDE_PLUGIN_ROOT: plugin.mode === 'plugin-dir' ? plugin.path : null,
    CLAUDE_PLUGIN_DATA: null,
    CLAUDE_PROJECT_DIR: session?.workingDirectory ?? null,
    CLAUDE_SESSION_ID: session?.id ?? null,
    ...(isSkill ? { CLAUDE_SKILL_DIR: folder } : {}),
  };
  const whole = fillCommandVariables(filled, variables);
  if (whole.unknown.length === 0) return { text: whole.text, unknown: null };
  const names = whole.unknown.join(', ');
  return unknown(`only Claude Code knows ${names}${session === null ? ' without a session_id' : ''}`);
}

function unknown(why: string): Expanded {
  return { text: null, unknown: why };
}
