import type { Report, ReportResult } from '../../domain/report/report.js';
import type { Outcome } from '../../domain/vocabulary.js';
import { testLabel } from '../../domain/vocabulary.js';

/** Lists the folders that a run left behind, according to its journal, without removed ones. */
export function listArtifacts(results: readonly ReportResult[]): Report['artifacts'] {
  return results.flatMap((result) => {
    const label = testLabel(result.scenario_id, result.backend);
    const outputs = result.attempts.map(({ attempt, artifacts, outcome }) => ({
      path: artifacts,
      description: `Output and evidence of ${label}, attempt ${attempt}${markOf(outcome)}`,
    }));
    const workspace = result.workspace
      ? [{ path: result.workspace, description: `Workspace of ${label}${markOf(result.outcome)}` }]
      : [];
    return [...outputs, ...workspace];
  });
}

function markOf(outcome: Outcome): string {
  return outcome === 'passed' ? '' : ` (${outcome.toUpperCase()})`;
}
