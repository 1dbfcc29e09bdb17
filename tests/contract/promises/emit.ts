import type { Promises } from '../promise.js';

export const emit: Promises = {};
