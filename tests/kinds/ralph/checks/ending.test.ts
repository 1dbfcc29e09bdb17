import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../../src/domain/evidence/evidence.js';
import { completed, failedToRun, terminatedBecause } from '../../../../src/kinds/ralph/checks/ending.js';
import { attempt, captured } from '../../../report/support/journal.js';

function evidenceOf(fields: Partial<Evidence>): Evidence {
  const { evidence } = attempt({ evidence: fields });
  if (!evidence) throw new Error('evidence expected');
  return evidence;
}

function actualOf(fields: Partial<Evidence>): string {
  return `${completed().judge(evidenceOf(fields)).actual}`;
}

const EXIT_1 = { exit: { kind: 'exited', code: 1 }, termination: null } as const;

describe('a loop that should have ended in another way', () => {
  it('shows the error that ralph gave up with', () => {
    const fields = { ...EXIT_1, stderr: captured('Error: stream did not contain valid UTF-8\n', 'stderr') };
    const actual = 'exit code 1, no termination record; stderr: Error: stream did not contain valid UTF-8';
    expect(actualOf(fields)).toBe(actual);
    expect(terminatedBecause('max_iterations', 2).judge(evidenceOf(fields)).actual).toBe(actual);
  });

  it('shows the error before what was printed ahead of it, and its end when there is none', () => {
    const noise = 'a warning that says little\n'.repeat(100);
    const panic =
      "thread 'main' panicked at src/main.rs:7:9:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`";
    const crash = { exit: { kind: 'exited', code: 101 } } as const;
    expect(actualOf({ ...crash, stderr: captured(`${noise}${panic}`, 'stderr') })).toContain(
      "; stderr: thread 'main' panicked at src/main.rs:7:9: index out of bounds",
    );
    expect(actualOf({ ...EXIT_1, stderr: captured(`${noise}the last word`, 'stderr') })).toMatch(
      /; stderr: ….*the last word$/,
    );
  });

  it('shows what a target printed before a signal or a timeout, although it had recorded an end', () => {
    const stderr = captured('malloc(): corrupted top size\n', 'stderr');
    expect(actualOf({ exit: { kind: 'killed', signal: 'SIGABRT' }, stderr })).toBe(
      'killed by SIGABRT, termination reason "completed"; stderr: malloc(): corrupted top size',
    );
    expect(actualOf({ exit: { kind: 'timed-out', afterSeconds: 9 }, termination: null, stderr })).toContain(
      'stderr: malloc(): corrupted top size',
    );
    expect(actualOf({ exit: { kind: 'killed', signal: 'SIGKILL' }, termination: null })).toBe(
      'killed by SIGKILL, no termination record; stderr: empty',
    );
  });

  it('leaves room for all of it in a line of 240 characters', () => {
    const stderr = captured(`Error: ${'x'.repeat(900)}`, 'stderr');
    expect(
      actualOf({ exit: { kind: 'killed', signal: 'SIGABRT' }, termination: null, stderr }).length,
    ).toBeLessThan(240);
  });

  it('does not show stderr if the loop recorded how it ended', () => {
    const termination = { reason: 'max_iterations', status: '', iterations: 3, exitCode: 2 };
    const fields = {
      exit: { kind: 'exited', code: 2 },
      termination,
      stderr: captured('noise', 'stderr'),
    } as const;
    expect(actualOf(fields)).toBe('exit code 2, termination reason "max_iterations"');
  });
});

it('a check of the message itself shows stderr once', () => {
  const evidence = evidenceOf({ ...EXIT_1, stderr: captured('Error: no', 'stderr') });
  expect(failedToRun(1, /yes/).judge(evidence).actual).toBe(
    'exit code 1, no termination record; stderr: Error: no',
  );
});
