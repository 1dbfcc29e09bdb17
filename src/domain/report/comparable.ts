import * as z from 'zod';
import { FORMATS } from '../common/formats.js';
import { groupBy } from '../common/group-by.js';
import { executionKey, laneSchema, type Outcome, outcomeSchema } from '../vocabulary.js';

const comparedResultSchema = z.object({
  scenario_id: z.string(),
  backend: z.string(),
  outcome: outcomeSchema,
  inconclusive: z.boolean(),
  duration_seconds: z.number(),
  harness_seconds: z.number().nullable(),
  scenario_hash: z.string().nullable(),
  skip_reason: z.string().nullable(),
  error: z.string().nullable(),
  known_issue: z.object({ reason: z.string() }).nullable(),
  repeats: z.object({ counted: z.number(), passed: z.number() }).nullable(),
  assertions: z.array(
    z.object({
      name: z.string(),
      passed: z.boolean(),
      actual: z.string(),
    }),
  ),
  context: z
    .object({
      iterations_completed: z.number(),
      usage: z.object({ model: z.string().nullable() }).nullable(),
    })
    .nullable(),
});
export type ComparedResult = z.infer<typeof comparedResultSchema>;

/** The part of a report that a comparison reads. It is small, so that other versions can change the rest. */
export const comparableReportSchema = z.object({
  format: z.literal(FORMATS.report.format),
  run_id: z.string(),
  timestamp: z.string(),
  harness_version: z.string().nullable(),
  ralph_version: z.string(),
  lane: laneSchema,
  passed: z.boolean(),
  summary: z.object({
    total: z.number(),
    passed: z.number(),
    failed: z.number(),
    errors: z.number(),
    skipped: z.number(),
  }),
  interrupted: z.boolean(),
  run_errors: z.array(z.string()),
  target: z.object({ kind: z.enum(['real', 'stand-in']), version: z.string() }),
  backends_tested: z.array(z.object({ backend: z.string(), version: z.string().nullable() })),
  results: z.array(comparedResultSchema),
  causes: z.array(z.object({ hypothesis: z.string(), tests: z.array(z.string()) })),
});
export type ComparableReport = z.infer<typeof comparableReportSchema>;

/**
 * Lists why a comparison without new failures shows nothing: no test has a result in both runs, one of the runs did not
 * come to its end, or a report contradicts itself. `same` are the results of tests that are the same in both.
 */
export function listVoids(
  before: ComparableReport,
  after: ComparableReport,
  same: readonly (readonly [ComparedResult, ComparedResult])[],
): string[] {
  return [
    ...(before.run_id === after.run_id ? [`both are the run ${after.run_id}`] : []),
    ...(same.some((pair) => pair.every(isDecided)) ? [] : ['no test has a result in both runs']),
    ...[['earlier', before] as const, ['later', after] as const].flatMap(([which, report]) => [
      ...(report.interrupted ? [`the ${which} run was interrupted`] : []),
      ...report.run_errors.map((error) => `the ${which} run has no verdict: ${error}`),
      ...findTwins(report).map((name) => `the ${which} report has several results of ${name}`),
      ...findContradictions(report).map((found) => `the ${which} report contradicts itself: ${found}`),
    ]),
  ];
}

function isDecided({ outcome, inconclusive }: ComparedResult): boolean {
  return outcome !== 'skipped' && outcome !== 'error' && !inconclusive;
}

function findTwins({ results }: ComparableReport): string[] {
  const groups = groupBy(results, ({ scenario_id, backend }) => executionKey(scenario_id, backend));
  return [...groups].flatMap(([name, { length }]) => (length > 1 ? [name] : []));
}

/** The counts in the summary of a report, and what each counts. */
const COUNTED = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['errors', 'error'],
  ['skipped', 'skipped'],
] as const;

/** Compares what a report says about all results with its results: somebody may have removed or changed some. */
function findContradictions({ passed, summary, results }: ComparableReport): string[] {
  const count = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length;
  const counts = COUNTED.map(([field, outcome]) => [field, count(outcome)] as const);
  const broken = count('failed') + count('error');
  return [
    ...[['total', results.length - count('skipped')] as const, ...counts].flatMap(([field, found]) =>
      summary[field] === found ? [] : [`summary.${field} is not ${found}, as its results say`],
    ),
    ...(passed && broken > 0 ? [`passed is true, and ${broken} of ${results.length} results are not`] : []),
  ];
}
