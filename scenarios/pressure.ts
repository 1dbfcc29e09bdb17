import { choicePressure } from './pressure/choices.js';
import { hatPressure } from './pressure/hats.js';
import { oddPressure } from './pressure/odds.js';
import { workPressure } from './pressure/work.js';

/** Hats under pressure: ambiguity, complexity, few iterations, conflict, edge cases, and several at once. */
export const pressure = [...hatPressure, ...choicePressure, ...workPressure, ...oddPressure];
