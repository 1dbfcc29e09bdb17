import { afterEach, expect, test, vi } from 'vitest';
import { readVariableName, readVariableNames, requireVariables } from '../../../src/cli/input/values.js';

afterEach(() => vi.unstubAllEnvs());

test('--env RALPH_STANDIN_FAULT makes no secret of a fault: it reaches the stand-in anyway', () => {
  vi.stubEnv('RALPH_STANDIN_FAULT', 'crash');
  vi.stubEnv('MY_TOKEN', 'a secret');
  expect(readVariableNames(['RALPH_STANDIN_FAULT', 'MY_TOKEN'])).toEqual(['MY_TOKEN']);
  expect(() => readVariableNames(['NOT_SET_ANYWHERE'])).toThrow('but it is not set');
});

test('a variable that is not set is refused when something runs, not when the name is read', () => {
  expect(readVariableName('NOT_SET_ANYWHERE')).toBe('NOT_SET_ANYWHERE');
  expect(() => requireVariables(['NOT_SET_ANYWHERE'])).toThrow('but it is not set');
});
