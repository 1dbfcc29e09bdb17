import type { Promises } from '../promise.js';

export const tasks: Promises = {};
