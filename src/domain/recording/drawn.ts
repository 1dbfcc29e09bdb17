import * as z from 'zod';
import { backendIdSchema } from '../vocabulary.js';

/** The random values of an attempt. With them, a scenario arranges and expects the same again. */
export const drawnSchema = z.object({
  nonce: z.string(),
  numbers: z.tuple([z.number(), z.number(), z.number()]).readonly(),
  second: backendIdSchema,
});
