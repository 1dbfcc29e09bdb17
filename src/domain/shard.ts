import * as z from 'zod';
import { spendingSchema } from './money/spending.js';
import { backendIdSchema } from './vocabulary.js';

/** More machines than this are a slip of the finger. */
export const MOST_SHARDS = 1_000;

const countSchema = z.int().min(1).max(MOST_SHARDS);

/** Which part of the tests a run takes: `2/4` is `{ index: 2, total: 4 }`. For what comes from outside. */
export const shardChoiceSchema = z
  .object({ index: countSchema, total: countSchema })
  .refine(({ index, total }) => index <= total, 'expected an index up to the total');
export type ShardChoice = z.infer<typeof shardChoiceSchema>;

/** A test of the whole run, and the shard that runs it. */
const shardedTestSchema = z.object({
  scenarioId: z.string(),
  backend: backendIdSchema,
  shard: z.number(),
  /** Changes with anything about the planned test. */
  hash: z.string().optional(),
});
export type ShardedTest = z.infer<typeof shardedTestSchema>;

/** A part of a run, and the whole that it belongs to. Every machine must plan the same whole. */
export const shardSchema = z.object({
  index: z.number(),
  total: z.number(),
  /** The run of the CI system that the shard belongs to. Missing if no variable names it. */
  ciRun: z.string().optional(),
  /** All tests of all shards, in the order of the catalog. */
  plan: z.array(shardedTestSchema),
});
export type Shard = z.infer<typeof shardSchema>;

/** One of the runs that a merged run consists of. */
export const mergedShardSchema = z.object({
  index: z.number(),
  runId: z.string(),
  at: z.string(),
  tests: z.number(),
  durationSeconds: z.number(),
  interrupted: z.boolean(),
  /** How often the shard was resumed. */
  resumed: z.number(),
  /** The cost of attempts that were cut off and ran again after the shard was resumed, in the live lane. */
  cutOff: spendingSchema.optional(),
});
export type MergedShard = z.infer<typeof mergedShardSchema>;
