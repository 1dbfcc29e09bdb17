import type { Promises } from '../promise.js';

export const continuation: Promises = {};
