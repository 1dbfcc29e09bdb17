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

/** Every tool, by category. */
export const TOOLS: readonly Tool[] = [
  ...pluginTools,
  ...commandTools,
  ...conversationTools,
  ...agentStateTools,
  ...hookTools,
  ...environmentTools,
  ...assertionTools,
  ...mcpServerTools,
  ...harnessTools,
];
