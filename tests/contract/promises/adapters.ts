import type { Promises } from '../promise.js';

export const adapters: Promises = {};
