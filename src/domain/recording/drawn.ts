import * as z from 'zod';
import { backendIdSchema } from '../vocabulary.js';

const numberSchema = z.number().int().min(0).max(9999);

/**
 * The random values of an attempt. With them, a scenario arranges and expects the same again. They go into commands and
 * configurations, and a recording may come from somebody else, so only what ralph-e2e draws is accepted.
 */
export const drawnSchema = z.object({
  nonce: z.string().regex(/^[a-z0-9]{1,40}$/),
  numbers: z.tuple([numberSchema, numberSchema, numberSchema]).readonly(),
  second: backendIdSchema,
});
