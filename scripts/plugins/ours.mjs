// What ralph-e2e says about plugins: a client of `ralph-e2e mcp`, as any other.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Opens a server. `read` installs a plugin and returns its status, or the error that refuses it by name. */
export async function openServer(cli, { lane, root, executable, script, output }) {
  const lanes = lane === 'scripted' ? ['--executable', executable] : [];
  const args = ['mcp', '--lane', lane, ...lanes, '--script', script, '--root', root, '--output', output];
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const closed = new Promise((resolve) => child.on('close', resolve));
  let last = 0;
  const request = (method, params) => {
    last += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
    const answered = new Promise((resolve) => waiting.set(last, resolve));
    const gone = closed.then(() => {
      throw new Error(`ralph-e2e mcp --lane ${lane} ended early`);
    });
    return Promise.race([answered, gone]);
  };
  const call = async (name, input) => {
    const { result, error } = await request('tools/call', { name, arguments: input });
    if (error !== undefined) throw new Error(error.message);
    return result;
  };
  const clientInfo = { name: 'compare-plugins', version: '1' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    read: async ({ name, marketplace, folder }) => {
      const path = marketplace ?? folder;
      const installed = await call('install_plugin', { plugin_name: name, marketplace_path: path });
      if (installed.isError)
        return { refused: `${installed.structuredContent.error_name}: ${installed.structuredContent.error}` };
      const status = await call('get_plugin_status', { plugin_name: name });
      const { hooks: listed } = (await call('list_active_hooks', {})).structuredContent;
      await call('uninstall_plugin', { plugin_name: name });
      return describe(status.structuredContent, listed);
    },
    close: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

function describe(
  { status, error_message: error, commands, skills, agents, hooks, mcp_servers: servers },
  listed,
) {
  const there = (parts) => parts.filter(({ available, active }) => available ?? active);
  const names = (parts) =>
    there(parts)
      .map(({ name }) => name)
      .sort();
  return {
    verdict: status,
    error: error ?? '',
    commands: names(commands),
    skills: names(skills),
    aliases: there([...commands, ...skills])
      .flatMap(({ aliases }) => aliases)
      .sort(),
    agents: names(agents),
    hooks: {
      count: there(hooks).length,
      events: [...new Set(there(hooks).map(({ event }) => event))],
      listed: listed.filter(({ enabled }) => enabled).length,
    },
    servers: servers
      .filter((server) => server.status !== 'unknown')
      .map(({ name }) => name)
      .sort(),
  };
}
