import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type ServerStubs, stubServers } from '../../kinds/conversation/plugins/stub-servers.js';

/** A plugin of which a copy is loaded, in which scripts play MCP servers. */
export interface StubbedPlugin {
  /** The folder that it came from. */
  readonly origin: string;
  readonly stubs: ServerStubs;
}

/** Makes the copy in a folder. Its name stays: a plugin without a manifest is called after it. */
export async function copyWithStubs({ origin, stubs }: StubbedPlugin, into: string): Promise<string> {
  const copy = join(into, basename(origin));
  await cp(origin, copy, { recursive: true, dereference: true });
  await stubServers(copy, stubs);
  return copy;
}
