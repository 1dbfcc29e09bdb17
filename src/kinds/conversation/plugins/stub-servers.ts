import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { pathExists, readJson } from 'fs-extra/esm';
import { asList } from '../../../backends/claude/plugins/files.js';
import { isMapping } from '../../../domain/common/json-lines.js';
import { KnownError } from '../../../domain/common/known-error.js';
import { STUB_MARK } from '../../../domain/stub/mark.js';
import { type StubbedServer, stubbedServerSchema } from '../../../domain/stub/script.js';
import { putFile } from '../../../exec/files/make-folder.js';
import { packageRoot } from '../../../exec/files/package-root.js';
import { readPlugin } from './plugin.js';

/** Scripts that play MCP servers of a plugin, by the name of the server. */
export type ServerStubs = Readonly<Record<string, StubbedServer>>;

/** The folder for scripts and their player in a changed copy of a plugin. */
const FOLDER = '.ralph-e2e-stubs';

/** Changes a copy of a plugin so that scripts play some of its MCP servers, which do not start then. */
export async function stubServers(copy: string, stubs: ServerStubs): Promise<void> {
  const names = Object.keys(stubs);
  if (names.length === 0) return;
  const { name: plugin, servers, problems } = await readPlugin(copy);
  const unknown = names.find((name) => !Object.hasOwn(servers, name));
  if (unknown !== undefined) {
    throw new KnownError(
      `Cannot play the MCP server ${JSON.stringify(unknown)}: the plugin ${plugin} has ${Object.keys(servers).join(', ') || 'no servers'}.`,
      { hint: problems[0] ?? 'A stub needs the name of a server that the plugin declares.' },
    );
  }
  await cp(join(packageRoot(), 'dist', 'mcp-stub.cjs'), join(copy, FOLDER, 'play.cjs'));
  const played = await Promise.all(
    Object.entries(stubs).map(async ([name, stub], index) => {
      const file = `${index + 1}.json`;
      putJson(join(copy, FOLDER, file), { name, ...stubbedServerSchema.parse(stub) });
      const args = ['play.cjs', file].map((part) => `\${CLAUDE_PLUGIN_ROOT}/${FOLDER}/${part}`);
      return [name, { command: 'node', args, env: { [STUB_MARK]: name } }] as const;
    }),
  );
  await declare(copy, Object.fromEntries(played));
}

/** Declares servers. What the manifest names later replaces servers of the same name. */
async function declare(copy: string, servers: Readonly<Record<string, unknown>>): Promise<void> {
  const manifest = join(copy, '.claude-plugin', 'plugin.json');
  if (await pathExists(manifest)) {
    const content = await readMapping(manifest);
    putJson(manifest, { ...content, mcpServers: [...asList(content.mcpServers), servers] });
    return;
  }
  const file = join(copy, '.mcp.json');
  const content = await readMapping(file);
  const declared = isMapping(content.mcpServers) ? content.mcpServers : content;
  putJson(file, { mcpServers: { ...declared, ...servers } });
}

async function readMapping(path: string): Promise<Readonly<Record<string, unknown>>> {
  const content: unknown = await readJson(path);
  return isMapping(content) ? content : {};
}

function putJson(path: string, value: object): void {
  putFile(path, `${JSON.stringify(value)}\n`);
}
