import type { Area, Promises } from '../../src/authoring.js';
import { adapters } from './agent/adapters.js';
import { hooks } from './agent/hooks.js';
import { human } from './agent/human.js';
import { memories } from './agent/memories.js';
import { prompt } from './agent/prompt.js';
import { skills } from './agent/skills.js';
import { tasks } from './agent/tasks.js';
import { completion } from './loop/completion.js';
import { continuation } from './loop/continue.js';
import { exitCodes } from './loop/exit-codes.js';
import { gates } from './loop/gates.js';
import { hats } from './loop/hats.js';
import { limits } from './loop/limits.js';
import { loops } from './loop/loops.js';
import { routing } from './loop/routing.js';
import { waves } from './loop/waves.js';
import { config } from './program/config.js';
import { diagnostics } from './program/diagnostics.js';
import { emit } from './program/emit.js';
import { flags } from './program/flags.js';
import { history } from './program/history.js';
import { landing } from './program/landing.js';
import { presets } from './program/presets.js';

/** Every promise, by its area. */
export const CONTRACT: Readonly<Record<Area, Promises>> = {
  completion,
  limits,
  'exit-codes': exitCodes,
  routing,
  hats,
  prompt,
  memories,
  tasks,
  gates,
  hooks,
  human,
  skills,
  waves,
  continue: continuation,
  loops,
  emit,
  config,
  flags,
  history,
  landing,
  adapters,
  diagnostics,
  presets,
};
