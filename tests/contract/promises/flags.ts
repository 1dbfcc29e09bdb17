import type { Promises } from '../promise.js';

export const flags: Promises = {};
