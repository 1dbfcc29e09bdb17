import type { Promises } from '../promise.js';

export const human: Promises = {};
