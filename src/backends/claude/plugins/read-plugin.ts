import { join, resolve } from 'node:path';
import { type AgentPart, readAgentParts } from './agents.js';
import { isFile, isFolder, listFolders } from './files.js';
import type { ParseYaml } from './head.js';
import { type HookPart, readHookParts } from './hooks.js';
import {
  type EntryParts,
  findConflict,
  findReservedName,
  type PluginFault,
  type PluginManifest,
  readManifestFile,
} from './manifest.js';
import { type PartsReader, readCommandParts, readSkillParts, type SlashPart } from './parts.js';
import { readServerParts } from './servers.js';
import { validateHeads } from './validate-heads.js';

/** A plugin as Claude Code reads it from its folder. */
export interface PluginContent {
  readonly manifest: PluginManifest;
  /** Commands and skills; a name occurs once. */
  readonly slash: readonly SlashPart[];
  readonly agents: readonly AgentPart[];
  readonly hooks: readonly HookPart[];
  readonly servers: Readonly<Record<string, unknown>>;
  /** What Claude Code lists in `plugin_errors`, though it loads the plugin. */
  readonly faults: readonly PluginFault[];
  /** What only `claude plugin validate` objects to. */
  readonly objections: readonly string[];
}

/** Reads a plugin by the rules of Claude Code 2.1.325, or returns why it cannot be loaded. */
export function readPluginContent(
  folder: string,
  parseYaml: ParseYaml,
  entry: EntryParts | null = null,
): PluginContent | PluginFault {
  const root = resolve(folder);
  if (!isFolder(root)) return { type: 'path-not-found', message: `Path not found: ${root}` };
  const read = readManifestFile(root);
  if ('type' in read) return read;
  const manifest = entry === null || read.isWritten ? read : { ...read, name: entry.name };
  const conflict = findConflict(entry, manifest);
  if (conflict !== null) return conflict;
  const reader: PartsReader = { root, manifest, entry, parseYaml, faults: [], objections: [] };
  const reserved = findReservedName(manifest.name);
  if (reserved !== null) reader.objections.push(`plugin.json: name: ${reserved}`);
  const hooks = readHookParts(reader);
  if ('type' in hooks) return hooks;
  const skills = readSkillParts(reader);
  const commands = readCommandParts(reader);
  const slash = mergeSlash(commands, skills);
  return {
    manifest,
    slash: slash.filter(({ name }, index) => slash.findIndex((other) => other.name === name) === index),
    agents: readAgentParts(reader),
    hooks,
    servers: readServerParts(reader),
    faults: reader.faults,
    objections: [...reader.objections, ...findMissingManifest(root, read), ...validateHeads(root, parseYaml)],
  };
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

/** `claude plugin validate` takes a folder without a manifest only if it contains a skill in a folder of its own. */
function findMissingManifest(root: string, { isWritten }: PluginManifest): string[] {
  const skills = listFolders(join(root, 'skills')).map((name) => join(root, 'skills', name, 'SKILL.md'));
  const isMarketplace = isFile(join(root, '.claude-plugin', 'marketplace.json'));
  return isWritten || isMarketplace || skills.some(isFile) ? [] : [NO_MANIFEST];
}

const NO_MANIFEST =
  'No manifest found in directory. Expected .claude-plugin/marketplace.json or .claude-plugin/plugin.json';
