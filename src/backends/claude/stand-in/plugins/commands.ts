import { join, resolve } from 'node:path';
import { BUILTIN_PLUGINS, LOCAL_COMMANDS, PROMPT_COMMANDS, SCREEN_COMMANDS, SKILLS } from '../identity.js';
import type { HookCommand } from '../settings/hook-settings.js';
import { type CommandFile, readCommands } from './command-files.js';
import { loadPlugin } from './plugins.js';

/** What the project, the user and the plugins of the call add to Claude Code. */
export interface Additions {
  readonly own: readonly CommandFile[];
  /** Plugin commands, then plugin skills, which are called the same way. */
  readonly plugged: readonly CommandFile[];
  readonly agents: readonly string[];
  readonly skills: readonly string[];
  readonly plugins: readonly Readonly<Record<string, string>>[];
  readonly errors: readonly Readonly<Record<string, string>>[];
  readonly hooks: readonly HookCommand[];
}

/** The result of expanding a prompt that starts with a slash. */
export type Expansion =
  | { readonly kind: 'prompt'; readonly text: string }
  /** A command of the interactive screen, which the program reports as unavailable. */
  | { readonly kind: 'unavailable'; readonly name: string }
  /** A command that the real program runs itself, and the stand-in does not. */
  | { readonly kind: 'not-played'; readonly name: string };

/** Reads the commands of the project and the user, and the plugins. */
export function readAdditions(
  cwd: string,
  config: string,
  { sources, pluginDirs }: { readonly sources: readonly string[]; readonly pluginDirs: readonly string[] },
): Additions {
  const own = [
    ...(sources.includes('project') ? readCommands(join(cwd, '.claude', 'commands'), '') : []),
    ...(sources.includes('user') ? readCommands(join(config, 'commands'), '') : []),
  ];
  const plugins = pluginDirs.map((dir, index) => loadPlugin(resolve(cwd, dir), index));
  return {
    own,
    plugged: plugins.flatMap(({ commands, skills }) => [...commands, ...skills]),
    agents: plugins.flatMap(({ agents }) => agents),
    skills: plugins.flatMap(({ skills }) => skills.map(({ name }) => name)),
    plugins: [...plugins.flatMap(({ listed }) => listed), ...BUILTIN_PLUGINS],
    errors: plugins.flatMap(({ errors }) => errors),
    hooks: plugins.flatMap(({ hooks }) => hooks),
  };
}

/** Lists all slash commands in the order of the real list. */
export function listCommands({ own, plugged }: Additions): string[] {
  const [first = '', ...rest] = SKILLS;
  const names = (files: readonly CommandFile[]) => files.map(({ name }) => name);
  return [...names(own), first, ...names(plugged), ...rest, ...LOCAL_COMMANDS];
}

/** Expands a prompt into what the model receives. An unknown slash command stays an ordinary prompt. */
export function expandPrompt(prompt: string, additions: Additions): Expansion {
  const match = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(prompt.trim());
  const name = match?.[1];
  if (name === undefined) return { kind: 'prompt', text: prompt };
  const args = match?.[2] ?? '';
  const file = [...additions.own, ...additions.plugged].find((command) => command.name === name);
  if (file !== undefined) return { kind: 'prompt', text: `${tags(name, args)}\n${fill(file.body, args)}` };
  if (SKILLS.includes(name) || PROMPT_COMMANDS.includes(name))
    return { kind: 'prompt', text: tags(name, args) };
  if (SCREEN_COMMANDS.includes(name)) return { kind: 'unavailable', name };
  if (LOCAL_COMMANDS.includes(name) || name === 'cost') return { kind: 'not-played', name };
  return { kind: 'prompt', text: prompt };
}

/** Returns the prompt as the program shows it to the caller; for a command, the tags before its text. */
export function shownPrompt(prompt: string, expanded: string): string {
  const [, shown] = /^((?:<command-(?:message|name|args)>[^<]*<\/command-\w+>\n)+)/.exec(expanded) ?? [];
  return prompt.startsWith('/') && shown !== undefined ? shown.trimEnd() : prompt;
}

function tags(name: string, args: string): string {
  const lines = [`<command-message>${name}</command-message>`, `<command-name>/${name}</command-name>`];
  return [...lines, ...(args === '' ? [] : [`<command-args>${args}</command-args>`]), ''].join('\n');
}

/** `$ARGUMENTS` stands for all arguments, `$0` for the first; if a command mentions none, they go at its end. */
function fill(body: string, args: string): string {
  const words = args.split(/\s+/);
  const filled = body
    .replaceAll('$ARGUMENTS', () => args)
    .replace(/\$(\d)/g, (_, index: string) => words[Number(index)] ?? '');
  return filled === body && args !== '' ? `${body}\n\nARGUMENTS: ${args}` : filled;
}
