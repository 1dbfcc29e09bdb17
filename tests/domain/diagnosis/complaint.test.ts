import { describe, expect, it } from 'vitest';
import { findComplaint } from '../../../src/domain/diagnosis/complaint.js';

const WARNING =
  '2026-11-17T07:02:51.135402Z  WARN ralph_adapters::cli_executor: Execution inactivity timeout reached timeout_secs=0';

describe('what a program complains of', () => {
  it('is a line of its log, and the place that logs it, without values', () => {
    expect(findComplaint(`Hello\n${WARNING}\nResult: FAIL`)).toEqual({
      said: '"WARN ralph_adapters::cli_executor: Execution inactivity timeout reached timeout_secs=0"',
      search:
        'Search Ralph\'s source in ralph_adapters::cli_executor for the code that says "Execution inactivity timeout reached".',
      isError: false,
    });
  });

  it.each([
    ['an error before a warning', `${WARNING}\nError: Loop not found`, '"Error: Loop not found"'],
    ['a failure before a warning', '  WARN paths created\n  FAIL config invalid', '"FAIL config invalid"'],
    ['a warning, if there is nothing else', 'OK config\n  WARN paths created', '"WARN paths created"'],
  ])('is %s', (_, text, said) => {
    expect(findComplaint(text)?.said).toBe(said);
  });

  it.each(['', 'All is well.', '{"type":"result","error":"it failed","text":"WARN"}'])(
    'is nothing in %j',
    (text) => {
      expect(findComplaint(text)).toBeNull();
    },
  );
});
