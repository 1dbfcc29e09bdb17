import * as z from 'zod';
import { FORMATS } from '../common/formats.js';
import { backendIdSchema, executionKey, laneSchema, outcomeSchema, testFields } from '../vocabulary.js';
import {
  findUsual,
  LATEST_PASSES,
  type Measured,
  measuredSchema,
  median,
  usualSchema,
} from './expectation.js';

/** One of the earlier runs that report.json lists. */
export const historyEntrySchema = z.object({
  run_id: z.string(),
  timestamp: z.string(),
  ralph_version: z.string(),
  passed: z.boolean(),
  /** The tests that ran, without known issues. */
  total: z.number(),
  /** The tests that passed, also on a retry. */
  passed_tests: z.number(),
  /** Between 0 and 1, or null if nothing ran that could pass. */
  pass_rate: z.number().nullable(),
  duration_seconds: z.number(),
  /** The cost of all attempts. Null in the offline lanes, or if no CLI reported a cost. */
  cost_usd: z.number().nullable(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** What a test took, whatever its outcome: later runs estimate from it. */
const spentSchema = z.object({
  model: z.string().nullable(),
  calls: z.number(),
  tokens: z.number().nullable(),
  usd: z.number(),
  seconds: z.number(),
});
export type Spent = z.infer<typeof spentSchema>;

/** The facts of a run that later runs need, in a separate file, so that they need not read every journal. */
export const runSummarySchema = historyEntrySchema.extend({
  format: z.literal(FORMATS.summary.format),
  lane: laneSchema,
  target_kind: z.enum(['real', 'stand-in']),
  verdict: z.string(),
  /** The SHA-256 of the Ralph: two builds can have the same version. Missing for a stand-in, and in older summaries. */
  ralph_sha256: z.string().optional(),
  /** The runs that `merge-reports` made this one from. Missing if it was not merged. */
  merged_from: z.array(z.string()).optional(),
  tests: z.array(
    z.object({
      scenario_id: z.string(),
      backend: backendIdSchema,
      outcome: outcomeSchema,
      duration_seconds: z.number(),
      /** Set for tests that passed. */
      measured: measuredSchema.optional(),
      /** What the test took, in the live lane: all attempts, or one repeat. */
      spent: spentSchema.optional(),
      /** How many attempts or repeats count and how many passed. */
      counts: z.object({ counted: z.number(), passed: z.number(), flips: z.number() }),
    }),
  ),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

/** The expected time of a test, and its usual metrics, from earlier passes. */
export const expectedTimeSchema = z.object({
  ...testFields,
  seconds: z.number(),
  usual: usualSchema.optional(),
});
export type ExpectedTime = z.infer<typeof expectedTimeSchema>;

/** Returns the earlier runs in the same lane on the same kind of target, oldest first. */
export function comparableRuns(
  runs: readonly RunSummary[],
  like: Pick<RunSummary, 'lane' | 'target_kind'>,
): RunSummary[] {
  return runs.filter(({ lane, target_kind }) => lane === like.lane && target_kind === like.target_kind);
}

/** Returns the latest run of exactly these tests; `keys` are their execution keys. */
export function findPrevious(runs: readonly RunSummary[], keys: ReadonlySet<string>): RunSummary | undefined {
  return runs.findLast(
    ({ tests }) =>
      tests.length === keys.size &&
      tests.every(({ scenario_id, backend }) => keys.has(executionKey(scenario_id, backend))),
  );
}

/** Returns the expected time of each test that passed before: the median of its latest times. */
export function expectTimes(runs: readonly RunSummary[]): ExpectedTime[] {
  const known = new Map<string, Known>();
  for (const { tests } of runs) {
    for (const { scenario_id, backend, outcome, duration_seconds, measured } of tests) {
      if (outcome !== 'passed' && outcome !== 'known-issue') continue;
      const key = executionKey(scenario_id, backend);
      const entry = known.get(key) ?? { scenarioId: scenario_id, backend, times: [], passes: [] };
      entry.times.push(duration_seconds);
      if (measured) entry.passes.push(measured);
      known.set(key, entry);
    }
  }
  return [...known.values()].map(({ scenarioId, backend, times, passes }) => {
    const usual = findUsual(passes);
    const seconds = median(times.slice(-LATEST_PASSES));
    return { scenarioId, backend, seconds, ...(usual === null ? {} : { usual }) };
  });
}

interface Known extends Pick<ExpectedTime, 'scenarioId' | 'backend'> {
  readonly times: number[];
  readonly passes: Measured[];
}
