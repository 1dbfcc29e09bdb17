import { createHash } from 'node:crypto';
import { type Planned, plannedSchema, type Target } from '../../domain/attempt.js';
import { dealTests, type Shard, type ShardChoice } from '../../domain/shard.js';
import { type BackendId, executionKey, LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';
import { describePlanned, hashScenario, type Listed, type Selected } from '../planned.js';

/** The tests of one shard, and how many there are in all. */
export interface TakenShard<Any extends Listed> extends ShardChoice {
  readonly part: readonly Selected<Any>[];
  readonly all: number;
}

/**
 * Takes the tests of a shard. With the same tests, every machine deals out the same parts. Where a call costs money, each
 * shard also runs the connect scenarios of its backends: nothing is spent on a backend that does not answer.
 */
export function takeShard<Any extends Listed>(
  whole: readonly Selected<Any>[],
  { index, total }: ShardChoice,
  lane: Lane,
): TakenShard<Any> {
  const shards = dealTests(whole.map(toTest), total);
  const isOwn = (job: Selected<Any>) => shards.get(executionKey(job.scenario.id, job.backend)) === index;
  const backends = new Set<BackendId>(whole.filter(isOwn).map(({ backend }) => backend));
  const isGate = ({ scenario, backend }: Selected<Any>) =>
    LANE_TRAITS[lane].costsMoney && scenario.gate && backends.has(backend);
  return { index, total, part: whole.filter((job) => isOwn(job) || isGate(job)), all: whole.length };
}

function toTest({ scenario, backend }: Selected<Listed>) {
  return { scenarioId: scenario.id, backend };
}

/** Describes a shard and the whole run for the record, so that shards of different runs are never merged. */
export function recordShard(
  whole: readonly Selected[],
  { index, total }: ShardChoice,
  run: {
    readonly lane: Lane;
    readonly target: Target;
    readonly timeoutSeconds: number | null;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): Shard {
  const ciRun = findCiRun(run.env);
  const plan = whole.map((job) => ({
    ...{ ...toTest(job), hash: hashTest(job, run) },
    ...(job.scenario.gate ? { gate: true as const } : {}),
  }));
  return { index, total, ...(ciRun === undefined ? {} : { ciRun }), plan };
}

/**
 * Computes a hash that changes if anything about a planned test does: what `resume` compares, in a few digits. A scenario
 * that arranges something else each time is compared without that.
 */
export function hashTest(job: Selected, run: Parameters<typeof describePlanned>[1]): string {
  const planned = describePlanned(job, run);
  return hashPlanned(planned, hashScenario(job.scenario, job.backend, run.lane).hash === planned.hash);
}

/** Computes that hash from what a run recorded of the test. */
export function hashPlanned(planned: Planned, isSteady: boolean): string {
  // As a journal has it: the parser decides the order of the fields.
  const { hash, ...described } = plannedSchema.parse(planned);
  const text = JSON.stringify({ ...described, hash: isSteady ? hash : null });
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** The variables that together name one run of a CI system. Kubernetes has none. */
const CI_RUN_VARIABLES = [
  // GitHub Actions. Not its attempt: one may run only the jobs again that failed.
  'GITHUB_RUN_ID',
  // GitLab
  'CI_PIPELINE_ID',
  'CIRCLE_WORKFLOW_ID',
  'BUILDKITE_BUILD_ID',
] as const;

/** Names the CI run that a shard belongs to; undefined if there is none. */
export function findCiRun(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const found = CI_RUN_VARIABLES.flatMap((name) => {
    const value = env[name] ?? '';
    return value === '' ? [] : [`${name}=${value}`];
  });
  return found.length === 0 ? undefined : found.join(' ');
}
