import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../scenarios/index.js';
import type { Target } from '../../../src/domain/attempt.js';
import { type RalphScenario, scenario } from '../../../src/domain/scenario/scenario.js';
import { hashScenario } from '../../../src/run/planned.js';
import { selectScenarios } from '../../../src/run/select/select.js';
import { findCiRun, hashTest, takeShard } from '../../../src/run/select/shard.js';

const WHOLE = selectScenarios(catalogue, {
  backends: ['claude', 'kiro'],
  lane: 'sim',
  filters: ['connect', 'single-iter'],
});
const labels = (tests: readonly (typeof WHOLE)[number][]) =>
  tests.map(({ scenario, backend }) => `${scenario.id} on ${backend}`);

test('the shards have each test once between them, in the order of the catalog', () => {
  const parts = [1, 2, 3].map((index) => labels(takeShard(WHOLE, { index, total: 3 }, 'sim').part));
  expect(parts.flat().sort()).toEqual(labels(WHOLE).sort());
  const sizes = parts.map(({ length }) => length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  const order = labels(WHOLE);
  for (const part of parts) expect(part).toEqual(order.filter((key) => part.includes(key)));
});

test('the order in which tests were selected does not matter', () => {
  const choice = { index: 2, total: 3 };
  const [one, other] = [WHOLE, WHOLE.toReversed()].map((whole) =>
    labels(takeShard(whole, choice, 'sim').part),
  );
  expect(other?.toReversed()).toEqual(one);
});

describe('a live shard', () => {
  const live = (whole: typeof WHOLE, index: number) => takeShard(whole, { index, total: 4 }, 'live').part;

  test('also has the connect scenario of each backend that it uses, and of no other', () => {
    for (const index of [1, 2, 3, 4]) {
      const part = live(WHOLE, index);
      const used = new Set(part.map(({ backend }) => backend));
      const gates = part.filter(({ scenario }) => scenario.gate).map(({ backend }) => backend);
      expect(new Set(gates)).toEqual(used);
    }
    const own = [1, 2, 3, 4].map((index) => labels(takeShard(WHOLE, { index, total: 4 }, 'sim').part));
    const all = [1, 2, 3, 4].map((index) => labels(live(WHOLE, index)));
    for (const [at, part] of own.entries()) expect(all[at]).toEqual(expect.arrayContaining(part));
  });

  test('has none that the selection leaves out', () => {
    const rest = WHOLE.filter(({ scenario }) => !scenario.gate);
    expect([1, 2, 3, 4].flatMap((index) => labels(live(rest, index))).sort()).toEqual(labels(rest).sort());
  });
});

test.each([
  [{ GITHUB_RUN_ID: '7', GITHUB_RUN_ATTEMPT: '2' }, 'GITHUB_RUN_ID=7'],
  [{ CI_PIPELINE_ID: '8', CI_JOB_ID: '9' }, 'CI_PIPELINE_ID=8'],
  [{ CIRCLE_WORKFLOW_ID: 'a-b' }, 'CIRCLE_WORKFLOW_ID=a-b'],
  [{ BUILDKITE_BUILD_ID: 'c' }, 'BUILDKITE_BUILD_ID=c'],
  [{ JOB_COMPLETION_INDEX: '1', CI_PIPELINE_ID: '' }, undefined],
])('in %j the CI run is %s', (env, found) => {
  expect(findCiRun(env)).toBe(found);
});

const TARGET: Target = { kind: 'real', path: '/opt/ralph', version: '2.10.1' };

function define(change: Partial<RalphScenario> = {}) {
  const plain = scenario({
    ...{ id: 'one', tier: 5, priority: 'must', phase: 'green', description: 'One', covers: [] },
    ...{ arrange: () => ({ config: {}, prompt: 'Say hello.' }), expect: () => [], agent: [] },
  });
  return { ...plain, ...change };
}

function hashOf(change: Partial<RalphScenario> = {}, timeoutSeconds: number | null = null): string {
  const job = { scenario: define(change), backend: 'claude' } as const;
  return hashTest(job, { lane: 'sim', target: TARGET, timeoutSeconds });
}

describe('the hash of a planned test', () => {
  test.each<[string, Partial<RalphScenario>]>([
    ['the priority', { priority: 'should' }],
    ['the description', { description: 'Another' }],
    ['the prompt', { arrange: () => ({ ...define().arrange({} as never), prompt: 'Say goodbye.' }) }],
  ])('changes with %s', (_, change) => {
    expect(hashOf(change)).not.toBe(hashOf());
  });

  test('changes with the time limit', () => {
    expect(hashOf({}, 7)).not.toBe(hashOf());
  });

  test('stays the same if the scenario arranges something else each time', () => {
    let calls = 0;
    const plain = define();
    const moody: Partial<RalphScenario> = {
      arrange: (context) => {
        calls += 1;
        return { ...plain.arrange(context), prompt: `call ${calls}` };
      },
    };
    expect(hashOf(moody)).toBe(hashOf(moody));
  });
});

test('a scenario has the same hash in two checkouts of ralph-e2e', () => {
  const plain = define();
  const hashIn = (root: string) =>
    hashScenario(
      define({
        arrange: (context) => ({ ...plain.arrange(context), prompt: `Read ${root}/dist/plugins/epti.` }),
      }),
      'claude',
      'sim',
      root,
    );
  expect(hashIn('/home/a/ralph-e2e')).toEqual(hashIn('/builds/7/"b"'));
});
