import type { DifferentialCase } from '../case.js';
import { BACKENDS } from './backends.js';
import { BAD_INPUT } from './bad-input.js';
import { COMMAND_LINE } from './command-line.js';
import { COMPLETION } from './completion.js';
import { CONFIG } from './config.js';
import { EVENTS } from './events.js';
import { EXECUTION } from './execution.js';
import { GATES } from './gates.js';
import { HOOK_METADATA } from './hook-metadata.js';
import { HOOKS } from './hooks.js';
import { LIMITS } from './limits.js';
import { LOG } from './log.js';
import { MEMORIES } from './memories.js';
import { OTHER_COMMANDS } from './other-commands.js';
import { PROMPT } from './prompt.js';
import { REFUSALS } from './refusals.js';
import { ROUTING } from './routing.js';
import { TASKS } from './tasks.js';
import { WORLD } from './world.js';

/** All cases, in the order in which they run: those that wait come early, so that others run meanwhile. */
export const CORPUS: readonly DifferentialCase[] = [
  ...EVENTS,
  ...LIMITS,
  ...HOOKS,
  ...HOOK_METADATA,
  ...LOG,
  ...COMPLETION,
  ...REFUSALS,
  ...GATES,
  ...ROUTING,
  ...PROMPT,
  ...MEMORIES,
  ...TASKS,
  ...BACKENDS,
  ...EXECUTION,
  ...CONFIG,
  ...COMMAND_LINE,
  ...OTHER_COMMANDS,
  ...WORLD,
  ...BAD_INPUT,
];
