import { basename, join } from 'node:path';
import { asList, asRecord, readJsonFile } from './files.js';
import { findGuardMistake } from './hook-shapes.js';

/** The parts of a plugin's manifest that name other parts. Their shapes are checked. */
export interface PluginManifest {
  readonly name: string;
  readonly version: string | null;
  readonly description: string;
  readonly commands: unknown;
  readonly agents: unknown;
  readonly skills: unknown;
  readonly hooks: unknown;
  readonly mcpServers: unknown;
  /** Every key of the file. */
  readonly keys: readonly string[];
  /** False if the folder has none, and its name is that of the plugin. */
  readonly isWritten: boolean;
}

/** What an entry of a marketplace declares itself, beside the plugin's own parts. */
export interface EntryParts {
  readonly name: string;
  /** False if the entry is all that describes the plugin. */
  readonly strict?: boolean | undefined;
  /** Whether the folder of the plugin is that of the marketplace. */
  readonly isWholeMarketplace?: boolean;
  readonly commands?: unknown;
  readonly agents?: unknown;
  readonly skills?: unknown;
  readonly hooks?: unknown;
  readonly mcpServers?: unknown;
}

/** An error as Claude Code lists it in `plugin_errors`. */
export interface PluginFault {
  readonly type: string;
  readonly message: string;
}

/** Reads the manifest. A folder without one is also a plugin, with the name of the folder. */
export function readManifestFile(folder: string): PluginManifest | PluginFault {
  const file = join(folder, '.claude-plugin', 'plugin.json');
  const json = readJsonFile(file);
  const name = basename(folder);
  if (json === null) return { ...toManifest({ name }), isWritten: false };
  const isCorrupt = 'mistake' in json;
  const mistakes = isCorrupt ? [json.mistake] : findMistakes(json.value);
  if (isCorrupt || mistakes.length > 0) {
    const why = isCorrupt
      ? `a corrupt manifest file at ${file}. JSON parse error: ${mistakes.join(', ')}`
      : `an invalid manifest file at ${file}. Validation errors: ${mistakes.join(', ')}`;
    return { type: 'generic-error', message: `Failed to load plugin: Plugin ${name} has ${why}` };
  }
  const manifest = toManifest(asRecord(json.value) ?? {});
  if (/[@:/\\\s\p{C}]/u.test(manifest.name)) {
    const message = `Manifest validation failed: name: "${manifest.name}" is not a valid plugin name (must be non-empty and must not contain "@", ":", whitespace, path separators, or invisible/control characters) (in ${file})`;
    return { type: 'manifest-validation-error', message };
  }
  return manifest;
}

/** Returns the error for an entry that wants to be alone and is not, or null. */
export function findConflict(
  entry: EntryParts | null,
  { name, isWritten }: PluginManifest,
): PluginFault | null {
  if (entry === null || entry.strict !== false || !isWritten) return null;
  const { commands, agents, skills, hooks } = entry;
  if ([commands, agents, skills, hooks].every((part) => part === undefined)) return null;
  const message = `Plugin ${name} has conflicting manifests: both plugin.json and marketplace entry specify components. Set strict: true in marketplace entry or remove component specs from one location.`;
  return { type: 'generic-error', message };
}

/** Returns the objection of `claude plugin validate` to a name that passes as one of Anthropic's own, or null. */
export function findReservedName(name: string): string | null {
  const plain = name.toLowerCase();
  const taken = ['claude', 'anthropic', 'anthropics', 'claude-code', 'claude-mods'].includes(plain);
  const looks =
    /^(?:claude|anthropics?|cc-plugin)-/.test(plain) || /official-(?:claude|anthropic)/.test(plain);
  return taken || looks ? `Plugin name "${name}" is reserved: it passes as one of Anthropic's own.` : null;
}

function toManifest(read: Readonly<Record<string, unknown>>): PluginManifest {
  const { name, version, description, commands, agents, skills, hooks, mcpServers } = read;
  return {
    name: String(name),
    version: typeof version === 'string' ? version : null,
    description: typeof description === 'string' ? description : '',
    commands,
    agents,
    skills,
    hooks,
    mcpServers,
    keys: Object.keys(read),
    isWritten: true,
  };
}

function findMistakes(value: unknown): string[] {
  const manifest = asRecord(value);
  if (manifest === null) return ['manifest must be an object'];
  const { name, author, homepage, keywords, commands, agents, skills, hooks, mcpServers } = manifest;
  const texts = ['version', 'description', 'repository', 'license'].flatMap((key) =>
    manifest[key] === undefined || typeof manifest[key] === 'string'
      ? []
      : [`${key}: Invalid input: expected string, received ${kindOf(manifest[key])}`],
  );
  return [
    ...findNameMistake(name),
    ...texts,
    ...(author === undefined || typeof asRecord(author)?.name === 'string'
      ? []
      : [`author: Invalid input: expected object, received ${kindOf(author)}`]),
    ...(homepage === undefined || (typeof homepage === 'string' && URL.canParse(homepage))
      ? []
      : ['homepage: Invalid URL']),
    ...(keywords === undefined || isListOf(keywords, (word) => typeof word === 'string')
      ? []
      : [`keywords: Invalid input: expected array, received ${kindOf(keywords)}`]),
    ...findCommandMistakes(commands),
    ...asList(agents).flatMap((path) =>
      isPath(path, /\.md$/) ? [] : ['agents: Invalid string: must end with ".md"'],
    ),
    ...asList(skills).flatMap((path) => (isPath(path) ? [] : ['skills: Invalid input'])),
    ...asList(hooks).flatMap((entry) => {
      if (isPath(entry, /\.json$/)) return [];
      const mistake = asRecord(entry) === null ? 'Invalid input' : findGuardMistake(entry);
      return mistake === null ? [] : [`hooks: ${mistake}`];
    }),
    ...asList(mcpServers).flatMap((entry) =>
      isPath(entry) || areServers(entry) ? [] : ['mcpServers: Invalid input'],
    ),
  ];
}

function findNameMistake(name: unknown): string[] {
  if (typeof name !== 'string') return [`name: Invalid input: expected string, received ${kindOf(name)}`];
  if (name === '') return ['name: Plugin name cannot be empty'];
  return name.includes(' ')
    ? ['name: Plugin name cannot contain spaces. Use kebab-case (e.g., "my-plugin")']
    : [];
}

function findCommandMistakes(commands: unknown): string[] {
  const named = asRecord(commands);
  if (named === null)
    return asList(commands).every((path) => isPath(path)) ? [] : ['commands: Invalid input'];
  return Object.entries(named).flatMap(([name, command]) => {
    const { source, content } = asRecord(command) ?? {};
    const either = (source === undefined) !== (content === undefined);
    if (either && (isPath(source) || typeof content === 'string')) return [];
    return [
      `commands.${name}: Command must have either "source" (file path) or "content" (inline markdown), but not both`,
    ];
  });
}

function isPath(value: unknown, ending = /$/): boolean {
  return (
    typeof value === 'string' &&
    value.startsWith('./') &&
    !value.split('/').includes('..') &&
    ending.test(value)
  );
}

function areServers(value: unknown): boolean {
  const servers = asRecord(value);
  return servers !== null && Object.values(servers).every((server) => isServer(server));
}

/** Whether Claude Code takes this for an MCP server; it drops any other without a word. */
export function isServer(value: unknown): boolean {
  const { type, command, url } = asRecord(value) ?? {};
  if (type === undefined || type === 'stdio') return typeof command === 'string' && command !== '';
  return (type === 'http' || type === 'sse' || type === 'ws') && typeof url === 'string';
}

function isListOf(value: unknown, test: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(test);
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
