import { KnownError } from '../../domain/common/known-error.js';
import { isBrokenOff } from '../../domain/joined-parts.js';
import type { JournalEvent } from '../../domain/journal.js';
import { keyOfTest, testLabel } from '../../domain/vocabulary.js';

export type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;

/** Refuses records that no run of ralph-e2e writes: results must not be taken over from a journal that was changed. */
export function requireWhole(records: readonly JournalEvent[], runId: string): RunStarted {
  const [started] = records;
  const broken = started?.type === 'run-started' ? findBreach(records, started) : 'no first record';
  if (started?.type === 'run-started' && started.runId === runId && broken === null) return started;
  throw new KnownError(
    `The journal of run ${runId} is damaged: expected the records as the run wrote them, found ${broken ?? 'those of another run'}.`,
    { hint: 'Nothing can be taken over from it. Start a new run.' },
  );
}

function findBreach(records: readonly JournalEvent[], { planned }: RunStarted): string | null {
  const tests = new Set(planned.map(keyOfTest));
  const open = new Set<string>();
  const finished = new Map<string, number>();
  for (const [index, event] of records.entries()) {
    if (event.type === 'run-started' && index > 0) return 'a second beginning';
    if (event.type === 'journal-changed') return `a note that ${event.found}`;
    if (event.type === 'run-resumed') open.clear();
    if (event.type !== 'attempt-started' && event.type !== 'attempt-finished') continue;
    const key = keyOfTest(event);
    const name = `attempt ${event.attempt} of ${testLabel(event.scenarioId, event.backend)}`;
    if (!tests.has(key)) return `${name}, which is not in the plan`;
    if (event.attempt !== (finished.get(key) ?? 0) + 1) return `${name} out of turn`;
    if (event.type === 'attempt-started') open.add(key);
    else if (!open.delete(key)) return `the end of ${name} without its start`;
    else if (!isBrokenOff(event)) finished.set(key, event.attempt);
  }
  return null;
}
