import * as z from 'zod';
import { spendingSchema } from './money/spending.js';
import { keyOfTest, testFields } from './vocabulary.js';

/** More machines than this are a slip of the finger. */
export const MOST_SHARDS = 1_000;

const countSchema = z.int().min(1).max(MOST_SHARDS);

/** Which part of the tests a run takes: `2/4` is `{ index: 2, total: 4 }`. For what comes from outside. */
export const shardChoiceSchema = z
  .object({ index: countSchema, total: countSchema })
  .refine(({ index, total }) => index <= total, 'expected an index up to the total');
export type ShardChoice = z.infer<typeof shardChoiceSchema>;

/** A test of the whole run. */
const shardedTestSchema = z.object({
  ...testFields,
  /** Changes with anything about the planned test. */
  hash: z.string().optional(),
  /** Set for a connect scenario: where a call costs money, several shards run it. */
  gate: z.literal(true).optional(),
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

/** Returns which part of a run this is. A run without `--shard` is its only one. */
export function choiceOf({ shard }: { readonly shard?: Shard | undefined }): ShardChoice {
  return shard === undefined ? { index: 1, total: 1 } : { index: shard.index, total: shard.total };
}

/** Deals tests out to shards in turn, sorted by name. Returns the number of each test's shard by its execution key. */
export function dealTests(
  tests: readonly Pick<ShardedTest, 'scenarioId' | 'backend'>[],
  total: number,
): ReadonlyMap<string, number> {
  const names = tests.map(keyOfTest).sort();
  return new Map(names.map((name, place) => [name, (place % total) + 1]));
}

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
  /**
   * The cost of attempts that do not count, in the live lane: they were cut off and ran again after the shard was resumed,
   * or another shard has the result of the same test.
   */
  uncounted: spendingSchema.optional(),
});
export type MergedShard = z.infer<typeof mergedShardSchema>;
