import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type HookCommand, readHookSettings } from '../settings/hook-settings.js';
import { toRecord } from '../settings/values.js';
import { type CommandFile, readCommandFile, readCommands } from './command-files.js';

/** What a plugin contributes, or why it contributes nothing. */
interface Plugin {
  readonly commands: readonly CommandFile[];
  readonly skills: readonly CommandFile[];
  readonly agents: readonly string[];
  readonly hooks: readonly HookCommand[];
  readonly listed: readonly Readonly<Record<string, string>>[];
  readonly errors: readonly Readonly<Record<string, string>>[];
}

/** Reads a plugin as Claude Code does: it lists a plugin that it cannot load as an error, and continues. */
export function loadPlugin(path: string, index: number): Plugin {
  const place = `inline[${index}]`;
  if (!existsSync(path)) return fail(place, 'path-not-found', `Path not found: ${path}`, path);
  const manifest = readManifest(path);
  if (typeof manifest === 'string') {
    return fail(place, 'generic-error', `Failed to load plugin: ${manifest}`, path);
  }
  const { name, version } = manifest;
  if (existsSync(join(path, '.mcp.json')) || manifest.servers) {
    throw new Error(
      `the plugin ${name} has MCP servers, which the stand-in for claude does not support. The scripted lane does, with the real Claude Code.`,
    );
  }
  const hooks = readPluginHooks(path);
  return {
    commands: readCommands(join(path, 'commands'), `${name}:`).map((command) => ({
      ...command,
      description: `(${name}) ${command.description}`,
    })),
    skills: readSkills(join(path, 'skills'), name),
    agents: listNames(join(path, 'agents'), '.md').map((agent) => `${name}:${agent.replace(/\.md$/, '')}`),
    hooks: typeof hooks === 'string' ? [] : hooks,
    listed: [{ name, path, source: `${name}@inline`, ...(version === null ? {} : { version }) }],
    errors:
      typeof hooks === 'string'
        ? [{ plugin: `${name}@inline`, type: 'hook-load-failed', message: `Hook load failed: ${hooks}` }]
        : [],
  };
}

function fail(plugin: string, type: string, message: string, path: string): Plugin {
  const none = { commands: [], skills: [], agents: [], hooks: [], listed: [] };
  return { ...none, errors: [{ plugin, type, message, path }] };
}

/** Reads the manifest, or returns the real program's error about it. */
function readManifest(
  path: string,
): { readonly name: string; readonly version: string | null; readonly servers: boolean } | string {
  const file = join(path, '.claude-plugin', 'plugin.json');
  if (!existsSync(file)) return { name: basename(path), version: null, servers: false };
  const document = parse(file);
  if (typeof document === 'string') {
    return `Plugin ${basename(path)} has a corrupt manifest file at ${file}. JSON parse error: ${document}`;
  }
  const { name, version, agents, mcpServers } = document;
  const mistakes = [
    ...(typeof name === 'string' ? [] : ['name: Invalid input: expected string, received undefined']),
    ...(typeof agents === 'string' && !agents.endsWith('.md')
      ? ['agents: Invalid string: must end with ".md"']
      : []),
  ];
  if (typeof name !== 'string' || mistakes.length > 0) {
    return `Plugin ${basename(path)} has an invalid manifest file at ${file}. Validation errors: ${mistakes.join(', ')}`;
  }
  return { name, version: typeof version === 'string' ? version : null, servers: mcpServers !== undefined };
}

function readPluginHooks(path: string): HookCommand[] | string {
  const file = join(path, 'hooks', 'hooks.json');
  if (!existsSync(file)) return [];
  const document = parse(file);
  return typeof document === 'string' ? document : readHookSettings(document.hooks, path);
}

function readSkills(folder: string, plugin: string): CommandFile[] {
  return listNames(folder, '')
    .map((name) => ({ name, file: join(folder, name, 'SKILL.md') }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => {
      const skill = readCommandFile(file, `${plugin}:${name}`);
      return { ...skill, description: `(${plugin}) ${skill.description}` };
    });
}

function listNames(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort();
}

/** Parses a JSON file, or returns the reason it is not JSON. */
function parse(file: string): Record<string, unknown> | string {
  try {
    return toRecord(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError) return `JSON Parse error: ${error.message}`;
    throw error;
  }
}
