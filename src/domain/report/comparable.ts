import * as z from 'zod';
import { FORMATS } from '../common/format-version.js';
import { schemaVersionFields } from '../common/version-fields.js';
import { executionKey, laneSchema, outcomeSchema } from '../vocabulary.js';

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
  known_issue: z.object({ reason: z.string() }).nullable().default(null),
  repeats: z.object({ counted: z.number(), passed: z.number() }).nullable().default(null),
  assertions: z
    .array(
      z.object({
        name: z.string(),
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
  run_errors: z.array(z.string()).default([]),
  target: z.object({ kind: z.enum(['real', 'stand-in']), version: z.string() }),
  backends_tested: z.array(z.object({ backend: z.string(), version: z.string().nullable() })).default([]),
  results: z.array(comparedResultSchema),
  causes: z.array(z.object({ hypothesis: z.string(), tests: z.array(z.string()) })).default([]),
});
export type ComparableReport = z.infer<typeof comparableReportSchema>;

/**
 * Lists why a comparison without new failures shows nothing: no test has a result in both runs, or one of the runs did
 * not come to its end.
 */
export function listVoids(before: ComparableReport, after: ComparableReport): string[] {
  const shared = after.results.filter(
    (result) =>
      isDecided(result) && before.results.some((other) => isDecided(other) && isSameTest(other, result)),
  );
  return [
    ...(before.run_id === after.run_id ? [`both are the run ${after.run_id}`] : []),
    ...(shared.length === 0 ? ['no test has a result in both runs'] : []),
    ...[['earlier', before] as const, ['later', after] as const].flatMap(([which, report]) => [
      ...(report.interrupted ? [`the ${which} run was interrupted`] : []),
      ...report.run_errors.map((error) => `the ${which} run has no verdict: ${error}`),
      ...findTwins(report).map((name) => `the ${which} report has several results of ${name}`),
    ]),
  ];
}

function isDecided({ outcome, inconclusive }: ComparedResult): boolean {
  return outcome !== 'skipped' && outcome !== 'error' && !inconclusive;
}

function isSameTest(one: ComparedResult, other: ComparedResult): boolean {
  const isNamedAlike = one.scenario_id === other.scenario_id && one.backend === other.backend;
  const [was, is] = [one.scenario_hash, other.scenario_hash];
  return isNamedAlike && (was === null || is === null || was === is);
}

function findTwins({ results }: ComparableReport): string[] {
  const names = results.map(({ scenario_id, backend }) => executionKey(scenario_id, backend));
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
