import { describe, expect, test } from 'vitest';
import * as checks from '../../../src/authoring.js';
import type { Evidence } from '../../../src/domain/evidence/evidence.js';
import { makeEvidence } from '../support/evidence.js';

describe('stayedInside', () => {
  const judge = (isolation: Evidence['isolation']) =>
    checks.stayedInside().judge(makeEvidence({ isolation }));

  test('passes if nothing was stopped, and fails if something was or on the host', () => {
    expect(judge({ kind: 'bwrap', stopped: [] }).passed).toBe(true);
    const out = judge({ kind: 'docker', stopped: [{ kind: 'connection', times: 2 }] });
    expect(out).toMatchObject({
      passed: false,
      actual: expect.stringContaining('address outside (2 times)'),
    });
    expect(judge(undefined)).toMatchObject({ passed: false, actual: 'the run was not isolated' });
  });
});
