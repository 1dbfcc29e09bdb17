import { expect, test } from 'vitest';
import { findCiRun } from '../../../src/run/shard/ci-run.js';

test.each([
  [{ GITHUB_RUN_ID: '7', GITHUB_RUN_ATTEMPT: '2' }, 'GITHUB_RUN_ID=7'],
  [{ CI_PIPELINE_ID: '8', CI_JOB_ID: '9' }, 'CI_PIPELINE_ID=8'],
  [{ CIRCLE_WORKFLOW_ID: 'a-b' }, 'CIRCLE_WORKFLOW_ID=a-b'],
  [{ BUILDKITE_BUILD_ID: 'c' }, 'BUILDKITE_BUILD_ID=c'],
  [{ SLURM_ARRAY_JOB_ID: '5' }, 'SLURM_ARRAY_JOB_ID=5'],
  [{ JOB_COMPLETION_INDEX: '1', CI_PIPELINE_ID: '' }, undefined],
])('in %j the CI run is %s', (env, found) => {
  expect(findCiRun(env)).toBe(found);
});
