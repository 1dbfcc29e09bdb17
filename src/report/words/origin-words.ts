import type { Report } from '../../domain/report/report.js';
import { cleanText, oneLine } from '../text/safe-text.js';
import { countOf } from './words.js';

type ReportOrigin = NonNullable<Report['origin']>;

/** Words for a replay or a regrade. Every report takes them from here. */

/** Says what this run is: `replay of run … (live, ralph 2.10.1)`. */
export function describeOriginRun({ kind, run_id, lane, ralph_version }: OriginRun): string {
  return `${kind} of run ${oneLine(run_id, 80)} (${lane}, ralph ${oneLine(ralph_version, 60)})`;
}

type OriginRun = Pick<ReportOrigin, 'kind' | 'run_id' | 'lane' | 'ralph_version'>;

/** Lists what became of each test: `failed → passed: claude-events`, and what to know about it. */
export function describeChanges({ tests, changed_scenarios, kind }: ReportOrigin): string[] {
  const lines = tests.flatMap(({ test, before, now, because }) => {
    const then = before === null ? '' : `${before} → `;
    const why =
      because === null
        ? []
        : cleanText(because)
            .split('\n')
            .map((line) => `    ${line.slice(0, 220)}`);
    return [`${then}${now}: ${test}`, ...why];
  });
  const changed =
    changed_scenarios.length === 0
      ? []
      : [
          `${countOf(changed_scenarios.length, 'scenario')} changed since ${kind === 'replay' ? 'the recording' : 'that run'}: ${changed_scenarios.join(', ')}`,
        ];
  return [...lines, ...changed];
}
