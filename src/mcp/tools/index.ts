import type { Tool } from '../tool.js';
import { agentStateTools } from './agent-state.js';
import { assertionTools } from './assertions.js';
import { commandTools } from './commands.js';
import { conversationTools } from './conversations.js';
import { environmentTools } from './environment.js';
import { harnessTools } from './harness.js';
import { hookTools } from './hooks.js';
import { mcpServerTools } from './mcp-servers.js';
import { pluginTools } from './plugins.js';

const BY_CATEGORY: Readonly<Record<string, readonly Tool[]>> = {
  plugins: pluginTools,
  commands: commandTools,
  conversations: conversationTools,
  'agent state': agentStateTools,
  hooks: hookTools,
  environment: environmentTools,
  assertions: assertionTools,
  'mcp servers': mcpServerTools,
  harness: harnessTools,
};

/** Every tool, with its category. */
export const TOOLS = Object.entries(BY_CATEGORY).flatMap(([category, tools]) =>
  tools.map((tool) => ({ ...tool, category })),
);
