import type { Promises } from '../promise.js';

export const hats: Promises = {};
