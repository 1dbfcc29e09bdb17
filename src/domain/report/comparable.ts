import * as z from 'zod';
import { targetSchema } from '../attempt.js';
import { groupBy } from '../common/group-by.js';
import { executionKey, type Outcome } from '../vocabulary.js';
import { causeSchema } from './failure-cause.js';
import { repeatsSchema } from './rates/repeats.js';
import { countsSchema, reportSchema } from './report.js';
import { checkSchema, contextSchema, resultSchema } from './result.js';

const usageSchema = z.object({ model: z.string().nullable() });

/** What a comparison reads of a result. A report of another version can name a backend that this one does not know. */
const comparedResultSchema = resultSchema
  .pick({
    ...{ scenario_id: true, scenario_hash: true, outcome: true, inconclusive: true, error: true },
    ...{ skip_reason: true, duration_seconds: true, harness_seconds: true },
  })
  .extend({
    backend: z.string(),
    known_issue: z.object({ reason: z.string() }).nullable(),
    repeats: repeatsSchema.pick({ counted: true, passed: true }).nullable(),
    assertions: z.array(checkSchema.pick({ name: true, passed: true, actual: true })),
    context: contextSchema
      .pick({ iterations_completed: true })
      .extend({ usage: usageSchema.nullable() })
      .nullable(),
  });
export type ComparedResult = z.infer<typeof comparedResultSchema>;

/** The part of a report that a comparison reads. It is small, so that other versions can change the rest. */
export const comparableReportSchema = reportSchema
  .pick({
    ...{ format: true, run_id: true, timestamp: true, ralph_version: true, lane: true, passed: true },
    ...{ interrupted: true, run_errors: true },
  })
  .extend({
    harness_version: z.string().nullable(),
    summary: countsSchema.pick({ total: true, passed: true, failed: true, errors: true, skipped: true }),
    target: targetSchema
      .pick({ kind: true, version: true, sha256: true, faults: true })
      .extend({ path: z.string().optional() }),
    backends_tested: z.array(z.object({ backend: z.string(), version: z.string().nullable() })),
    results: z.array(comparedResultSchema),
    causes: z.array(causeSchema.pick({ hypothesis: true, tests: true })),
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
