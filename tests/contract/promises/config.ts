import type { Promises } from '../promise.js';

export const config: Promises = {};
