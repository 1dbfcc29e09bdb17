import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer } from '../../scripts/plugins/server.mjs';
import { tempFolder } from '../support/cli.js';

/** A server that initializes, and then does what `code` says. */
function serverThat(code: string) {
  const root = tempFolder();
  const cli = join(root, 'server.cjs');
  writeFileSync(
    cli,
    `const lines = require('node:readline').createInterface({ input: process.stdin });
    lines.on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const serverInfo = { name: 'fake', version: '1' };
      const { protocolVersion } = params ?? {};
      if (method === 'initialize') {
        const result = { protocolVersion, capabilities: { tools: {} }, serverInfo };
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      }
    });
    ${code}`,
  );
  return { root, open: () => startServer(cli, ['mcp', '--lane', 'sim']) };
}

test('a server that needs seconds to end what it started is waited for', async () => {
  const { root, open } = serverThat(
    "lines.on('close', () => setTimeout(() => require('node:fs').writeFileSync(__dirname + '/ended', ''), 3000));",
  );
  await (await open()).close();
  expect(existsSync(join(root, 'ended'))).toBe(true);
});

test('a server that ends early is named by its lane, with what it said', async () => {
  const atOnce = serverThat("console.error('no such option'); process.exit(2);");
  await expect(atOnce.open()).rejects.toThrow('ralph-e2e mcp --lane sim ended early: no such option');
  const inCall = serverThat(
    "lines.on('line', (line) => { if (line.includes('tools/call')) { console.error('boom'); process.exit(1); } });",
  );
  const { call } = await inCall.open();
  await expect(call('install_plugin', {})).rejects.toThrow('ralph-e2e mcp --lane sim ended early: boom');
});
