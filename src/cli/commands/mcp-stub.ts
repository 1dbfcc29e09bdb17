import { resolve } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { readStubScript } from '../../mcp-stub/script.js';
import { serveStub } from '../../mcp-stub/server.js';
import { EXIT, type ExitCode } from '../exit-codes.js';

/** The flags of `sim mcp` as commander passes them. */
export interface McpStubFlags {
  readonly script?: string;
  readonly mocks?: string;
  readonly calls?: string;
}

/** Runs `ralph-e2e sim mcp`: plays a script as an MCP server on stdio until its client closes the input. */
export async function mcpStubCommand(flags: McpStubFlags): Promise<ExitCode> {
  if (flags.script === undefined) {
    throw new KnownError('sim mcp needs --script <file>, which was not given.', {
      hint: 'Example: `ralph-e2e sim mcp --script server.json`. See docs/plugins.md#a-scripted-mcp-server.',
    });
  }
  const path = (value: string | undefined) => (value === undefined ? undefined : resolve(value));
  const ended = await serveStub(
    {
      script: readStubScript(flags.script),
      mocks: path(flags.mocks ?? process.env.RALPH_E2E_MCP_MOCKS),
      calls: path(flags.calls ?? process.env.RALPH_E2E_MCP_CALLS),
      cwd: process.cwd(),
    },
    process.stdin,
    process.stdout,
  );
  return ended === 'closed' ? EXIT.passed : EXIT.failed;
}
