// The stub as a separate program, for plugins that include it: `node mcp-stub.cjs server.json`.
import { KnownError } from '../domain/common/known-error.js';
import { refuseDebugger } from '../exec/own-process.js';
import { readStubScript } from './script.js';
import { serveStub } from './server.js';

const [script] = process.argv.slice(2);

async function main(): Promise<number> {
  if (script === undefined)
    throw new KnownError('Expected the path of the server script as an argument, found none.');
  const { RALPH_E2E_MCP_MOCKS: mocks, RALPH_E2E_MCP_CALLS: calls } = process.env;
  const options = { script: readStubScript(script), mocks, calls, cwd: process.cwd() };
  return (await serveStub(options, process.stdin, process.stdout)) === 'closed' ? 0 : 1;
}

refuseDebugger();
main()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof KnownError ? error.message : String(error)}\n`);
    return 2;
  })
  .then((code) => process.exit(code));
