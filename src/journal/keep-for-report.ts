import type { JournalEvent } from '../domain/journal.js';

/**
 * Keeps only what a report needs of a record. For an attempt that passed, no rule reads how the agent was called or what
 * it was sent in addition to its prompts, and for ten thousand attempts that takes a lot of memory. Attempts that did
 * not pass stay complete: the diagnosis reads everything.
 */
export function keepForReport(event: JournalEvent): JournalEvent {
  if (event.type !== 'attempt-finished' || event.outcome !== 'passed' || event.evidence === null)
    return event;
  return {
    ...event,
    evidence: {
      ...event.evidence,
      invocations: [],
      requests: [],
      errands: [],
      history: [],
      memories: [],
      tasks: [],
      readiness: null,
    },
  };
}
