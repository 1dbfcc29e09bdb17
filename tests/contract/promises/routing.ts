import type { Promises } from '../promise.js';

export const routing: Promises = {};
