import { involvesRalph } from '../../domain/attempt.js';
import type { HistoryEntry } from '../../domain/report/history.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import {
  cut,
  facts,
  inCode,
  joined,
  type Line,
  own,
  paragraph,
  type ReportBlock,
  type ReportSection,
  table,
  words,
} from '../content/content.js';
import { countOf, formatDuration, formatShare, formatUsd } from '../words/words.js';
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

const SHOWN_RUNS = 10;

/** Puts this run next to earlier ones in the same lane on the same kind of target. */
function historyBlocks({ history, lane, target }: Report): ReportBlock[] {
  if (history.length < 2) return [];
  const shown = history.slice(-SHOWN_RUNS);
  const left = history.length - shown.length;
  const hasRalph = involvesRalph(target);
  const on = hasRalph ? ` on ${target.kind === 'real' ? 'a real ralph' : 'the stand-in'}` : '';
  return [
    paragraph(own(`Runs in the ${lane} lane${on}, oldest first. They may have run different tests.`)),
    ...table(
      ['Run', ...(hasRalph ? ['Ralph'] : []), 'Passed', 'Duration', 'Cost'],
      shown.map((entry, index) => [
        words`${inCode(entry.run_id, 80)}${index === shown.length - 1 && own(' (this run)')}`,
        ...(hasRalph ? [cut(entry.ralph_version, 60)] : []),
        own(describeShare(entry)),
        own(formatDuration(entry.duration_seconds)),
        own(entry.cost_usd === null ? '-' : formatUsd(entry.cost_usd)),
      ]),
    ),
    ...(left > 0 ? [paragraph(own(`${countOf(left, 'older run')} in report.json.`))] : []),
  ];
}

function describeShare({ passed_tests, total, pass_rate }: HistoryEntry): string {
  return pass_rate === null
    ? 'nothing passed or failed'
    : `${passed_tests} of ${total} (${formatShare(pass_rate)})`;
}

const SHOWN_NAMES = 40;

/** Says how many of this run's checks were shown to fail. */
export function proofBlocks({
  proof,
  results,
  target: tested = {},
}: {
  readonly proof: Report['proof'];
  readonly results: readonly Pick<ReportResult, 'scenario_id'>[];
  /** The target of the run, not of the proof. */
  readonly target?: Pick<Report['target'], 'because'>;
}): ReportBlock[] {
  if (proof === null) return [];
  const ran = new Set(results.map(({ scenario_id }) => scenario_id));
  const known = new Set(proof.scenarios.map(({ scenario_id }) => scenario_id));
  const weak = proof.scenarios.filter(
    ({ scenario_id, checks, proved }) => ran.has(scenario_id) && proved < checks,
  );
  const { target, lane } = proof;
  const ralph = words`on ${own(target.kind === 'stand-in' ? 'the stand-in ' : '')}ralph ${cut(target.version, 60)}, `;
  return facts([
    [
      'Proof',
      words`${own(proof.passed ? '🟢 passed' : '🔴 not passed')}, ${cut(proof.timestamp, 40)}, ${involvesRalph(tested) && ralph}${own(lane)} lane; the matrices are in ${inCode('prove.md')}`,
    ],
    [
      'Checks shown to fail when what they test is broken',
      own(
        `${proof.proved} of ${proof.checks}, by ${countOf(proof.saboteurs, 'saboteur')}; ${countOf(proof.guards, 'guard')}`,
      ),
    ],
    ['Survivors', some(proof.survivors.map((name) => cut(name, 200)))],
    [
      'Scenarios of this run with unproved checks',
      some(
        weak.map(
          ({ scenario_id, checks, proved }) => words`${inCode(scenario_id, 80)} (${proved} of ${checks})`,
        ),
      ),
    ],
    [
      'Scenarios of this run that were not proved',
      some([...ran].filter((id) => !known.has(id)).map((id) => inCode(id, 80))),
    ],
  ]);
}

function some(names: readonly Line[]): Line {
  if (names.length === 0) return null;
  const left = names.length - SHOWN_NAMES;
  return joined([...names.slice(0, SHOWN_NAMES), ...(left > 0 ? [own(`${left} more`)] : [])]);
}
