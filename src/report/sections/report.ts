import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import type { ReportBlock, ReportSection } from '../content/content.js';
import {
  analystBlocks,
  commandBlocks,
  goneBlocks,
  knownIssueBlocks,
  loopholeBlocks,
  rationalizationBlocks,
  recommendationBlocks,
  skipBlocks,
} from './advice.js';
import { historyBlocks, proofBlocks } from './figures.js';
import { baselineBlocks, repeatBlocks } from './repeats.js';
import { artifactBlocks, backendBlocks, environmentBlocks } from './run.js';

/** How much the lists of a report show. */
interface Room {
  /** The most bytes of a list. */
  readonly list: number;
  /** The same for known issues, and the most reasons why tests did not run: less beside a failure. */
  readonly known: number;
  readonly skips: number;
  /** The most rows of a table. */
  readonly rows: number;
  /** So many tests are named by an entry. */
  readonly tests: number;
}

/** Lists the parts of a report besides its head, its causes and its tests, in their order. */
export function listSections(report: Report, { list, known, skips, rows, tests }: Room): ReportSection[] {
  const { results } = report;
  const having = (outcome: ReportResult['outcome']) => results.filter((result) => result.outcome === outcome);
  const [issues, skipped] = [having('known-issue'), having('skipped')];
  const all: [rank: number, id: string, mark: string, title: string, body: readonly ReportBlock[]][] = [
    [2, 'repeats', '🎲', 'Repeats', repeatBlocks(report, rows)],
    [2, 'without-plugin', '🔌', 'Without the plugin', baselineBlocks(report, rows)],
    [2, 'advice', '📋', 'Recommendations', recommendationBlocks(report, { limit: list, tests })],
    [1, 'commands', '🔧', 'Quick Fix Commands', commandBlocks(report)],
    [2, 'known-issues', '🐞', `Known Issues (${issues.length})`, knownIssueBlocks(issues, known)],
    [2, 'gone', '✅', 'Known Issues That No Longer Occur', goneBlocks(results, list)],
    [3, 'analyst', '🧠', 'Analysis by Ralph', analystBlocks(report, list)],
    [6, 'claims', '📋', 'Rationalization Analysis', rationalizationBlocks(report)],
    [6, 'loopholes', '🔓', 'Discovered Loopholes', loopholeBlocks(report, list)],
    [3, 'skipped', '⏭️', `Skipped Tests (${skipped.length})`, skipBlocks(skipped, { rows: skips, tests })],
    [3, 'proof', '🧪', 'What this green is worth', proofBlocks(report)],
    [3, 'history', '📈', 'History', historyBlocks(report)],
    [2, 'environment', '🖥️', 'Environment', [...backendBlocks(report), ...environmentBlocks(report)]],
    [2, 'files', '📁', 'Files', artifactBlocks(report)],
  ];
  return all
    .map(([rank, id, mark, title, body]) => ({ rank, id, mark, title, body }))
    .filter(({ body }) => body.length > 0);
}
