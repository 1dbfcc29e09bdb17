import { join, resolve } from 'node:path';
import { expandCommandText } from '../../expand-command.js';
import { listMarkdown } from '../../plugins/files.js';
import { notPlayed } from '../arguments.js';
import { OWN_COMMANDS } from '../identity.js';
import type { CommandFile, PluginAdditions } from './plugins.js';

/** What the plugins of the call add to Claude Code. */
export interface Additions extends PluginAdditions {
  /** The names of the project's and the user's own commands, which only the real program reads. */
  readonly own: readonly string[];
}

interface AdditionSources {
  readonly sources: readonly string[];
  readonly pluginDirs: readonly string[];
}

/** Reads the plugins, and the names of the project's and the user's own commands. */
export async function readAdditions(
  cwd: string,
  config: string,
  { sources, pluginDirs }: AdditionSources,
): Promise<Additions> {
  const folders = [
    ...(sources.includes('project') ? [join(cwd, '.claude', 'commands')] : []),
    ...(sources.includes('user') ? [join(config, 'commands')] : []),
  ];
  const additions: PluginAdditions = {
    ...{ plugged: [], agents: [], skills: [], plugins: [], errors: [], hooks: [], servers: [] },
  };
  if (pluginDirs.length > 0) {
    // Most calls have no plugins, and start faster without their reader.
    const { addPlugin } = await import('./plugins.js');
    for (const [index, folder] of pluginDirs.entries())
      addPlugin(additions, resolve(cwd, folder), index, config);
  }
  return {
    ...additions,
    plugged: additions.plugged.map(withoutTakenNames),
    // Folders become part of the name.
    own: folders.flatMap(listMarkdown).map((file) => file.replace(/\.md$/, '').replaceAll('/', ':')),
  };
}

/** A declared name that is also one of the program's own commands is no name of the plugin's. */
function withoutTakenNames(command: CommandFile): CommandFile {
  return { ...command, aliases: command.aliases.filter((alias) => !OWN_COMMANDS.has(alias)) };
}

/** Lists the commands of plugins that users can call. Others are not listed: they are not played. */
export function listCommands({ plugged }: Additions): CommandFile[] {
  return plugged.filter(({ isListed }) => isListed);
}

/** What commands can say about the session that they are used in. */
export interface SessionPlace {
  readonly session: string;
  readonly cwd: string;
}

/** Expands a prompt into what the model receives. An unknown slash command stays an ordinary prompt. */
export function expandPrompt(prompt: string, additions: Additions, place: SessionPlace): string {
  const [, name, args = ''] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(prompt.trim()) ?? [];
  if (name === undefined) return prompt;
  if (additions.own.includes(name)) throw notPlayed(`/${name}`);
  const file = listCommands(additions).find(
    (command) => command.name === name || command.aliases.includes(name),
  );
  if (file !== undefined) return `${tags(file.name, args)}\n${expandFile(file, args, place)}`;
  if (OWN_COMMANDS.has(name)) throw notPlayed(`/${name}`);
  return prompt;
}

/** Expands a command or a skill with its arguments, as a prompt or for the Skill tool. */
export function expandFile(file: CommandFile, args: string, { session, cwd }: SessionPlace): string {
  const { text, unknown } = expandCommandText(file, args, {
    ...file.variables,
    CLAUDE_SESSION_ID: session,
    CLAUDE_PROJECT_DIR: cwd,
    CLAUDE_EFFORT: 'medium',
  });
  if (text === null) throw notPlayed(`/${file.name}: ${unknown}`);
  return text;
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
