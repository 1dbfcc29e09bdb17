import { chmod, cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { outputFile, pathExists, remove } from 'fs-extra/esm';
import { KnownError } from '../../../domain/common/known-error.js';
import type { PluginSource } from '../../../domain/scenario/conversation-arrangement.js';

/** The folders of the plugins of an attempt. A plugin that differs from its folder, or has none, is written out. */
export async function layOutPlugins(sources: readonly PluginSource[], into: string): Promise<string[]> {
  const folders: string[] = [];
  for (const source of sources) folders.push(await layOut(source, into));
  return folders;
}

async function layOut(source: PluginSource, into: string): Promise<string> {
  // A folder that is not there is for the CLI to report: what it then says is worth a test.
  if (typeof source === 'string') return source;
  const { name, from, files } = source;
  if (name !== basename(name)) {
    throw new KnownError(`Expected the name of a plugin, found "${name}".`, {
      hint: 'It becomes a folder: no slashes.',
    });
  }
  const folder = join(into, name);
  if (from !== undefined) {
    if (!(await pathExists(from)))
      throw new KnownError(`The plugin ${name} is to be copied from ${from}: no such folder.`);
    await cp(from, folder, { recursive: true });
  }
  for (const [path, file] of Object.entries(files)) {
    if (file === null) await remove(join(folder, path));
    else if (typeof file === 'string') await outputFile(join(folder, path), file);
    else {
      await outputFile(join(folder, path), file.content);
      await chmod(join(folder, path), file.mode);
    }
  }
  return folder;
}
