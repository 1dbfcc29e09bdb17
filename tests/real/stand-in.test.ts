import { expect, test } from 'vitest';
import { observeCalls } from './support/observe-call.js';
import { STAND_IN_CASES } from './support/stand-in-cases.js';

test.each(STAND_IN_CASES)(
  'the stand-in for claude does what the real Claude Code does: $id',
  async (item) => {
    const [standIn, real] = [await observeCalls(item, 'stand-in'), await observeCalls(item, 'real')];
    for (const [index, call] of item.calls.entries()) {
      if ('refused' in call) {
        expect(standIn[index]?.exitCode).toBe(70);
        expect(standIn[index]?.stderr).toContain(call.refused);
        expect(standIn[index]?.files).toEqual(item.files ?? {});
        expect(real[index]?.exitCode).not.toBe(70);
      } else expect(standIn[index]).toEqual(real[index]);
    }
    expect(standIn).toHaveLength(real.length);
  },
);
