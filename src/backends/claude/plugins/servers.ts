import { join, relative, resolve } from 'node:path';
import { asList, asRecord, readJsonFile } from './files.js';
import { isServer } from './manifest.js';
import type { PartsReader } from './parts.js';

/** Reads the MCP servers: .mcp.json, then the files and objects of the manifest, which replace those of the same name. */
export function readServerParts(reader: PartsReader): Readonly<Record<string, unknown>> {
  const { root, manifest, entry, objections } = reader;
  const own = join(root, '.mcp.json');
  const found: Record<string, unknown> = {};
  for (const source of [own, ...asList(manifest.mcpServers), ...asList(entry?.mcpServers)]) {
    const inline = asRecord(source);
    const file = inline === null ? resolve(root, String(source)) : null;
    const shown = file === null ? 'plugin.json' : relative(root, file);
    const servers = inline ?? readServersFile(reader, file ?? own, own);
    for (const [name, server] of Object.entries(servers ?? {})) {
      if (isServer(server)) found[name] = server;
      else objections.push(`${shown}: mcpServers.${name}: it is not a server, and Claude Code drops it`);
    }
  }
  return found;
}

function readServersFile(
  { root, objections }: PartsReader,
  file: string,
  own: string,
): Readonly<Record<string, unknown>> | null {
  const json = readJsonFile(file);
  const shown = relative(root, file);
  if (json === null) {
    if (file !== own) objections.push(`plugin.json: mcpServers: Path not found: ./${shown}.`);
    return null;
  }
  if ('mistake' in json) {
    objections.push(`${shown}: Invalid JSON syntax: ${json.mistake}`);
    return null;
  }
  const content = asRecord(json.value);
  return asRecord(content?.mcpServers) ?? content;
}
