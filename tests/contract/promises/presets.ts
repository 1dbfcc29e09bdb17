import type { Promises } from '../promise.js';

export const presets: Promises = {};
