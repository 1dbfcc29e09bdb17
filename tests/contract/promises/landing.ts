import type { Promises } from '../promise.js';

export const landing: Promises = {};
