import type { Promises } from '../promise.js';

export const limits: Promises = {};
