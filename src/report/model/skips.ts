import type { ReportResult } from '../../domain/report/report.js';
import type { BackendId } from '../../domain/vocabulary.js';

/** Tests of one backend that were skipped for the same reason. */
export interface SkipGroup {
  readonly backend: BackendId;
  readonly reason: string;
  readonly ids: readonly string[];
}

/** Groups skipped tests by backend and reason. */
export function groupSkips(results: readonly ReportResult[]): SkipGroup[] {
  const groups = new Map<string, SkipGroup & { ids: string[] }>();
  for (const { outcome, backend, skip_reason, scenario_id } of results) {
    if (outcome !== 'skipped') continue;
    const reason = skip_reason ?? 'no reason was recorded';
    const key = `${backend}\u0000${reason}`;
    const group = groups.get(key) ?? { backend, reason, ids: [] };
    group.ids.push(scenario_id);
    groups.set(key, group);
  }
  return [...groups.values()];
}
