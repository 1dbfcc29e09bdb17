import { describe, expect, test } from 'vitest';
import { drawCases } from './support/drawn-cases.js';
import { type CallOutcome, observeCalls } from './support/observe-call.js';
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

/** Another seed draws other cases. */
const SEED = Number(process.env.RALPH_E2E_SEED ?? 20_261_119);

describe(`what scripts of the catalogue do, drawn with the seed ${SEED}`, () => {
  test.each(drawCases(60, SEED))('is the same on both, or refused by name: $id', async (item) => {
    const [standIn] = await observeCalls(item, 'stand-in');
    const [real] = await observeCalls(item, 'real');
    if (standIn === undefined || real === undefined) throw new Error('expected a call of each');
    if (standIn.exitCode !== 70) return expect(withoutTimes(standIn)).toEqual(withoutTimes(real));
    expect(standIn.stderr).toMatch(/the stand-in for claude does not support .*scripted lane/);
    // What ran before the refusal ran in the same way, and the call that is refused did not run.
    const done = withoutTimes(standIn).tools.slice(0, -1);
    expect(done).toEqual(withoutTimes(real).tools.slice(0, done.length));
    expect(standIn.tools.at(-1)).toBe('ran: undefined');
  });
});

/** Hides how long tests of Python took. */
function withoutTimes({ tools, ...others }: CallOutcome): CallOutcome {
  return { ...others, tools: tools.map((tool) => tool.replaceAll(/\bin \d+\.\d+s\b/g, 'in <time>')) };
}
