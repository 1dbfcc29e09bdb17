import { memoryDamage } from './tier-6-memory-damage.js';
import { memoryInjection } from './tier-6-memory-injection.js';
import { memoryKeptOut } from './tier-6-memory-kept-out.js';
import { memoryLoad } from './tier-6-memory-load.js';
import { memoryLookup } from './tier-6-memory-lookup.js';
import { memoryPersistence } from './tier-6-memory-persistence.js';
import { memorySkill } from './tier-6-memory-skill.js';
import { memoryStore } from './tier-6-memory-store.js';
import { memoryText } from './tier-6-memory-text.js';
import { runtimeTasks } from './tier-6-tasks.js';

/** What ralph keeps between iterations and runs: memories, and the tasks of a loop. */
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
  ...runtimeTasks,
];
