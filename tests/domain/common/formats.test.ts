import { describe, expect, test } from 'vitest';
import {
  describeIncompatible,
  FORMATS,
  IncompatibleFormat,
  requireReadable,
} from '../../../src/domain/common/formats.js';
import { isKnownError } from '../../../src/domain/common/known-error.js';

const { report, journal } = FORMATS;

function refusalOf(data: unknown, subject = 'old.json'): IncompatibleFormat {
  try {
    requireReadable(data, report, subject);
  } catch (error) {
    if (error instanceof IncompatibleFormat) return error;
  }
  throw new Error('it was not refused');
}

describe('another format', () => {
  test('is refused with what was found, what is read and what to do', () => {
    const newer = refusalOf({ format: 2 });
    expect(isKnownError(newer)).toBe(true);
    expect([newer.message, newer.hint]).toEqual([
      'old.json has format 2; this ralph-e2e reads report.json of format 1.',
      'Update ralph-e2e.',
    ]);
    const older = refusalOf({ format: 0 });
    expect(older.message).toBe('old.json has format 0; this ralph-e2e reads report.json of format 1.');
    expect(older.hint).toMatch(/^Create it again/);
  });

  test('is reported once, however many files have it', () => {
    const files = [refusalOf({ format: 2 }, 'a'), refusalOf({ format: 2 }, 'b')];
    expect(describeIncompatible([...files, refusalOf({ format: 3 }, 'c')])).toEqual([
      'a has format 2; this ralph-e2e reads report.json of format 1. Update ralph-e2e. (2 files have this format.)',
      'c has format 3; this ralph-e2e reads report.json of format 1. Update ralph-e2e.',
    ]);
  });
});

test.each([
  ['this format', { format: journal.format }],
  ['one that is no number', { format: '2' }],
  ['none', {}],
  ['no object', 'format 2'],
])('%s is not refused here: the schema decides', (_what, data) => {
  expect(() => requireReadable(data, journal, 'The journal')).not.toThrow();
});
