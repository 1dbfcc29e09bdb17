// A server of ours that ends by itself: the SDK's own transport kills one that takes seconds to end what it started.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';

/** Some tools start the real Claude Code. */
const TOOL_MS = 300_000;
/** How much is kept of what a server writes to stderr. */
const MAX_SAID = 2000;

/**
 * Starts a server. `call` uses one of its tools, `close` waits until it has ended. If it ends early, calls say so.
 *
 * @param {string} cli
 * @param {readonly string[]} args
 */
export async function startServer(cli, args) {
  const child = spawn(process.execPath, [cli, ...args]);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-MAX_SAID);
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const gone = ended.then(() => {
    throw new Error(`ralph-e2e ${args.join(' ')} ended early: ${said.trim() || 'it said nothing'}`);
  });
  // It ends after the last call, too.
  gone.catch(() => {});
  const client = new Client({ name: 'compare-plugins', version: '1' });
  await Promise.race([gone, client.connect(transportOver(child, ended))]);
  return {
    /** @type {(name: string, input: Record<string, unknown>) => ReturnType<typeof client.callTool>} */
    call: (name, input) =>
      Promise.race([gone, client.callTool({ name, arguments: input }, { timeout: TOOL_MS })]),
    close: () => client.close(),
  };
}

/**
 * @param {import('node:child_process').ChildProcessWithoutNullStreams} child
 * @param {Promise<unknown>} ended
 */
function transportOver(child, ended) {
  /** @type {import('@modelcontextprotocol/client').Transport} */
  const transport = {
    start: async () => {
      createInterface({ input: child.stdout }).on('line', (line) => transport.onmessage?.(JSON.parse(line)));
      // A server that ended early is reported by its end.
      child.stdin.on('error', () => {});
    },
    send: async (message) => {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    close: async () => {
      child.stdin.end();
      await ended;
      transport.onclose?.();
    },
  };
  return transport;
}
