import { type AttemptFinished, isTroubled } from '../domain/attempt.js';
import type { Trouble } from '../domain/fault.js';
import type { SkipCause } from '../domain/report/skip-cause.js';
import type { BackendId } from '../domain/vocabulary.js';
import { LONGEST_WAIT } from './retries.js';

/** How many tests in a row may fail through their service before no more are tried on that backend. */
const PATIENT_TESTS = 2;

/** Why a test did not run, as a sentence and as data. */
export interface Skip {
  readonly reason: string;
  readonly cause: SkipCause;
}

/** Watches whether the services of the backends still answer, test by test. */
export function watchServices() {
  const troubled = new Map<BackendId, number>();
  return {
    /** Takes the last attempt of a test. Returns why the rest of its backend should not run, or null. */
    take(last: AttemptFinished): Skip | null {
      const { backend, scenarioId, fault } = last;
      const trouble = isTroubled(last) ? fault?.trouble : undefined;
      const times = trouble === undefined ? 0 : (troubled.get(backend) ?? 0) + 1;
      troubled.set(backend, times);
      if (trouble === undefined) return null;
      const hopeless = trouble === 'login' || (fault?.retryAfterSeconds ?? 0) > LONGEST_WAIT;
      if (!hopeless && times < PATIENT_TESTS) return null;
      return {
        reason: `${LOST[trouble](backend)} in ${scenarioId}, so no other scenario ran on ${backend}`,
        cause: { kind: 'service-lost', trouble, test: scenarioId },
      };
    },
  };
}

const LOST = {
  login: (backend) => `the login of ${backend} was refused`,
  'rate-limit': (backend) => `the rate limit of ${backend} did not reset in time`,
  overload: (backend) => `the service of ${backend} stayed overloaded`,
  network: (backend) => `the service of ${backend} could not be reached`,
} as const satisfies Record<Trouble, (backend: BackendId) => string>;
