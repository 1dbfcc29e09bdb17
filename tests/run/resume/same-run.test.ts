import { expect, test } from 'vitest';
import type { Readiness } from '../../../src/domain/evidence/readiness.js';
import type { BackendId } from '../../../src/domain/vocabulary.js';
import { requireSameBackends, requireSameTarget } from '../../../src/run/resume/same-run.js';
import type { RunStarted } from '../../../src/run/resume/whole-journal.js';
import { journal } from '../../report/support/journal.js';

const READY: Readiness = {
  backend: 'claude',
  ready: true,
  available: true,
  path: '/bin/claude',
  version: '2.1.0',
  authentication: null,
  reason: null,
  fix: null,
};
const KIRO: Readiness = { ...READY, backend: 'kiro' };
const LOGGED_OUT = { ready: false, reason: 'not logged in', fix: 'Log in with `claude login`' };

function started(run: Partial<RunStarted>): RunStarted {
  const [first] = journal({ run, tests: [{}] });
  if (first?.type !== 'run-started') throw new Error('expected the first record of a run');
  return first;
}

const now = (...all: Readiness[]) => new Map<BackendId, Readiness>(all.map((one) => [one.backend, one]));

test('a backend that was ready must be ready in the same version', () => {
  const run = started({ backends: [READY], companions: [KIRO] });
  expect([...requireSameBackends(run, now(READY, KIRO)).values()]).toEqual([READY, KIRO]);
  expect(() => requireSameBackends(run, now({ ...READY, ...LOGGED_OUT }, KIRO))).toThrow(
    'Run run-1 uses claude: expected it ready in version 2.1.0, found not logged in.',
  );
  expect(() => requireSameBackends(run, now(READY, { ...KIRO, version: '2.2.0' }))).toThrow(
    'Run run-1 uses kiro: expected it ready in version 2.1.0, found version 2.2.0.',
  );
});

test('a backend that was not ready stays unused, even if it is ready by now', () => {
  const before = { ...READY, ...LOGGED_OUT };
  const run = started({ backends: [before], companions: [] });
  expect(requireSameBackends(run, now(READY)).get('claude')).toEqual(before);
});

test('a target that calls itself something else is refused', () => {
  const target = { kind: 'stand-in', path: '/standin', version: '2.10.1', because: 'asked' } as const;
  const run = started({ target });
  expect(() => requireSameTarget(run, target)).not.toThrow();
  expect(() => requireSameTarget(run, { ...target, version: '2.11.0' })).toThrow(
    'Run run-1 tests the stand-in 2.10.1: expected the same at /standin, found the stand-in 2.11.0.',
  );
  expect(() => requireSameTarget(run, { ...target, faults: ['crash'] })).toThrow(
    'found the stand-in 2.10.1 with crash.',
  );
});
