import { chmod, cp, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathExists, remove } from 'fs-extra/esm';
import { KnownError } from '../../../domain/common/known-error.js';
import type { PluginSource } from '../../../domain/scenario/conversation-arrangement.js';
import { makeFolder, putFile } from '../../../exec/files/make-folder.js';
import { folderHolds } from '../../../exec/files/resolve-inside.js';
import { readPlugin } from './plugin.js';
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

/** Says what the plugins of a conversation have that the stand-in for claude does not play, and what does, or null. */
export async function explainUnplayed(sources: readonly PluginSource[]): Promise<string | null> {
  const copies = await mkdtemp(join(tmpdir(), 'ralph-e2e-plugins-'));
  try {
    for (const folder of await layOutPlugins(sources, copies)) {
      const { name, notPlayed } = await readPlugin(folder);
      if (notPlayed !== null)
        return `the plugin ${name} has ${notPlayed}, which the stand-in for claude does not play: use --lane scripted, which runs the real Claude Code at no cost${notPlayed.startsWith('MCP') ? ', or play the server with `stubs`' : ''}`;
    }
    return null;
  } finally {
    await remove(copies);
  }
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
    else if (typeof file === 'string') putFile(join(folder, path), file);
    else {
      putFile(join(folder, path), file.content);
      await chmod(join(folder, path), file.mode);
    }
  }
  await stubServers(folder, stubs);
  return folder;
}

function contains(folder: string, path: string): boolean {
  return folderHolds(resolve(folder), resolve(path));
}

/** Copies a folder without its git objects and without `left`, which is inside and where the copy may go. */
async function copyAround(from: string, to: string, left: string): Promise<void> {
  await makeFolder(to);
  for (const name of await readdir(from)) {
    const path = join(from, name);
    if (name === '.git' || contains(left, path)) continue;
    if (contains(path, left)) await copyAround(path, join(to, name), left);
    else await cp(path, join(to, name), { recursive: true, verbatimSymlinks: true });
  }
}
