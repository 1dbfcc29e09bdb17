import * as z from 'zod';
import { aboutSchema } from '../check.js';
import { FORMATS } from '../common/format-version.js';
import { schemaVersionFields } from '../common/version-fields.js';
import { laneSchema, outcomeSchema } from '../vocabulary.js';

const comparedResultSchema = z.object({
  scenario_id: z.string(),
  backend: z.string(),
  outcome: outcomeSchema,
  inconclusive: z.boolean().default(false),
  duration_seconds: z.number(),
  harness_seconds: z.number().nullable().default(null),
  scenario_hash: z.string().nullable().default(null),
  skip_reason: z.string().nullable().default(null),
  error: z.string().nullable().default(null),
  assertions: z
    .array(
      z.object({
        key: z.string().optional(),
        name: z.string(),
        about: aboutSchema.optional(),
        passed: z.boolean(),
        actual: z.string().default(''),
      }),
    )
    .default([]),
  context: z
    .object({
      iterations_completed: z.number(),
      usage: z
        .object({ model: z.string().nullable().default(null) })
        .nullable()
        .default(null),
    })
    .nullable()
    .default(null),
});
export type ComparedResult = z.infer<typeof comparedResultSchema>;

/** The part of a report that a comparison reads. It is small, so that reports of other versions can be compared. */
export const comparableReportSchema = z.object({
  ...schemaVersionFields(FORMATS.report),
  run_id: z.string(),
  timestamp: z.string(),
  harness_version: z.string().nullable().default(null),
  ralph_version: z.string(),
  lane: laneSchema,
  interrupted: z.boolean(),
  target: z.object({ kind: z.enum(['real', 'stand-in']), version: z.string() }),
  backends_tested: z.array(z.object({ backend: z.string(), version: z.string().nullable() })).default([]),
  results: z.array(comparedResultSchema),
});
export type ComparableReport = z.infer<typeof comparableReportSchema>;
