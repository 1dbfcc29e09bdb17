import type { Promises } from '../promise.js';

export const diagnostics: Promises = {};
