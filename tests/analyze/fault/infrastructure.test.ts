import { describe, expect, test } from 'vitest';
import { assignFault } from '../../../src/analyze/fault/assign.js';
import {
  agentSaid,
  backendReported,
  completed,
  fileContains,
  nothingLeftBehind,
  promptContained,
} from '../../../src/authoring.js';
import type { Check, CheckResult } from '../../../src/domain/check.js';
import type { Evidence } from '../../../src/domain/evidence/evidence.js';
import type { ServiceError } from '../../../src/domain/evidence/service-error.js';
import { makeEvidence } from '../../domain/support/evidence.js';
import * as journal from '../../report/support/journal.js';

const broken = (check: Check) => whole(journal.broken(check));
const held = (check: Check) => whole(journal.held(check));

function whole(check: Partial<CheckResult>): CheckResult {
  const [result] = journal.attempt({ checks: [check] }).checks;
  if (result === undefined) throw new Error('no check');
  return result;
}

const UNFINISHED = broken(completed());

function errorOf(change: Partial<ServiceError> = {}): ServiceError {
  return {
    iteration: 2,
    status: 429,
    kind: 'rate_limit',
    message: 'API Error: Request rejected (429)',
    overcome: false,
    waitedSeconds: 0,
    ...change,
  };
}

function faultOf(
  errors: readonly Partial<ServiceError>[],
  checks: readonly CheckResult[] = [UNFINISHED],
  change: Partial<Evidence> = {},
) {
  const evidence = makeEvidence({ serviceErrors: errors.map(errorOf), ...change });
  return assignFault({ checks, evidence });
}

describe('trouble with the service', () => {
  test.each([
    ['rate-limit', { status: 429 }],
    ['rate-limit', { status: 402, kind: 'unknown' }],
    ['overload', { status: 529, kind: 'overloaded' }],
    ['overload', { status: 500, kind: 'server_error' }],
    ['login', { status: 401, kind: 'authentication_failed' }],
    ['login', { status: 403, kind: 'authentication_failed' }],
    ['login', { status: null, kind: 'authentication_failed', message: 'Not logged in · Please run /login' }],
    [
      'network',
      { status: null, kind: 'server_error', message: 'API Error: Connection dropped (ECONNRESET).' },
    ],
    [
      'network',
      { status: null, kind: 'server_error', message: "API Error: Can't reach the API server (ENOTFOUND)" },
    ],
    ['network', { status: null, kind: 'unknown', message: '' }],
  ] as const)('is a %s: %o', (trouble, error) => {
    expect(faultOf([error])).toMatchObject({ whose: 'infrastructure', trouble });
  });

  test.each([
    ['an unknown model', { status: 404, kind: 'model_not_found' }],
    ['a prompt that is too long', { status: 400, kind: 'invalid_request' }],
    ['an answer that the CLI cannot use', { status: null, kind: 'max_output_tokens', message: 'too long' }],
  ] as const)('is not %s', (_, error) => {
    expect(faultOf([error]).whose).toBe('target');
  });

  test('says what the service answered, and where', () => {
    expect(faultOf([{}]).because).toEqual([
      'iteration 2: a rate limit or quota is used up (HTTP 429, API Error: Request rejected (429))',
    ]);
  });

  test('is nobody’s excuse if the CLI got over it', () => {
    expect(faultOf([{ overcome: true, waitedSeconds: 20 }]).whose).toBe('target');
  });

  test('is an excuse if the pauses used up the time limit', () => {
    const exit = { kind: 'timed-out', afterSeconds: 300 } as const;
    const waits = [
      { overcome: true, waitedSeconds: 100 },
      { overcome: true, waitedSeconds: 80 },
    ];
    expect(faultOf(waits, [UNFINISHED], { exit }).whose).toBe('infrastructure');
    expect(faultOf(waits.slice(1), [UNFINISHED], { exit }).whose).toBe('target');
  });

  test('is no excuse where the scenario provokes it', () => {
    const provoking = held(backendReported(/api key/));
    expect(faultOf([{ status: 401 }], [UNFINISHED, provoking]).whose).toBe('target');
  });

  test.each([
    ['a prompt that lacked something before', broken(promptContained('x', { iteration: 1 }))],
    ['the prompt of the same iteration', broken(promptContained('x', { iteration: 2 }))],
    ['an answer in an earlier iteration', broken(agentSaid('x', { iteration: 1 }))],
    ['a process that Ralph left behind', broken(nothingLeftBehind())],
  ])('does not excuse %s', (_, check) => {
    expect(faultOf([{}], [UNFINISHED, check]).whose).toBe('target');
  });

  test.each([
    ['the end of the loop', UNFINISHED],
    ['a file that nobody wrote', broken(fileContains('a.txt', 'a'))],
    ['an answer that never came', broken(agentSaid('x', { iteration: 2 }))],
    ['a later prompt', broken(promptContained('x', { iteration: 3 }))],
  ])('excuses %s', (_, check) => {
    expect(faultOf([{}], [check, held(promptContained('y', { iteration: 1 }))]).whose).toBe('infrastructure');
  });

  test('asks to wait as long as the service says', () => {
    expect(faultOf([{ retryAfterSeconds: 7 }]).retryAfterSeconds).toBe(7);
    const resets = { resetsAt: '2026-11-15T00:01:00.000Z', retryAfterSeconds: 7 };
    const change = { startedAt: '2026-11-15T00:00:00.000Z', durationSeconds: 20 };
    expect(faultOf([resets], [UNFINISHED], change).retryAfterSeconds).toBe(40);
    expect(faultOf([{}]).retryAfterSeconds).toBeUndefined();
  });
});
