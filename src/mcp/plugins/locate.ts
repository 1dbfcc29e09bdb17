import { existsSync } from 'node:fs';
import { cp, lstat, readdir, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { EntryParts } from '../../backends/claude/plugins/manifest.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { folderHolds } from '../../exec/files/resolve-inside.js';
import {
  findPluginFolder,
  type Marketplace,
  readMarketplace,
} from '../../kinds/conversation/plugins/marketplace.js';
import type { Plugin } from '../../kinds/conversation/plugins/plugin.js';
import { type ServerStubs, stubServers } from '../../kinds/conversation/plugins/stub-servers.js';
import type { Confinement } from '../confine.js';
import { ToolError } from '../errors.js';

/** How a plugin reaches a conversation: by its folder in each call, or really installed. */
export type InstallMode = 'plugin-dir' | 'marketplace';

export interface InstallRequest {
  readonly name: string;
  readonly from: string;
  readonly mode: InstallMode;
  readonly force: boolean;
  /** Scripts that play MCP servers of the plugin. */
  readonly stubs: ServerStubs;
}

/** Where a plugin is, and what its marketplace declares for it. */
interface LocatedPlugin {
  readonly path: string;
  /** What its marketplace declares for it, or null if that is only a link. */
  readonly entry: EntryParts | null;
  /** The marketplace that offers it, or null for a plain folder. */
  readonly marketplace: Marketplace | null;
}

/** Finds a plugin that is asked for, or says why it cannot be found. Reads nothing outside the root. */
export async function locateOffered(
  paths: Confinement,
  { name, from, mode }: InstallRequest,
): Promise<LocatedPlugin> {
  for (const file of ['marketplace.json', 'plugin.json'])
    await paths.inside(join(from, '.claude-plugin', file), `${file} of ${from}`);
  const marketplace = await readMarketplace(from);
  if (marketplace !== null && 'problem' in marketplace) {
    throw new ToolError('PluginInvalidError', `Cannot read the marketplace file: ${marketplace.problem}`);
  }
  if (mode === 'marketplace' && marketplace === null) {
    throw new ToolError(
      'InstallationError',
      `${from} is not a marketplace: it has no .claude-plugin/marketplace.json.`,
      'Use mode "plugin-dir" for a plain folder.',
    );
  }
  const path =
    marketplace === null ? await findPluginFolder(name, from) : (marketplace.plugins.get(name) ?? null);
  if (path !== null) return { path, entry: marketplace?.entries.get(name) ?? null, marketplace };
  const there =
    marketplace === null ? '' : ` It offers: ${[...marketplace.plugins.keys()].join(', ') || 'nothing'}.`;
  throw new ToolError(
    'PluginNotFoundError',
    `There is no plugin ${JSON.stringify(name)} in ${from}.`,
    `Set marketplace_path to a marketplace, a folder that contains plugins, or the plugin's own folder.${there}`,
  );
}

const MAX_ENTRIES = 50_000;

/** Requires that a plugin's folder, whatever named it, and everything that links in it lead to are inside the root. */
export async function holdPlugin(paths: Confinement, folder: string): Promise<string> {
  const real = await paths.inside(folder, 'the folder of the plugin');
  let level = [real];
  for (let seen = 0; level.length > 0; ) {
    const below: string[] = [];
    for (const place of level) {
      for (const entry of await listOrNone(place)) {
        seen += 1;
        const path = join(place, entry.name);
        if (entry.isDirectory()) below.push(path);
        if (entry.isSymbolicLink()) await holdLink(paths, real, path);
      }
      if (seen > MAX_ENTRIES) {
        throw new ToolError(
          'PluginInvalidError',
          `Expected at most ${MAX_ENTRIES} files in the plugin ${real}, found more.`,
        );
      }
    }
    level = below;
  }
  return real;
}

/** Requires that the files that a manifest names are inside the root. */
export async function holdParts(paths: Confinement, plugin: Plugin): Promise<void> {
  for (const { file } of [...plugin.commands, ...plugin.agents, ...plugin.skills])
    await paths.inside(resolve(plugin.path, file), `${plugin.name} names ${file}, which`);
}

async function holdLink(paths: Confinement, plugin: string, path: string): Promise<void> {
  try {
    await paths.inside(await realpath(path), `${relative(plugin, path)}, a link in the plugin`);
  } catch (error) {
    // A link that leads nowhere shows nothing.
    if (!hasErrorCode(error, 'ENOENT', 'ELOOP', 'ENOTDIR')) throw error;
  }
}

async function listOrNone(folder: string) {
  if (!(await lstat(folder).catch(() => null))?.isDirectory()) return [];
  return readdir(folder, { withFileTypes: true });
}

/** A plugin of which a copy is loaded, in which scripts play MCP servers. */
export interface StubbedPlugin {
  /** The folder that it came from. */
  readonly origin: string;
  readonly stubs: ServerStubs;
}

/** Makes the copy in a folder. Its name stays: a plugin without a manifest is called after it. */
export async function copyWithStubs({ origin, stubs }: StubbedPlugin, into: string): Promise<string> {
  const copy = join(into, basename(origin));
  const source = await realpath(origin);
  await cp(source, copy, { recursive: true, verbatimSymlinks: true });
  await settleLinks(source, copy);
  await stubServers(copy, stubs);
  return copy;
}

/** What is changed in the copy, so that no link may lead from there to the plugin itself. */
const CHANGED = ['.claude-plugin', join('.claude-plugin', 'plugin.json'), '.mcp.json', '.ralph-e2e-stubs'];

/** Links stay links, because Claude Code leaves some of them out. Those that lead out of the plugin become absolute. */
async function settleLinks(source: string, copy: string): Promise<void> {
  const entries = await readdir(copy, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((found) => found.isSymbolicLink())) {
    const link = join(entry.parentPath, entry.name);
    const text = await readlink(link);
    const target = resolve(dirname(join(source, relative(copy, link))), text);
    if (CHANGED.includes(relative(copy, link))) {
      await rm(link);
      if (existsSync(target)) await cp(target, link, { recursive: true, dereference: true });
    } else if (!isAbsolute(text) && !folderHolds(source, target)) {
      await rm(link);
      await symlink(target, link);
    }
  }
}
