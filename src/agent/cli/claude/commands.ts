import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { BUILTIN_PLUGINS, LOCAL_COMMANDS, PROMPT_COMMANDS, SCREEN_COMMANDS, SKILLS } from './identity.js';
import { type HookCommand, readHooks, toRecord } from './settings.js';

/** A slash command that is a file: its text is the prompt. */
interface CommandFile {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
  readonly body: string;
}

/** What a project, its user and the plugins of the call add to Claude Code. */
export interface Additions {
  readonly own: readonly CommandFile[];
  readonly plugged: readonly CommandFile[];
  readonly plugins: readonly Readonly<Record<string, string>>[];
  readonly errors: readonly Readonly<Record<string, string>>[];
  readonly hooks: readonly HookCommand[];
}

/** What a prompt that begins with a slash comes to. */
export type Expansion =
  | { readonly kind: 'prompt'; readonly text: string }
  /** A command of the screen, of which it says that it is not available. */
  | { readonly kind: 'unavailable'; readonly name: string }
  /** A command that it runs itself, and we do not. */
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
  const plugins = pluginDirs.map((dir, index) => readPlugin(resolve(cwd, dir), index));
  return {
    own,
    plugged: plugins.flatMap(({ commands }) => commands),
    plugins: [...plugins.flatMap(({ listed }) => listed), ...BUILTIN_PLUGINS],
    errors: plugins.flatMap(({ error }) => error),
    hooks: plugins.flatMap(({ hooks }) => hooks),
  };
}

/** All slash commands, in the order of the real list. */
export function listCommands({ own, plugged }: Additions): string[] {
  const [first = '', ...rest] = SKILLS;
  const names = (files: readonly CommandFile[]) => files.map(({ name }) => name);
  return [...names(own), first, ...names(plugged), ...rest, ...LOCAL_COMMANDS];
}

/** Turns a prompt into what the model is sent. A slash command that nobody knows is a prompt like any other. */
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

function tags(name: string, args: string): string {
  const lines = [`<command-message>${name}</command-message>`, `<command-name>/${name}</command-name>`];
  return [...lines, ...(args === '' ? [] : [`<command-args>${args}</command-args>`]), ''].join('\n');
}

/** `$ARGUMENTS` is all of them, `$0` the first; a command that mentions none gets them at its end. */
function fill(body: string, args: string): string {
  const words = args.split(/\s+/);
  const filled = body
    .replaceAll('$ARGUMENTS', () => args)
    .replace(/\$(\d)/g, (_, index: string) => words[Number(index)] ?? '');
  return filled === body && args !== '' ? `${body}\n\nARGUMENTS: ${args}` : filled;
}

function readPlugin(path: string, index: number) {
  const none = { commands: [], hooks: [], listed: [] };
  if (!existsSync(path)) {
    const error = {
      plugin: `inline[${index}]`,
      type: 'path-not-found',
      message: `Path not found: ${path}`,
      path,
    };
    return { ...none, error: [error] };
  }
  const manifest = readJson(join(path, '.claude-plugin', 'plugin.json'));
  const name = typeof manifest.name === 'string' ? manifest.name : (path.split('/').at(-1) ?? '');
  if (existsSync(join(path, '.mcp.json')) || manifest.mcpServers !== undefined) {
    throw new Error(
      `the plugin ${name} brings MCP servers, which the stand-in for claude does not play. The scripted lane does, with the real Claude Code.`,
    );
  }
  const version = typeof manifest.version === 'string' ? { version: manifest.version } : {};
  return {
    commands: readCommands(join(path, 'commands'), `${name}:`),
    hooks: readHooks(readJson(join(path, 'hooks', 'hooks.json')).hooks, path),
    listed: [{ name, path, source: `${name}@inline`, ...version }],
    error: [],
  };
}

function readCommands(folder: string, prefix: string): CommandFile[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return files.sort().map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const front = /^---\n([\s\S]*?)\n---\n/.exec(text);
    const about = (key: string) =>
      new RegExp(`^${key}:\\s*(.*)$`, 'm').exec(front?.[1] ?? '')?.[1]?.trim() ?? '';
    const name = relative('.', file).replace(/\.md$/, '').split('/').join(':');
    return {
      name: `${prefix}${name}`,
      description: about('description'),
      argumentHint: about('argument-hint'),
      body: front === null ? text : text.slice(front[0].length),
    };
  });
}

function readJson(path: string): Record<string, unknown> {
  return existsSync(path) ? toRecord(JSON.parse(readFileSync(path, 'utf8'))) : {};
}
