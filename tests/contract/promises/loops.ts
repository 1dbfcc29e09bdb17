import type { Promises } from '../promise.js';

export const loops: Promises = {};
