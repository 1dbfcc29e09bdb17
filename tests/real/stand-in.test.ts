import { expect, test } from 'vitest';
import { observeCalls } from './support/observe-call.js';
import { STAND_IN_CASES } from './support/stand-in-cases.js';

test.each(STAND_IN_CASES)(
  'the stand-in for claude does what the real Claude Code does: $id',
  async (item) => {
    const [standIn, real] = [await observeCalls(item, 'stand-in'), await observeCalls(item, 'real')];
    expect(standIn).toEqual(real);
  },
);
