import type { CheckResult } from '../../domain/check.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import type { ServiceError } from '../../domain/evidence/service-error.js';
import type { Fault, FaultFacts, Trouble } from '../../domain/fault.js';

/**
 * Returns the fault of the service behind the agent CLI, if the evidence shows one, or null. Four things decide it:
 *
 * 1. The CLI itself reported an error of its service (`serviceErrors`). What an agent says about errors does not count.
 * 2. The error cost the agent its answer. If the CLI tried again and got one, the work went on as without the error, so
 *    it excuses nothing, unless the pauses used up most of the time limit.
 * 3. Ralph itself ended in order: no missing answer explains a crash, a hang or a success.
 * 4. Every failed check can follow from the missing answer. What Ralph did before that, such as the prompt that it sent,
 *    does not depend on it: one such failure, and the fault is not the service's.
 */
export function findTrouble({ checks, evidence }: FaultFacts): Fault | null {
  // The scenario itself makes the service fail, and checks what Ralph does about it.
  if (checks.some(({ kind }) => PROVOKING.has(kind))) return null;
  const errors = (evidence.serviceErrors ?? []).flatMap((error) => {
    const trouble = troubleOf(error);
    return trouble === null ? [] : [{ ...error, trouble }];
  });
  const lost =
    evidence.exit.kind === 'timed-out'
      ? usedUpTime(errors, evidence)
      : errors.filter(({ overcome }) => !overcome);
  const [first] = lost;
  const last = lost.at(-1);
  if (first === undefined || last === undefined || !endedInOrder(evidence, last.iteration)) return null;
  const broken = checks.filter(({ passed }) => !passed);
  if (!broken.every((check) => mayFollow(check, first.iteration))) return null;
  return {
    whose: 'infrastructure',
    because: lost.slice(0, MAX_REASONS).map((error) => describe(error, evidence)),
    trouble: last.trouble,
    ...askedPause(last, evidence),
  };
}

const MAX_REASONS = 3;

/** Checks of scenarios that make the backend fail on purpose. */
const PROVOKING: ReadonlySet<string> = new Set(['backendReported', 'backendNeverCalled', 'harnessWouldSkip']);

interface Troubled extends ServiceError {
  readonly trouble: Trouble;
}

/** The errors behind a time limit of the harness, if the CLI spent most of that time waiting for its service. */
function usedUpTime(errors: readonly Troubled[], { exit }: Evidence): readonly Troubled[] {
  if (exit.kind !== 'timed-out') return [];
  const waited = errors.reduce((sum, { waitedSeconds }) => sum + waitedSeconds, 0);
  return waited > exit.afterSeconds / 2 ? errors : [];
}

/** Whether Ralph ended as it must when its agent has no answer in this iteration. A conversation has no loop. */
function endedInOrder({ exit, termination, iterations, conversation }: Evidence, iteration: number): boolean {
  if (exit.kind === 'timed-out' || conversation !== undefined) return true;
  if (exit.kind !== 'exited' || exit.code === PANIC || termination === null) return false;
  return termination.reason !== 'completed' || iteration !== iterations.at(-1)?.number;
}

/** The exit code of a Rust program that panics. */
const PANIC = 101;

/** Checks that something is not there, or that Ralph does by itself: a missing answer breaks none of them. */
const INDEPENDENT: ReadonlySet<string> = new Set([
  'nothingLeftBehind',
  'stayedInside',
  'keptOutOfPrompt',
  'promptLacked',
  'noMemoriesInjected',
  'memoryBudgetKept',
  'hatNeverActive',
  'toldToNobody',
  'backendNeverCalled',
]);

/** Whether a check may have failed because the agent had no answer in this iteration or turn. */
function mayFollow({ kind, category, about = {} }: CheckResult, iteration: number): boolean {
  if (INDEPENDENT.has(kind)) return false;
  const place = about.iteration ?? about.turn;
  if (place === undefined) return true;
  // The prompt of that very iteration was sent before the service failed.
  return category === 'PromptContent' ? place > iteration : place >= iteration;
}

const WORDS = {
  'rate-limit': 'a rate limit or quota is used up',
  overload: 'the service failed or is overloaded',
  login: 'the service refused the login',
  network: 'the service could not be reached',
} as const satisfies Record<Trouble, string>;

function describe({ iteration, trouble, status, message }: Troubled, { conversation }: Evidence): string {
  const place = `${conversation === undefined ? 'iteration' : 'turn'} ${iteration}`;
  const where = iteration === 0 ? 'the session before' : place;
  const answer = [...(status === null ? [] : [`HTTP ${status}`]), ...(message === '' ? [] : [message])].join(
    ', ',
  );
  return `${where}: ${WORDS[trouble]}${answer === '' ? '' : ` (${answer.slice(0, 300)})`}`;
}

/** The pause that the service asks for, counted from the end of the attempt. */
function askedPause(
  { retryAfterSeconds, resetsAt }: Troubled,
  { startedAt, durationSeconds }: Evidence,
): Pick<Fault, 'retryAfterSeconds'> {
  if (resetsAt !== undefined) {
    const ended = Date.parse(startedAt) / 1000 + durationSeconds;
    return { retryAfterSeconds: Math.max(0, Math.ceil(Date.parse(resetsAt) / 1000 - ended)) };
  }
  return retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
}

/** The words of Claude Code 2.1.325 for an error, where its status does not tell. */
const BY_KIND: Readonly<Record<string, Trouble>> = {
  rate_limit: 'rate-limit',
  billing_error: 'rate-limit',
  overloaded: 'overload',
  authentication_failed: 'login',
};

/** How CLIs name a connection that was refused, dropped or never made. */
const NO_CONNECTION =
  /ECONN(?:REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UND_ERR|fetch failed|socket|unable to connect|connection (?:refused|dropped|error|closed)|can't reach|timed? ?out/i;

/** Names the trouble behind an error of the service; null if the request itself was wrong, such as an unknown model. */
function troubleOf({
  status,
  kind,
  message,
}: Pick<ServiceError, 'status' | 'kind' | 'message'>): Trouble | null {
  const known = BY_KIND[kind ?? ''];
  if (status !== null) return troubleOfStatus(status) ?? known ?? null;
  if (known !== undefined) return known;
  // While Claude Code tries again, it has no message yet: no status means that nothing answered.
  return message === '' || NO_CONNECTION.test(message) ? 'network' : null;
}

function troubleOfStatus(status: number): Trouble | null {
  if (status === 429 || status === 402) return 'rate-limit';
  if (status === 401 || status === 403) return 'login';
  if (status === 408) return 'network';
  return status >= 500 && status <= 599 ? 'overload' : null;
}
