import type { Promises } from '../promise.js';

export const exitCodes: Promises = {};
