import * as z from 'zod';
import { backendIdSchema } from '../vocabulary.js';

/** Whether a backend is logged in, and how we know. No probe spends a token. */
const authenticationSchema = z.object({
  authenticated: z.boolean(),
  source: z.string(),
  detail: z.string(),
});
export type Authentication = z.infer<typeof authenticationSchema>;

/** Whether a backend can be used in a lane. If not, `reason` and `fix` are set. */
export const readinessSchema = z.object({
  backend: backendIdSchema,
  ready: z.boolean(),
  available: z.boolean(),
  path: z.string().nullable(),
  version: z.string().nullable(),
  authentication: authenticationSchema.nullable(),
  reason: z.string().nullable(),
  fix: z.string().nullable(),
});
export type Readiness = z.infer<typeof readinessSchema>;
