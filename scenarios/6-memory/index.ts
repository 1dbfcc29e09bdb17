import { memoryAge } from './ages.js';
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
import { storeMeetings } from './stores/at-once.js';
import { elsewhere } from './stores/elsewhere.js';
import { textInTables } from './stores/text-in-tables.js';
import { tasksBlocked } from './tasks/blockers.js';
import { tasksEnsured } from './tasks/ensure.js';
import { taskStates } from './tasks/lifecycle.js';
import { tasksListed } from './tasks/list.js';
import { taskPrompt } from './tasks/prompt.js';
import { runtimeTasks } from './tasks/runtime.js';
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
  ...storeMeetings,
  ...elsewhere,
  ...memoryText,
  textInTables,
  ...memoryOptions,
  ...memoryEdges,
  ...memoryAge,
  ...memorySettings,
  ...runtimeTasks,
  tasksListed,
  tasksBlocked,
  tasksEnsured,
  taskStates,
  ...taskPrompt,
];
