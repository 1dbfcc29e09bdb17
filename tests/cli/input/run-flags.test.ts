import { expect, test } from 'vitest';
import { RUN_OPTIONS } from '../../../src/cli/input/run-flags.js';
import { runCallSchema } from '../../../src/domain/run-call.js';

test('no two options have the same flag, and conflicts name options that exist', () => {
  const flags = RUN_OPTIONS.flatMap(({ flags }) => flags.match(/(?<![\w-])--?[a-z-]+/g) ?? []);
  expect(new Set(flags).size).toBe(flags.length);
  const keys = RUN_OPTIONS.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toEqual(
    expect.arrayContaining(RUN_OPTIONS.flatMap(({ conflicts = {} }) => Object.keys(conflicts))),
  );
});

test('all of a call except its backends and its analysis has an option', () => {
  const keys = RUN_OPTIONS.map(({ key }) => key);
  const others = Object.keys(runCallSchema.shape).filter((key) => !keys.includes(key));
  expect(others.toSorted()).toEqual(['analysis', 'backends', 'examination', 'named']);
});
