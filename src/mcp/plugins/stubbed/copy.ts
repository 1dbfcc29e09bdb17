import { existsSync } from 'node:fs';
import { cp, readdir, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { type ServerStubs, stubServers } from '../../../kinds/conversation/plugins/stub-servers.js';
import { folderHolds } from '../../confine.js';

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
