import type { JournalEvent } from '../../../domain/journal.js';
import type { Report, ReportResult } from '../../../domain/report/report.js';
import { testLabel } from '../../../domain/vocabulary.js';

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;
type ReportOrigin = NonNullable<Report['origin']>;

/** Describes the run that this one plays or judges again, and what became of its tests; null if there is none. */
export function describeOrigin({ origin }: RunStarted, results: readonly ReportResult[]): Report['origin'] {
  if (origin === undefined) return null;
  const { kind, runId, lane, target, changed, outcomes } = origin;
  return {
    kind,
    run_id: runId,
    lane,
    ralph_version: target.version,
    ralph_sha256: target.sha256 ?? null,
    changed_scenarios: changed,
    tests: results.map((result) => ({
      test: testLabel(result.scenario_id, result.backend),
      before:
        outcomes.find(
          ({ scenarioId, backend }) => scenarioId === result.scenario_id && backend === result.backend,
        )?.outcome ?? null,
      now: outcomeNow(result),
      because: result.fault?.whose === 'recording' ? (result.fault.because[0] ?? null) : result.skip_reason,
    })),
  };
}

function outcomeNow({ outcome, fault, inconclusive }: ReportResult): ReportOrigin['tests'][number]['now'] {
  if (fault?.whose === 'recording') return 'diverged';
  if (inconclusive) return 'inconclusive';
  return outcome === 'flaky' ? 'failed' : outcome;
}
