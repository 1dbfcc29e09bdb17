import type { Analysis } from '../domain/report/analysis.js';
import { diagnose } from './diagnosis/diagnose.js';
import { findExcuses } from './excuses/excuses.js';
import { assess } from './quality.js';
import { recommend } from './recommend.js';

/** Judges a run by rules alone: needs no model, costs nothing, always answers the same. */
export const analysis: Analysis = { diagnose, assess, recommend, findExcuses };
