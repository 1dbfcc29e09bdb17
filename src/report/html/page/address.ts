import type { ReportResult } from '../../../domain/report/report.js';

/** Returns the anchor of a test in the page. */
export type AddressOf = (result: ReportResult) => string;

/** Gives each test an anchor of plain characters that stays the same from run to run. */
export function nameCards(results: readonly ReportResult[]): AddressOf {
  const names = new Map<ReportResult, string>();
  const counts = new Map<string, number>();
  for (const result of results) {
    const plain = `test-${result.scenario_id.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 80)}-${result.backend}`;
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    // No plain name contains a dot, so a duplicate cannot collide with another name.
    names.set(result, count === 1 ? plain : `${plain}.${count}`);
  }
  return (result) => names.get(result) ?? 'tests';
}
