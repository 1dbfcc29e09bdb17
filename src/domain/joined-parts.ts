import type { AttemptFinished } from './attempt.js';
import { handleRecord, type JournalEvent, type RecordHandlers } from './journal.js';
import { keyOfTest } from './vocabulary.js';

/**
 * Joins the parts of a run that was resumed: what an earlier part left unfinished ran again later, and does not count.
 * The result reads like the records of one run. Records of a run that was not resumed stay as they are.
 */
export function joinParts(events: readonly JournalEvent[]): readonly JournalEvent[] {
  const resumed = events.findLastIndex(({ type }) => type === 'run-resumed');
  return resumed < 0 ? events : [...keepFinished(events.slice(0, resumed)), ...events.slice(resumed)];
}

/** Keeps what a run finished before it was interrupted or killed: what a later part takes over. */
export function keepFinished(events: readonly JournalEvent[]): JournalEvent[] {
  const finished = new Set(events.flatMap((event) => (isWhole(event) ? [keyOfAttempt(event)] : [])));
  const interrupted = events.some((event) => event.type === 'run-finished' && event.interrupted);
  const keeps: Partial<RecordHandlers<boolean>> = {
    'attempt-started': (event) => finished.has(keyOfAttempt(event)),
    'attempt-finished': isWhole,
    'scenario-skipped': ({ cause }) => cause.kind !== 'run-ended',
    // An interrupt ends an analysis without an answer.
    'analysis-finished': ({ outcome }) => !interrupted || outcome === 'done',
    'analysis-started': () => false,
    'run-finished': () => false,
  };
  return events.filter((event) => handleRecord(event, keeps) ?? true);
}

/** Whether Ctrl-C ended an attempt halfway. It then says nothing about the target or the harness. */
export function isBrokenOff({ outcome, interrupted, evidence }: AttemptFinished): boolean {
  return outcome === 'error' && (interrupted || evidence?.exit.kind === 'interrupted');
}

function isWhole(event: JournalEvent): event is AttemptFinished {
  return event.type === 'attempt-finished' && !isBrokenOff(event);
}

function keyOfAttempt(event: Pick<AttemptFinished, 'scenarioId' | 'backend' | 'attempt'>): string {
  return `${keyOfTest(event)} ${event.attempt}`;
}

/** Returns how long a run was active so far, in seconds: the pause before it was resumed does not count. */
export function sumActiveSeconds(events: readonly JournalEvent[]): number {
  let seconds = 0;
  let since: string | null = null;
  for (const event of events) {
    if (event.type === 'run-started') [seconds, since] = [0, event.at];
    if (event.type === 'run-resumed') [seconds, since] = [event.activeSeconds, event.at];
    if (event.type === 'run-finished') [seconds, since] = [event.durationSeconds, null];
  }
  // A killed part ended at its last record, as far as anybody knows.
  const last = events.at(-1)?.at ?? '';
  const killed = since === null ? 0 : (Date.parse(last) - Date.parse(since)) / 1000;
  return seconds + (killed > 0 ? killed : 0);
}
