import type { Promises } from '../promise.js';

export const gates: Promises = {};
