import type { SessionInit } from '../../../backends/claude/stream.js';
import type { ConversationRecord } from '../../../domain/evidence/conversation.js';
import type { McpServer } from './mcp-servers.js';

/** Returns what Claude Code reported about itself, with the errors of the servers that failed. */
export function describeInit(
  init: SessionInit | null,
  servers: readonly McpServer[] = [],
): ConversationRecord['init'] {
  if (init === null) return null;
  return {
    version: init.claude_code_version,
    model: init.model,
    permissionMode: init.permissionMode,
    tools: init.tools,
    agents: init.agents,
    skills: init.skills,
    mcpServers: init.mcp_servers.map(({ name, status }) => {
      const { error } = servers.find((server) => server.name === name) ?? {};
      return { name, status, ...(status === 'failed' && error !== undefined ? { error } : {}) };
    }),
    plugins: init.plugins,
    pluginErrors: init.plugin_errors,
  };
}
