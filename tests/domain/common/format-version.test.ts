import { describe, expect, test } from 'vitest';
import {
  adviseUpdate,
  describeIncompatible,
  FORMATS,
  IncompatibleFormat,
  requireReadable,
} from '../../../src/domain/common/format-version.js';
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

describe('another major version', () => {
  test('is refused with what was found, what is read and what to do', () => {
    const newer = refusalOf({ schema_version: 2, schema_minor: 3 });
    expect(isKnownError(newer)).toBe(true);
    expect([newer.message, newer.hint]).toEqual([
      'old.json has format 2.3; this ralph-e2e reads report.json 1.x.',
      'Update ralph-e2e.',
    ]);
    const older = refusalOf({ schema_version: 0 });
    expect(older.message).toBe('old.json has format 0.0; this ralph-e2e reads report.json 1.x.');
    expect(older.hint).toMatch(/^Create it again/);
  });

  test('is reported once, however many files have it', () => {
    const files = [refusalOf({ schema_version: 2 }, 'a'), refusalOf({ schema_version: 2 }, 'b')];
    expect(describeIncompatible([...files, refusalOf({ schema_version: 3 }, 'c')])).toEqual([
      'a has format 2.0; this ralph-e2e reads report.json 1.x. Update ralph-e2e. (2 files have this format.)',
      'c has format 3.0; this ralph-e2e reads report.json 1.x. Update ralph-e2e.',
    ]);
  });
});

test('a newer minor version is read, and worth a word where something in it is not understood', () => {
  const newer = { version: 1, minor: journal.minor + 1 };
  expect(() => requireReadable(newer, journal, 'The journal')).not.toThrow();
  expect(adviseUpdate(newer, journal)).toBe(
    `It has format 1.${journal.minor + 1}, and this ralph-e2e knows 1.${journal.minor}. Update ralph-e2e.`,
  );
});

test.each([
  ['this version', { version: 1, minor: journal.minor }],
  ['one without a minor', { version: 1 }],
  ['one that is no number', { version: '2' }],
  ['none', {}],
  ['no object', 'version 2'],
])('%s is neither newer nor refused', (_what, data) => {
  expect(() => requireReadable(data, journal, 'The journal')).not.toThrow();
  expect(adviseUpdate(data, journal)).toBeNull();
});
