import { type AttemptFinished, isTroubled, type Planned } from '../domain/attempt.js';
import { isBrokenOff } from '../domain/joined-parts.js';
import type { JournalEvent } from '../domain/journal.js';
import { executionKey, LANE_TRAITS, testLabel } from '../domain/vocabulary.js';

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;

/** Finds the first result that no run records, because it contradicts its own checks or the plan. */
export function createContradictionFinder() {
  let found: string | null = null;
  let started: RunStarted | null = null;
  const tries = new Map<string, number>();
  const see = (event: AttemptFinished, run: RunStarted): void => {
    const key = `${executionKey(event.scenarioId, event.backend)} ${event.repeat ?? 1}`;
    const count = (tries.get(key) ?? 0) + (LANE_TRAITS[run.lane].costsMoney && isTroubled(event) ? 0 : 1);
    tries.set(key, count);
    const odd = count > countAllowed(run) ? 'after its last retry' : describeOdd(event, run);
    if (odd === null) return;
    const test = testLabel(event.scenarioId, event.backend);
    found ??= `attempt ${event.attempt} of ${test} is recorded as ${event.outcome} ${odd}`;
  };
  return {
    /** Returns the record. */
    add(event: JournalEvent): JournalEvent {
      if (event.type === 'run-started') started = event;
      if (started !== null && event.type === 'attempt-finished' && !isBrokenOff(event)) see(event, started);
      return event;
    },
    end: (): string | null => found,
  };
}

function describeOdd({ outcome, checks, ...who }: AttemptFinished, { planned }: RunStarted): string | null {
  const broken = checks.find(({ passed }) => !passed);
  if (outcome === 'passed' && checks.length === 0) return 'without a check';
  if (outcome === 'passed' && broken !== undefined) return `beside a failed check: ${broken.name}`;
  if (outcome !== 'known-issue') return null;
  const isPlanned = ({ scenarioId, backend, knownIssue }: Planned) =>
    knownIssue !== null && scenarioId === who.scenarioId && backend === who.backend;
  return planned.some(isPlanned) ? null : 'where none is planned';
}

/** How many attempts of a test, or of each repeat, may count. A model that did otherwise is asked once more. */
function countAllowed({ call, repeat, lane }: RunStarted): number {
  if (repeat !== undefined && repeat.times > 1) return 1;
  if (call === undefined) return Number.POSITIVE_INFINITY;
  return 1 + Math.max(call.retries, LANE_TRAITS[lane].costsMoney ? 1 : 0);
}
