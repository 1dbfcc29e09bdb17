import { involvesRalph } from '../../domain/attempt.js';
import type { Report, ReportResult } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';
import type { Detail, Item, ReportBlock } from '../content/content.js';
import { bulleted, command, cut, fold, heading, inCode, own, paragraph, table } from '../content/content.js';
import { blocks, writeMarkdown, writeSection } from '../content/markdown.js';
import { writeToFit } from '../markdown/failed.js';
import { commandBlocks, titleOfCause } from '../markdown/markdown.js';
import { goneBlocks, knownIssueBlocks, skipBlocks } from '../sections/advice.js';
import { causeBlocks } from '../sections/causes.js';
import { summaryBlocks } from '../sections/run.js';
import { attemptLines, testBlocks } from '../sections/test.js';
import { sizeOf } from '../text/fit.js';
import { inBlocks, type Pieces } from '../text/pieces.js';
import { inlineText } from '../text/safe-text.js';
import { describeBroken } from '../words/failure-words.js';
import { describeResultFault, INCONCLUSIVE_ADVICE, INCONCLUSIVE_MARK } from '../words/fault-words.js';
import { spellOut, titleOf } from '../words/outcome-words.js';
import { describeShard, describeShards } from '../words/shard-words.js';
import { countOf, formatDuration } from '../words/words.js';
import { listBrokenCauses } from './annotations.js';

/** GitHub accepts one mebibyte per step; nobody reads that much, and other tools write to the same file. */
const PART_LIMIT = 24_000;
const LIST_LIMIT = 6_000;
const SHOWN_CAUSES = 10;
const SHOWN_ROWS = 50;

/**
 * Renders the job summary, which appears on the page of a workflow run: the causes first, then the tests, folded. Pages
 * of tests are not on GitHub, so nothing leads to them.
 */
export function* renderGithubSummary(report: Report): Pieces {
  const having = (...outcomes: ReportResult['outcome'][]) =>
    report.results.filter(({ outcome }) => outcomes.includes(outcome));
  const failed = having('failed', 'error');
  const known = having('known-issue');
  const shard = report.shard === null ? '' : `, ${describeShard(report.shard)}`;
  yield* inBlocks([
    `# ${titleOf(report)}: ralph-e2e${describeOn(report)}`,
    `${inlineText(report.verdict, 300)} (${report.lane} lane, ${formatDuration(report.duration_seconds)}${shard})`,
    ...(report.shards === null ? [] : [`Merged from ${describeShards(report.shards)}.`]),
    renderCauses(report),
    writeSection('Summary', summaryBlocks(report)),
    renderBroken(
      report,
      failed.filter(({ inconclusive }) => !inconclusive),
    ),
    renderInconclusive(
      report,
      failed.filter(({ inconclusive }) => inconclusive),
    ),
    writeSection('🔁 Flaky Tests', bulleted(having('flaky').map(describeFlaky), { limit: LIST_LIMIT })),
    writeMarkdown(
      fold('🐞', `${countOf(known.length, 'test')} with a known issue`, knownIssueBlocks(known, LIST_LIMIT)),
    ),
    writeSection('✅ Known Issues That No Longer Occur', goneBlocks(report.results, LIST_LIMIT)),
    writeSection('⏭️ Skipped Tests', skipBlocks(having('skipped'), { rows: 12, tests: 4 })),
    writeSection('🔧 Quick Fix Commands', commandBlocks(report)),
  ]);
  yield '\n';
}

function describeOn({ target, ralph_version }: Report): string {
  if (!involvesRalph(target)) return '';
  return ` on ${inlineText(target.kind === 'real' ? `ralph ${ralph_version}` : 'the stand-in ralph', 80)}`;
}

/** Renders the causes of failures, without tests that are inconclusive: those say nothing about the target. */
function renderCauses(report: Report): string {
  const causes = listBrokenCauses(report);
  const tests = causes.reduce((sum, cause) => sum + cause.tests.length, 0);
  const left = causes.length - SHOWN_CAUSES;
  const again = ({ repeat_command }: ReportResult) => repeat_command;
  const body = causes.slice(0, SHOWN_CAUSES).flatMap(({ cause, tests: broken }, index) => {
    const shown = { ...cause, tests: broken.map(labelOf) };
    return [
      heading(3, own(titleOfCause(shown, index))),
      paragraph(cut(cause.hypothesis, 600)),
      ...causeBlocks(report, shown, { tests: 6, again }),
    ];
  });
  return writeSection(`🎯 ${countOf(causes.length, 'cause')}, ${countOf(tests, 'test')}`, [
    ...body,
    ...(left > 0 ? [paragraph(own(`${countOf(left, 'more cause')} in report.json.`))] : []),
  ]);
}

function renderBroken(report: Report, results: readonly ReportResult[]): string {
  if (results.length === 0) return '';
  const rows = results.map((result) => [
    inCode(labelOf(result), 100),
    cut(describeBroken(result, 245), 245),
    own(result.diagnosis === null ? '' : spellOut(result.diagnosis.failure_type)),
  ]);
  const more = 'more tests in report.json.';
  const all = table(['Test', 'What broke', 'Diagnosis'], rows, { most: SHOWN_ROWS, more });
  return blocks(
    '## 🔴 Failed Tests',
    writeMarkdown(fold('', `All ${countOf(results.length, 'failed test')}`, all)),
    foldTests(results, (result, detail) =>
      fold('', `${labelOf(result)}: all about it`, testBlocks(result, { detail, target: report.target })),
    ),
  );
}

function renderInconclusive({ target }: Report, results: readonly ReportResult[]): string {
  if (results.length === 0) return '';
  return blocks(
    `## ${INCONCLUSIVE_MARK} Inconclusive Tests`,
    INCONCLUSIVE_ADVICE,
    foldTests(results, (result, detail) =>
      fold('', `${labelOf(result)}: ${describeResultFault(result)}`, [
        ...testBlocks(result, { detail, target, hasDiagnosis: false }),
        ...command(result.repeat_command),
      ]),
    ),
  );
}

/** Folds as many of the first tests as there is room for, in as much detail as fits. One that does not fit hides no other. */
function foldTests(
  results: readonly ReportResult[],
  describe: (result: ReportResult, detail: Detail) => ReportBlock[],
): string {
  const shown: string[] = [];
  let room = PART_LIMIT;
  for (const result of results.slice(0, SHOWN_ROWS)) {
    const page = writeToFit(room - 2, (detail) => writeMarkdown(describe(result, detail)));
    if (page === '') continue;
    shown.push(page);
    room -= sizeOf(page) + 2;
  }
  const left = results.length - shown.length;
  return blocks(...shown, left > 0 ? `${countOf(left, 'more test')} in report.json.` : '');
}

function describeFlaky(result: ReportResult): Item {
  return { line: inCode(labelOf(result), 100), below: attemptLines(result, 4) };
}

function labelOf({ scenario_id, backend }: ReportResult): string {
  return testLabel(scenario_id, backend);
}
