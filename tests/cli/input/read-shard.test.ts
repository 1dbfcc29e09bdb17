import { describe, expect, test } from 'vitest';
import { readShard } from '../../../src/cli/input/read-shard.js';

describe('--shard i/n', () => {
  test('is a part and how many there are', () => {
    expect(readShard('2/4', {})).toEqual({ index: 2, total: 4 });
    expect(readShard('1/1', {})).toEqual({ index: 1, total: 1 });
  });

  test.each(['0/4', '5/4', '2', '2/0', '-1/4', '2/4/8', '1.5/4', 'two/four', '1/1001', ''])(
    'refuses %s',
    (value) => {
      expect(() => readShard(value, {})).toThrow(`--shard ${value}: expected a part and how many there are`);
    },
  );
});

describe('--shard auto', () => {
  test.each([
    ['GitHub Actions, by convention', { SHARD_INDEX: '0', SHARD_TOTAL: '4' }, '1/4'],
    ['GitLab', { CI_NODE_INDEX: '4', CI_NODE_TOTAL: '4' }, '4/4'],
    ['GitLab without parallel', { CI_NODE_TOTAL: '1' }, '1/1'],
    ['CircleCI', { CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '3' }, '2/3'],
    ['Buildkite', { BUILDKITE_PARALLEL_JOB: '2', BUILDKITE_PARALLEL_JOB_COUNT: '3' }, '3/3'],
    ['Kubernetes', { JOB_COMPLETION_INDEX: '5', JOB_COMPLETIONS: '8' }, '6/8'],
    [
      'a system that runs one job beside one that runs many',
      { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '1', SHARD_INDEX: '1', SHARD_TOTAL: '2' },
      '2/2',
    ],
    [
      'two systems that agree',
      { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '2', SHARD_INDEX: '1', SHARD_TOTAL: '2' },
      '2/2',
    ],
  ])('reads %s', (_, env, expected) => {
    const { index, total } = readShard('auto', env);
    expect(`${index}/${total}`).toBe(expected);
  });

  test.each([
    ['nothing', {}, 'found none of them'],
    ['empty variables', { SHARD_INDEX: '', SHARD_TOTAL: '' }, 'found none of them'],
    [
      'an index without a total',
      { JOB_COMPLETION_INDEX: '1' },
      'JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=(not set)',
    ],
    ['a total without an index', { SHARD_TOTAL: '4' }, 'SHARD_INDEX=(not set) SHARD_TOTAL=4'],
    [
      'an index from 0 where it is from 1',
      { CI_NODE_INDEX: '0', CI_NODE_TOTAL: '4' },
      'expected CI_NODE_INDEX from 1',
    ],
    [
      'an index from 1 where it is from 0',
      { SHARD_INDEX: '4', SHARD_TOTAL: '4' },
      'found SHARD_INDEX=4 SHARD_TOTAL=4',
    ],
    ['no number', { SHARD_INDEX: 'one', SHARD_TOTAL: '4' }, 'found SHARD_INDEX=one'],
    [
      'two systems that contradict each other',
      { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4', SHARD_INDEX: '0', SHARD_TOTAL: '4' },
      'expected one answer, found 1/4 from SHARD_INDEX=0 SHARD_TOTAL=4 and 2/4 from CI_NODE_INDEX=2 CI_NODE_TOTAL=4',
    ],
  ])('refuses %s', (_, env, found) => {
    expect(() => readShard('auto', env)).toThrow(found);
  });
});
