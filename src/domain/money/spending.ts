import * as z from 'zod';

/** What agent calls cost. */
export const spendingSchema = z.object({
  /** Iterations of loops and turns of conversations. */
  calls: z.number(),
  /** Null if the CLI reported none. Tokens that were read from a cache count. */
  tokens: z.number().nullable(),
  usd: z.number(),
  /** The part of `usd` that is an estimate, because the CLI reported no cost or was ended before it could. */
  estimatedUsd: z.number(),
});
export type Spending = z.infer<typeof spendingSchema>;

export const NOTHING_SPENT: Spending = { calls: 0, tokens: null, usd: 0, estimatedUsd: 0 };

/** Adds what was spent. */
export function addSpending(all: readonly Spending[]): Spending {
  return all.reduce(
    (sum, one) => ({
      calls: sum.calls + one.calls,
      tokens: one.tokens === null ? sum.tokens : (sum.tokens ?? 0) + one.tokens,
      usd: sum.usd + one.usd,
      estimatedUsd: sum.estimatedUsd + one.estimatedUsd,
    }),
    NOTHING_SPENT,
  );
}

/** Lists what records say was paid. Every kind of record that costs something has a `spending`. */
export function listSpending(
  records: readonly { readonly type: string; readonly spending?: Spending | undefined }[],
): Spending[] {
  return records.flatMap(({ spending }) => spending ?? []);
}

/** What a run is expected to take. Every number is an estimate. */
export const estimateSchema = z.object({
  tests: z.number(),
  calls: z.number(),
  tokens: z.number(),
  /** Without the backends in `unpriced`. */
  usd: z.number(),
  seconds: z.number(),
  /** How many of the tests were measured by earlier runs in this folder. The others are averages. */
  measured: z.number(),
  /** The backends for which no price is known. */
  unpriced: z.array(z.string()),
});
export type Estimate = z.infer<typeof estimateSchema>;

/** How much a run may spend, and what it was expected to spend. */
export const budgetSchema = z.object({
  estimate: estimateSchema,
  /** From `--max-cost`; null without it. */
  maxUsd: z.number().nullable(),
});
export type Budget = z.infer<typeof budgetSchema>;
