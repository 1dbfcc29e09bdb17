import { setTimeout } from 'node:timers/promises';
import { type AttemptFinished, isTroubled } from '../domain/attempt.js';
import type { Trouble } from '../domain/fault.js';
import type { SkipCause } from '../domain/report/skip-cause.js';
import type { BackendId } from '../domain/vocabulary.js';

/** Waits, or ends at once if the signal is aborted. */
export type Pause = (seconds: number, signal: AbortSignal) => Promise<void>;

export const pauseFor: Pause = async (seconds, signal) => {
  // An interrupt rejects it: that is an end like any other.
  if (seconds > 0) await setTimeout(seconds * 1000, undefined, { signal }).catch(() => {});
};

/** The pauses before a test runs again after trouble with the service, in seconds. A service may ask for longer ones. */
const SERVICE_PAUSES = [15, 45, 120];

/** How long a test waits for its service at most, all in all, in seconds. */
export const LONGEST_WAIT = 300;

export interface RetryRules {
  /** How often the user wants a failed test to run again. */
  readonly retries: number;
  /** Whether a real service answers: only then can an agent differ from run to run, and a service fail. */
  readonly hasService: boolean;
  /** The test is repeated to find its rate: then a retry would hide a failure. Only trouble with the service is retried. */
  readonly repeated?: boolean;
}

/** Decides whether a test runs again: returns the pause before that in seconds, or null. */
export function decideRetry(
  attempts: readonly AttemptFinished[],
  { retries, hasService, repeated = false }: RetryRules,
): number | null {
  const last = attempts.at(-1);
  if (last === undefined || last.outcome === 'passed' || last.outcome === 'known-issue') return null;
  if (hasService && isTroubled(last)) return decidePause(attempts, last);
  if (repeated) return null;
  const counted = hasService ? attempts.filter((attempt) => !isTroubled(attempt)) : attempts;
  // An agent that did otherwise once may do as it was asked the next time.
  const allowed = hasService && last.fault?.whose === 'agent' ? Math.max(1, retries) : retries;
  return counted.length <= allowed ? 0 : null;
}

function decidePause(attempts: readonly AttemptFinished[], last: AttemptFinished): number | null {
  const times = attempts.filter(isTroubled).length;
  // A login does not come back by waiting, but one refused request may be a slip of the service.
  if (last.fault?.trouble === 'login') return times === 1 ? 0 : null;
  const usual = SERVICE_PAUSES[times - 1];
  if (usual === undefined) return null;
  const pause = Math.max(usual, last.fault?.retryAfterSeconds ?? 0);
  const waited = attempts.reduce((sum, { retryInSeconds = 0 }) => sum + retryInSeconds, 0);
  return waited + pause > LONGEST_WAIT ? null : pause;
}

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
