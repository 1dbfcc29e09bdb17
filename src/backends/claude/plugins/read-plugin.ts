import { join, resolve } from 'node:path';
import * as z from 'zod';
import { isMapping } from '../../../domain/common/json-lines.js';
import { isFile, isFolder, readJsonFile } from './files.js';
import { type HookPart, readHookParts } from './hooks.js';
import {
  type EntryParts,
  type PluginFault,
  type PluginManifest,
  parseBy,
  readEntryParts,
  readManifest,
} from './manifest.js';
import {
  type AgentPart,
  type PartsReader,
  pathNotFound,
  readAgentParts,
  readCommandParts,
  readSkillParts,
  type SlashPart,
} from './parts.js';

/** The names and texts of what is in the folder of a plugin. */
export interface PluginContent {
  readonly manifest: PluginManifest;
  /** Commands and skills; a name occurs once. */
  readonly slash: readonly SlashPart[];
  readonly agents: readonly AgentPart[];
  readonly hooks: readonly HookPart[];
  readonly servers: Readonly<Record<string, unknown>>;
  /** What a session reports as errors. */
  readonly faults: readonly PluginFault[];
}

/** A plugin that cannot be read. */
interface UnreadPlugin {
  /** The name, as far as the manifest could be read. */
  readonly name: string | null;
  readonly fault: PluginFault;
}

/** Reads a plugin, or returns why that is not possible. */
export function readPluginContent(
  folder: string,
  given: EntryParts | null = null,
): PluginContent | UnreadPlugin {
  const root = resolve(folder);
  if (!isFolder(root))
    return { name: null, fault: { type: 'path-not-found', message: `Path not found: ${root}` } };
  const read = readManifest(root);
  if ('message' in read) return { name: null, fault: read };
  const manifest = given === null || read.isWritten ? read : { ...read, name: given.name };
  const entry = readEntryParts(given);
  if ('message' in entry) return { name: manifest.name, fault: entry };
  const declaresParts = Object.values(entry).some((part) => part !== undefined);
  if (given?.strict === false && read.isWritten && declaresParts)
    return { name: manifest.name, fault: { type: 'generic-error', message: conflict(manifest.name) } };
  const isOnlyEntry = !read.isWritten && given?.isWholeMarketplace === true;
  const reader: PartsReader = { root, manifest, entry, isOnlyEntry, faults: [] };
  const hooks = readHookParts(reader);
  if ('message' in hooks) return { name: manifest.name, fault: hooks };
  const slash = mergeSlash(readCommandParts(reader), readSkillParts(reader));
  return {
    manifest,
    slash: slash.filter(({ name }, index) => slash.findIndex((other) => other.name === name) === index),
    agents: readAgentParts(reader),
    hooks,
    servers: readServerParts(reader),
    faults: reader.faults,
  };
}

/** Claude Code loads no plugin that both describe. */
function conflict(name: string): string {
  return `Plugin ${name} has conflicting manifests: both plugin.json and marketplace entry specify components`;
}

/** A command with the name of a skill has the text of the command, and is listed like the skill. */
function mergeSlash(commands: readonly SlashPart[], skills: readonly SlashPart[]): readonly SlashPart[] {
  const named = (parts: readonly SlashPart[], name: string) => parts.find((part) => part.name === name);
  return [
    ...commands.filter(({ name }) => named(skills, name) === undefined),
    ...skills.map((skill) => ({
      ...(named(commands, skill.name) ?? skill),
      isListedSkill: skill.isListedSkill,
    })),
  ];
}

/** Reads the MCP servers: .mcp.json, then the files and objects of the manifest, which replace those of the same name. */
function readServerParts({ root, manifest, entry, faults }: PartsReader): Readonly<Record<string, unknown>> {
  const own = join(root, '.mcp.json');
  const found: Record<string, unknown> = {};
  const named = [...(manifest.mcpServers ?? []), ...(entry.mcpServers ?? [])];
  for (const source of [...(isFile(own) ? ['.mcp.json'] : []), ...named]) {
    if (typeof source !== 'string') {
      Object.assign(found, source);
      continue;
    }
    const json = readJsonFile(resolve(root, source));
    if (json === null) faults.push(pathNotFound(resolve(root, source), 'mcpServers'));
    else {
      const read = 'mistake' in json ? json : parseBy(z.record(z.string(), z.unknown()), json.value);
      if ('value' in read) {
        const { mcpServers } = read.value;
        Object.assign(found, isMapping(mcpServers) ? mcpServers : read.value);
      } else faults.push({ type: 'mcp-config-invalid', message: `${source}: ${read.mistake}` });
    }
  }
  return found;
}
