import * as z from 'zod';
import { FORMATS } from '../common/format-version.js';
import { versionFields } from '../common/version-fields.js';
import { backendIdSchema, executionKey, laneSchema, outcomeSchema } from '../vocabulary.js';
import {
  findUsual,
  LATEST_PASSES,
  type Measured,
  measuredSchema,
  median,
  usualSchema,
} from './expectation.js';

/** One run among those that it may be compared with: what a trend is drawn from. */
export const historyEntrySchema = z.object({
  run_id: z.string(),
  timestamp: z.string(),
  ralph_version: z.string(),
  passed: z.boolean(),
  /** What ran, and how much of it passed (when tried again, too). Known issues count as neither. */
  total: z.number(),
  passed_tests: z.number(),
  /** Between 0 and 1; null when nothing ran that could pass. */
  pass_rate: z.number().nullable(),
  duration_seconds: z.number(),
  /** All attempts together. Null where nobody is paid: in the offline lanes, or when no CLI told it. */
  cost_usd: z.number().nullable(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** What later runs want to know of a run, in a file of its own: nobody should read all journals for it. */
export const runSummarySchema = historyEntrySchema.extend({
  ...versionFields(FORMATS.summary),
  lane: laneSchema,
  target_kind: z.enum(['real', 'stand-in']),
  verdict: z.string(),
  tests: z.array(
    z.object({
      scenario_id: z.string(),
      backend: backendIdSchema,
      outcome: outcomeSchema,
      duration_seconds: z.number(),
      /** Of tests that passed; summaries of older versions have none. */
      measured: measuredSchema.optional(),
    }),
  ),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

/** How long a test may be expected to take, because it took so long before; and what else its passes took. */
export const expectedTimeSchema = z.object({
  scenarioId: z.string(),
  backend: backendIdSchema,
  seconds: z.number(),
  usual: usualSchema.optional(),
});
export type ExpectedTime = z.infer<typeof expectedTimeSchema>;

/** The earlier runs that say something about a run in this lane on this kind of target, oldest first. */
export function comparableRuns(
  runs: readonly RunSummary[],
  like: Pick<RunSummary, 'lane' | 'target_kind'>,
): RunSummary[] {
  return runs.filter(({ lane, target_kind }) => lane === like.lane && target_kind === like.target_kind);
}

/** The usual time of each test that passed before: the median of its latest times. */
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
