import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { hasErrorCode } from '../../exec/error-code.js';
import type { Plugin } from '../../kinds/conversation/plugins/plugin.js';
import type { Confinement } from '../confine.js';
import { ToolError } from '../errors.js';

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
