import type { Promises } from '../promise.js';

export const prompt: Promises = {};
