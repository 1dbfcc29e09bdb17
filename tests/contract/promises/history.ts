import type { Promises } from '../promise.js';

export const history: Promises = {};
