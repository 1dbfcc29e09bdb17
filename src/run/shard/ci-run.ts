/** The variables that together name one run of a CI system. Kubernetes has none. */
const CI_RUN_VARIABLES = [
  // GitHub Actions. Not its attempt: one may run only the jobs again that failed.
  'GITHUB_RUN_ID',
  // GitLab
  'CI_PIPELINE_ID',
  'CIRCLE_WORKFLOW_ID',
  'BUILDKITE_BUILD_ID',
  'SLURM_ARRAY_JOB_ID',
] as const;

/** Names the CI run that a shard belongs to; undefined if there is none. Shards of different runs must not be merged. */
export function findCiRun(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const found = CI_RUN_VARIABLES.flatMap((name) => {
    const value = env[name] ?? '';
    return value === '' ? [] : [`${name}=${value}`];
  });
  return found.length === 0 ? undefined : found.join(' ');
}
