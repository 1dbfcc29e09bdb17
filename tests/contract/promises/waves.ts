import type { Promises } from '../promise.js';

export const waves: Promises = {};
