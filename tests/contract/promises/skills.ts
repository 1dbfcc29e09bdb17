import type { Promises } from '../promise.js';

export const skills: Promises = {};
