import { describe, expect, test } from 'vitest';
import type { Target } from '../../../src/domain/attempt.js';
import { type RalphScenario, scenario } from '../../../src/domain/scenario/scenario.js';
import { hashScenario } from '../../../src/run/scenario-hash.js';
import { hashTest } from '../../../src/run/shard/hash-test.js';

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
