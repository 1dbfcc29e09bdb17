import { choicePressure } from './choices.js';
import { hatPressure } from './hats.js';
import { oddPressure } from './odds.js';
import { workPressure } from './work.js';

/** Hats under pressure: ambiguity, complexity, few iterations, conflict, edge cases, and several at once. */
export const pressure = [...hatPressure, ...choicePressure, ...workPressure, ...oddPressure];
