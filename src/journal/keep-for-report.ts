import type { JournalEvent } from '../domain/journal.js';

/**
 * What a report needs of a record. Of an attempt that passed no rule asks how its agent was called and what it was
 * sent besides its prompts, and of ten thousand attempts that takes much memory. Those that did not pass stay whole:
 * the diagnosis reads everything.
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
