import { setTimeout } from 'node:timers/promises';
import { type AttemptFinished, isTroubled } from '../domain/attempt.js';

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
