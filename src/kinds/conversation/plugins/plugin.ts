import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../../domain/common/message-of.js';
import { hasErrorCode } from '../../../exec/error-code.js';
import { type PluginHook, readHooks } from './hooks-file.js';
import { readMarkdownFile } from './markdown-file.js';
import { readServers, type ServerConfig } from './server-config.js';

/** A command, agent or skill of a plugin. */
interface PluginPart {
  /** The name with its plugin: `agent-loop:plan`. */
  readonly name: string;
  readonly file: string;
  readonly description: string;
}

/** The content of a plugin's folder. It does not show whether Claude Code loads the plugin. */
export interface Plugin {
  readonly name: string;
  readonly version: string | null;
  readonly description: string;
  readonly path: string;
  readonly commands: readonly PluginPart[];
  readonly agents: readonly PluginPart[];
  readonly skills: readonly PluginPart[];
  readonly hooks: readonly PluginHook[];
  readonly servers: Readonly<Record<string, ServerConfig>>;
  /** The files that cannot be read, and why. */
  readonly problems: readonly string[];
}

const paths = z.union([z.string(), z.array(z.string())]).optional();
const manifestSchema = z.object({
  name: z.string().min(1),
  version: z.string().optional(),
  description: z.string().default(''),
  commands: paths,
  agents: paths,
  skills: paths,
});
type Manifest = z.infer<typeof manifestSchema>;

/** Reads the folder of a plugin: its manifest, and the parts that Claude Code discovers beside it. */
export async function readPlugin(folder: string): Promise<Plugin> {
  const path = resolve(folder);
  const problems: string[] = [];
  const complain = (file: string, problem: string | null) => {
    if (problem !== null) problems.push(`${relative(path, file) || basename(path)}: ${problem}`);
  };
  const manifest = await readManifest(path, complain);
  const { name } = manifest;
  const commands = await readParts(path, manifest.commands ?? 'commands', name, complain);
  const agents = await readParts(path, manifest.agents ?? 'agents', name, complain);
  const skills = await readSkills(path, manifest.skills, name, complain);
  const hooksFile = join(path, 'hooks', 'hooks.json');
  const hooksJson = await readJson(hooksFile, complain);
  const { hooks, problem } = hooksJson === null ? { hooks: [], problem: null } : readHooks(hooksJson.value);
  complain(hooksFile, problem);
  const serversFile = join(path, '.mcp.json');
  const serversJson = await readJson(serversFile, complain);
  const found = serversJson === null ? { servers: {}, problem: null } : readServers(serversJson.value);
  complain(serversFile, found.problem);
  const { version = null, description } = manifest;
  return {
    name,
    version,
    description,
    path,
    commands,
    agents,
    skills,
    hooks,
    servers: found.servers,
    problems,
  };
}

type Complain = (file: string, problem: string | null) => void;

/** Reads the manifest. A folder without one is also a plugin, with the name of the folder. */
async function readManifest(path: string, complain: Complain): Promise<Manifest> {
  const unknown: Manifest = { name: basename(path), description: '' };
  if (!(await isFolder(path))) {
    complain(path, 'there is no such folder');
    return unknown;
  }
  const file = join(path, '.claude-plugin', 'plugin.json');
  const json = await readJson(file, complain);
  if (json === null) return unknown;
  const manifest = manifestSchema.safeParse(json.value);
  if (manifest.success) return manifest.data;
  complain(file, z.prettifyError(manifest.error));
  return unknown;
}

async function readParts(
  root: string,
  where: string | readonly string[],
  plugin: string,
  complain: Complain,
): Promise<PluginPart[]> {
  const parts: PluginPart[] = [];
  for (const place of typeof where === 'string' ? [where] : where) {
    const at = resolve(root, place);
    const folder = await isFolder(at);
    const files = folder ? await listMarkdown(at) : at.endsWith('.md') ? [at] : [];
    for (const file of files) {
      const { about, problem } = await readMarkdownFile(file);
      complain(file, problem);
      const bare = (folder ? relative(at, file) : basename(file)).replace(/\.md$/, '').split('/').join(':');
      parts.push({ name: `${plugin}:${bare}`, file: relative(root, file), description: about.description });
    }
  }
  return parts;
}

async function readSkills(
  root: string,
  where: string | readonly string[] | undefined,
  plugin: string,
  complain: Complain,
): Promise<PluginPart[]> {
  const skills: PluginPart[] = [];
  const places = where === undefined ? ['skills'] : typeof where === 'string' ? [where] : where;
  for (const place of places) {
    const files = (await listMarkdown(resolve(root, place))).filter((file) => basename(file) === 'SKILL.md');
    for (const file of files) {
      const { about, problem } = await readMarkdownFile(file);
      complain(file, problem);
      const bare = about.name ?? basename(join(file, '..'));
      skills.push({ name: `${plugin}:${bare}`, file: relative(root, file), description: about.description });
    }
  }
  return skills;
}

async function listMarkdown(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder, { recursive: true });
    return names
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/** Reads a JSON file. Returns null if it does not exist or cannot be read. */
async function readJson(file: string, complain: Complain): Promise<{ value: unknown } | null> {
  try {
    return { value: JSON.parse(await readFile(file, 'utf8')) };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null;
    complain(file, messageOf(error));
    return null;
  }
}
