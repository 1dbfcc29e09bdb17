export const SERVERS = {
  file: (plugin, draw, name) => {
    plugin.files['.mcp.json'] = JSON.stringify(
      draw.pick([{ mcpServers: servers(name, 'a') }, servers(name, 'a')]),
    );
  },
  inline: ({ manifest }, _, name) => {
    manifest.mcpServers = servers(name, 'b');
  },
  path: (plugin, draw, name) => {
    plugin.manifest.mcpServers = './config/servers.json';
    plugin.files['config/servers.json'] = JSON.stringify(
      draw.pick([{ mcpServers: servers(name, 'c') }, servers(name, 'c')]),
    );
  },
  several: (plugin, _, name) => {
    plugin.manifest.mcpServers = ['./config/servers.json', servers(name, 'e')];
    plugin.files['config/servers.json'] = JSON.stringify(servers(name, 'd'));
    plugin.files['.mcp.json'] = JSON.stringify({ mcpServers: servers(name, 'f') });
  },
  empty: ({ files }, draw) => {
    files['.mcp.json'] = draw.pick(['{}', '{"mcpServers":{}}']);
  },
};

/** A server that answers: Claude Code reports one that does not as failed. */
function servers(name, key) {
  const program = `
    const respond = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === 'initialize') respond(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: '${name}-${key}', version: '1' } });
      else if (method === 'tools/list') respond(id, { tools: [{ name: 'look', inputSchema: { type: 'object' } }] });
      else if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } }) + '\\n');
    });`;
  return { [`${key}-server`]: { command: 'node', args: ['-e', program] } };
}
