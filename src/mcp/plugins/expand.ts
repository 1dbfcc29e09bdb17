import { dirname, join } from 'node:path';
import { fillArguments, fillCommandVariables } from '../../backends/claude/expand-command.js';
import { readMarkdownFile } from '../../kinds/conversation/plugins/markdown-file.js';
import type { ManagedSession } from '../../kinds/conversation/session/managed-session.js';
import type { ShelvedPlugin } from './shelf.js';

/** The text that the model gets for a command, or why that is not known before Claude Code sends it. */
export type Expanded =
  | { readonly text: string; readonly unknown: null }
  | { readonly text: null; readonly unknown: string };

/** A command or skill of a plugin. */
export interface CommandSource {
  readonly plugin: ShelvedPlugin;
  /** Relative to the plugin. */
  readonly file: string;
  readonly isSkill: boolean;
}

/** Claude Code runs what is between `` !` `` and `` ` ``, and blocks that start with ```` ```! ````, and sends their output. */
const RUNS = /!`[^`]+`|^```!/m;

/** Expands a command as Claude Code does. `session` is null outside of a conversation. */
export async function expandSource(
  { plugin, file, isSkill }: CommandSource,
  args: string,
  session: ManagedSession | null,
): Promise<Expanded> {
  const path = join(plugin.path, file);
  const { about, body } = await readMarkdownFile(path);
  if (RUNS.test(body)) return unknown('it contains commands that Claude Code runs, and their output is sent');
  const folder = dirname(path);
  if (isSkill && plugin.mode === 'marketplace')
    return unknown('an installed skill runs from a copy, and its folder is sent');
  const text = isSkill ? `Base directory for this skill: ${folder}\n\n${body}` : body;
  const filled = fillArguments(text, { args, names: about.arguments ?? [] });
  if (filled === null) return unknown('only Claude Code knows how it splits these arguments into words');
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
