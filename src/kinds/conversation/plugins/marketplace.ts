import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import * as z from 'zod';
import type { EntryParts } from '../../../backends/claude/plugins/manifest.js';
import { parseJson } from '../../../domain/common/json-lines.js';
import { hasErrorCode } from '../../../exec/error-code.js';

/** A folder with a list of plugins. */
export interface Marketplace {
  readonly name: string;
  readonly path: string;
  /** The folders of its plugins, by name. Null for plugins that are elsewhere (a repository, an address). */
  readonly plugins: ReadonlyMap<string, string | null>;
  /** The entries that are more than a link: Claude Code reads them only if it installs the plugin. */
  readonly entries: ReadonlyMap<string, EntryParts>;
}

const marketplaceSchema = z.object({
  name: z.string(),
  metadata: z.object({ pluginRoot: z.string().optional() }).optional(),
  plugins: z.array(
    z.object({
      name: z.string(),
      source: z.unknown(),
      strict: z.boolean().optional(),
      commands: z.unknown().optional(),
      agents: z.unknown().optional(),
      skills: z.unknown().optional(),
      hooks: z.unknown().optional(),
      mcpServers: z.unknown().optional(),
    }),
  ),
});

/** Reads the marketplace at a path. Returns null if there is none, or a problem if its list cannot be read. */
export async function readMarketplace(path: string): Promise<Marketplace | { problem: string } | null> {
  const file = join(path, '.claude-plugin', 'marketplace.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
  const read = marketplaceSchema.safeParse(parseJson(text));
  if (!read.success) return { problem: `${file}: ${z.prettifyError(read.error)}` };
  const { name, metadata, plugins } = read.data;
  // A source with a dot begins at the marketplace, a bare name at its folder of plugins.
  const base = (source: string) =>
    resolve(path, source.startsWith('.') ? '.' : (metadata?.pluginRoot ?? '.'));
  const folderOf = (source: unknown) =>
    typeof source === 'string' && !/^\w+:/.test(source) ? resolve(base(source), source) : null;
  return {
    name,
    path,
    plugins: new Map(plugins.map((entry) => [entry.name, folderOf(entry.source)])),
    entries: new Map(
      plugins
        .filter((entry) => entry.strict === false || PARTS.some((part) => entry[part] !== undefined))
        .map((entry) => [
          entry.name,
          { ...entry, isWholeMarketplace: folderOf(entry.source) === resolve(path) },
        ]),
    ),
  };
}

const PARTS = ['commands', 'agents', 'skills', 'hooks', 'mcpServers'] as const;

/** Finds the folder of a plugin without a marketplace: in a folder of plugins, or the folder itself. */
export async function findPluginFolder(name: string, path: string): Promise<string | null> {
  for (const folder of [
    join(path, name),
    join(path, 'plugins', name),
    ...(basename(path) === name ? [path] : []),
  ]) {
    if (await isPluginFolder(folder)) return folder;
  }
  return (await nameInManifest(path)) === name ? path : null;
}

async function isPluginFolder(folder: string): Promise<boolean> {
  try {
    const names = await readdir(folder);
    return ['.claude-plugin', 'commands', 'agents', 'skills', 'hooks', '.mcp.json', 'SKILL.md'].some((part) =>
      names.includes(part),
    );
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

async function nameInManifest(folder: string): Promise<string | null> {
  try {
    const text = await readFile(join(folder, '.claude-plugin', 'plugin.json'), 'utf8');
    return z.object({ name: z.string() }).safeParse(parseJson(text)).data?.name ?? null;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}
