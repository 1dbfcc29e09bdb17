import type { Scenario } from '../../src/authoring.js';
import { brokenPlugins } from './broken.js';
import { agentLoopCommands } from './commands/agent-loop.js';
import { eptiCommands } from './commands/epti.js';
import { visualCommands } from './commands/visual-iteration.js';
import { installations } from './installation.js';
import { hooksOfTwo, sharedTool, threePlugins } from './integration.js';
import { promptctlRecords, promptctlTells } from './promptctl.js';
import { givenToTheModel } from './what-the-model-gets.js';

/** Plugins: loaded, installed and broken ones, their commands, hooks and servers, and several at once. */
export const plugins: readonly Scenario[] = [
  ...installations,
  ...brokenPlugins,
  ...agentLoopCommands,
  ...eptiCommands,
  ...visualCommands,
  promptctlRecords,
  promptctlTells,
  threePlugins,
  sharedTool,
  hooksOfTwo,
  ...givenToTheModel,
];
