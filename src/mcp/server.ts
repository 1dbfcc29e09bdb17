import { Server } from '@modelcontextprotocol/server';
import { findNearest } from '../domain/common/nearest.js';
import { harnessVersion } from '../exec/files/package-root.js';
import { ToolError, toFailureResult } from './errors.js';
import type { Harness } from './harness.js';
import type { CallContext } from './tool.js';
import { TOOLS } from './tools/index.js';

const INSTRUCTIONS = `Tests Claude Code plugins in conversations, and runs the scenarios of ralph-e2e.
Start with install_plugin, then start_conversation, then execute_command and send_prompt. The assert_* tools judge the answers.
list_scenarios, run_scenario, get_report and get_failure run the harness itself.
A failed call returns error_name, error and hint. The server keeps running.`;

/** Creates a server with all tools. Several can be open at once: they share the harness. */
export function createHarnessServer(harness: Harness): Server {
  const server = new Server(
    { name: 'ralph-e2e', version: harnessVersion() },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS.map(describeTool) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq, http }) => {
    const token = params._meta?.progressToken;
    return callTool(params.name, params.arguments, harness, {
      // Over HTTP, nobody gets the answer once the connection is gone.
      signal: http?.req === undefined ? mcpReq.signal : AbortSignal.any([mcpReq.signal, http.req.signal]),
      progress: (progress, total, message) => {
        if (token === undefined) return;
        const notice = { progressToken: token, progress, total, message };
        // Ignore a caller that is gone.
        mcpReq.notify({ method: 'notifications/progress', params: notice }).catch(() => {});
      },
    });
  });
  return server;
}

function describeTool({ name, category, description, inputSchema, outputSchema }: (typeof TOOLS)[number]) {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' as const },
    outputSchema: { ...outputSchema, type: 'object' as const },
    _meta: { 'ralph-e2e/category': category },
  };
}

/** Calls a tool. Every failure becomes a result with an error name and never ends the server. */
async function callTool(name: string, input: unknown, harness: Harness, context: CallContext) {
  try {
    const tool = TOOLS.find((known) => known.name === name);
    if (tool === undefined) {
      const names = TOOLS.map((known) => known.name);
      const similar = findNearest(name, names);
      throw new ToolError(
        'ToolNotFoundError',
        `Expected the name of a tool, found ${JSON.stringify(name)}.`,
        `${similar === undefined ? '' : `Did you mean ${similar}? `}The tools are: ${names.join(', ')}.`,
      );
    }
    return toResult(await tool.call(input, harness, context), false);
  } catch (error) {
    return toResult(toFailureResult(error), true);
  }
}

function toResult(structuredContent: Readonly<Record<string, unknown>>, isError: boolean) {
  const text = JSON.stringify(structuredContent, null, 2);
  return { content: [{ type: 'text' as const, text }], structuredContent: { ...structuredContent }, isError };
}
