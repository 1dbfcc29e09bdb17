import type { Area, Promises } from '../promise.js';
import { adapters } from './adapters.js';
import { completion } from './completion.js';
import { config } from './config.js';
import { continuation } from './continue.js';
import { diagnostics } from './diagnostics.js';
import { emit } from './emit.js';
import { exitCodes } from './exit-codes.js';
import { flags } from './flags.js';
import { gates } from './gates.js';
import { hats } from './hats.js';
import { history } from './history.js';
import { hooks } from './hooks.js';
import { human } from './human.js';
import { landing } from './landing.js';
import { limits } from './limits.js';
import { loops } from './loops.js';
import { memories } from './memories.js';
import { presets } from './presets.js';
import { prompt } from './prompt.js';
import { routing } from './routing.js';
import { skills } from './skills.js';
import { tasks } from './tasks.js';
import { waves } from './waves.js';

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
