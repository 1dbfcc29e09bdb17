import type { JournalEvent } from '../../domain/journal.js';
import type { Report, ReportResult } from '../../domain/report/report.js';

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;
type Untested = Report['backends_untested'];

/** Finds named backends on which nothing ran, each with the reason. */
export function findUntested(
  { named = [], backends, shard }: Pick<RunStarted, 'named' | 'backends' | 'shard'>,
  results: readonly ReportResult[],
  { interrupted }: { readonly interrupted: boolean },
): Untested {
  return named.flatMap((id) => {
    const own = results.filter(({ backend }) => backend === id);
    if (own.some(({ outcome }) => outcome !== 'skipped')) return [];
    const unready = backends.find(({ backend }) => backend === id)?.reason ?? null;
    // Nobody expects an interrupted run or a shard to have tested everything.
    if ((interrupted || shard !== undefined) && unready === null) return [];
    const reason = unready ?? own[0]?.skip_reason ?? 'no scenario that was selected runs on it';
    return [{ backend: id, reason }];
  });
}

/** Describes each in one sentence. */
export function describeUntested(untested: Untested): string[] {
  return untested.map(({ backend, reason }) => `${backend} was named and could not be tested: ${reason}`);
}
