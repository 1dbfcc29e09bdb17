import { expect, test } from 'vitest';
import { nameOffspring } from '../../../src/exec/process/end-tree.js';

test('what killed everything else while it was to be stopped is still named', async () => {
  let alive = [{ pid: 7, command: 'killer' }];
  const offspring = {
    isGone: () => alive.length === 0,
    proof: 1 as const,
    list: () => alive,
    signal: async () => {
      alive = [];
    },
  };
  expect(await nameOffspring(offspring)).toEqual([{ pid: 7, command: 'killer' }]);
});
