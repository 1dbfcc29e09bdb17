import type { AttemptFinished } from '../../domain/attempt.js';
import { KnownError } from '../../domain/common/known-error.js';
import { findNearest } from '../../domain/common/nearest.js';
import { joinParts } from '../../domain/joined-parts.js';
import type { JournalEvent } from '../../domain/journal.js';
import { executionKey, testNames } from '../../domain/vocabulary.js';

/** Returns the last attempt of each test, or of the test with this name. */
export function lastAttempts(
  records: readonly JournalEvent[],
  runId: string,
  test: string | undefined,
): readonly AttemptFinished[] {
  const last = new Map<string, AttemptFinished>();
  for (const event of joinParts(records)) {
    if (event.type === 'attempt-finished' && !event.interrupted)
      last.set(executionKey(event.scenarioId, event.backend), event);
  }
  // In the order of the plan: attempts end in any order.
  const [started] = records;
  const planned = started?.type === 'run-started' ? started.planned : [];
  const all = planned.flatMap(({ scenarioId, backend }) => last.get(executionKey(scenarioId, backend)) ?? []);
  const found =
    test === undefined
      ? all
      : all.filter(({ scenarioId, backend }) =>
          [scenarioId, ...testNames(scenarioId, backend)].includes(test),
        );
  if (found.length > 0) return found;
  if (test === undefined)
    throw new KnownError(`Run ${runId} finished no test: there is nothing to judge or play.`);
  const similar = findNearest(
    test,
    all.map(({ scenarioId }) => scenarioId),
  );
  throw new KnownError(`Expected a test named "${test}" in run ${runId}, found none.`, {
    hint: `${similar === undefined ? '' : `Did you mean ${similar}? `}\`ralph-e2e show ${runId}\` lists its tests.`,
  });
}
