import { memoryDamage } from './damage.js';
import { memoryEdges } from './edges.js';
import { memoryInjection } from './injection.js';
import { memoryKeptOut } from './kept-out.js';
import { memoryLoad } from './load.js';
import { memoryLookup } from './lookup.js';
import { memoryOptions } from './options.js';
import { memoryPersistence } from './persistence.js';
import { memorySettings } from './settings.js';
import { memorySkill } from './skill.js';
import { memoryStore } from './store.js';
import { taskCommands } from './task-commands.js';
import { taskPrompt } from './task-prompt.js';
import { runtimeTasks } from './tasks.js';
import { memoryText } from './text.js';

/** What Ralph keeps between iterations and runs: memories, and the tasks of a loop. */
export const memory = [
  ...memoryStore,
  ...memoryLookup,
  ...memoryInjection,
  ...memoryKeptOut,
  ...memorySkill,
  ...memoryPersistence,
  ...memoryDamage,
  ...memoryLoad,
  ...memoryText,
  ...memoryOptions,
  ...memoryEdges,
  ...memorySettings,
  ...runtimeTasks,
  ...taskCommands,
  ...taskPrompt,
];
