import { chmod, cp } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { outputFile, pathExists, remove } from 'fs-extra/esm';
import { KnownError } from '../../../domain/common/known-error.js';
import type { PluginSource } from '../../../domain/scenario/conversation-arrangement.js';
import { contains, copyAround } from './copy-around.js';
import { stubServers } from './stub-servers.js';

/**
 * Returns the folders of an attempt's plugins. Writes out plugins that differ from their folder or have none, and those
 * whose folder contains `output`, where the workspaces are.
 */
export async function layOutPlugins(
  sources: readonly PluginSource[],
  into: string,
  output: string | null = null,
): Promise<string[]> {
  const folders: string[] = [];
  for (const source of sources) folders.push(await layOut(source, into, output));
  return folders;
}

async function layOut(source: PluginSource, into: string, output: string | null): Promise<string> {
  if (typeof source === 'string') {
    // If the folder is missing, the CLI must report it: its report is worth a test.
    if (output === null || !contains(source, output)) return source;
    // Claude Code 2.1.325 lets no agent write below the folder of a plugin: to it, all files there are sensitive.
    const copy = join(into, basename(resolve(source)));
    await copyAround(resolve(source), copy, output);
    return copy;
  }
  const { name, from, files = {}, stubs = {} } = source;
  if (name !== basename(name)) {
    throw new KnownError(`Expected a plugin name without slashes, found "${name}".`, {
      hint: 'The name becomes a folder name.',
    });
  }
  const folder = join(into, name);
  if (from !== undefined) {
    if (!(await pathExists(from)))
      throw new KnownError(`Cannot copy the plugin ${name}: expected a folder at ${from}, found none.`);
    if (output !== null && contains(from, output)) await copyAround(resolve(from), folder, output);
    else await cp(from, folder, { recursive: true });
  }
  for (const [path, file] of Object.entries(files)) {
    if (file === null) await remove(join(folder, path));
    else if (typeof file === 'string') await outputFile(join(folder, path), file);
    else {
      await outputFile(join(folder, path), file.content);
      await chmod(join(folder, path), file.mode);
    }
  }
  await stubServers(folder, stubs);
  return folder;
}
