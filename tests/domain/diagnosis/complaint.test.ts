import { describe, expect, it } from 'vitest';
import { findComplaint, placeOfPanic, readPanic } from '../../../src/domain/diagnosis/complaint.js';

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
    [
      'an error with its cause',
      'Error: Failed to load\n\nCaused by:\n    0: no such phase\n    1: other\n',
      '"Error: Failed to load", caused by "no such phase"',
    ],
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

describe('a panic', () => {
  it.each([
    ['as Rust prints it', "thread 'main' panicked at crates/x/src/a.rs:12:5:\nno such loop\nnote: run with"],
    ['on one line without a column', "thread 'main' panicked at crates/x/src/a.rs:12: no such loop"],
    ['on one line with a column', "thread 'main' panicked at crates/x/src/a.rs:12:5: no such loop\n"],
    ['as Rust before 1.73 prints it', "thread 'main' panicked at 'no such loop', crates/x/src/a.rs:12:5\n"],
  ])('is read with its place and its message, %s', (_, text) => {
    expect(readPanic(text)).toBe('crates/x/src/a.rs:12: no such loop');
    expect(placeOfPanic(`Ralph panicked at ${readPanic(text)} (exit 101)`)).toBe('crates/x/src/a.rs:12');
  });

  it('is none where nothing panicked', () => {
    expect(readPanic('Error: Loop not found\n')).toBeNull();
    expect(placeOfPanic('Ralph ended with max_iterations.')).toBeNull();
  });

  it("has no place in Ralph's source where Rust's own library says it", () => {
    expect(placeOfPanic('Ralph panicked at /rustc/5980/library/core/src/time.rs:12: overflow')).toBeNull();
  });
});
