import type { Promises } from '../promise.js';

export const memories: Promises = {};
