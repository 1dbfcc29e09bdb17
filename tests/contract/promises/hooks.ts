import type { Promises } from '../promise.js';

export const hooks: Promises = {};
