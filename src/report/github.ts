import { involvesRalph } from '../domain/attempt.js';
import type { FailureCause } from '../domain/report/failure-cause.js';
import type { Report } from '../domain/report/report.js';
import type { ReportResult } from '../domain/report/result.js';
import { testLabel } from '../domain/vocabulary.js';
import {
  bulleted,
  command,
  cut,
  type Detail,
  fold,
  heading,
  type Item,
  inCode,
  own,
  paragraph,
  type ReportBlock,
  table,
} from './content/content.js';
import { blocks, writeMarkdown, writeSection } from './content/markdown.js';
import { writeToFit } from './markdown/failed.js';
import { commandBlocks, titleOfCause } from './markdown/markdown.js';
import { findDivergence } from './model/divergence.js';
import { goneBlocks, knownIssueBlocks, skipBlocks } from './sections/advice.js';
import { causeBlocks } from './sections/causes.js';
import { summaryBlocks } from './sections/run.js';
import { attemptLines, testBlocks } from './sections/test.js';
import { sizeOf } from './text/fit.js';
import { inBlocks, type Pieces } from './text/pieces.js';
import { breakCommands, cleanText, inlineText, linePair, oneLine } from './text/safe-text.js';
import {
  describeBroken,
  describeGone,
  describeKnownIssue,
  describeResultFault,
  INCONCLUSIVE_ADVICE,
  INCONCLUSIVE_MARK,
  isGoodNews,
  spellOut,
  titleOf,
} from './words/outcomes.js';
import { countOf, describeShard, describeShards, formatDuration } from './words/words.js';

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
    const shown = { ...cause, tests: broken.map((test) => testLabel(test.scenario_id, test.backend)) };
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

/** GitHub shows ten annotations of each kind per step and silently drops the others. */
const ANNOTATIONS = 10;
/** So many tests of a cause are named. */
const NAMED_TESTS = 8;

interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
}

/**
 * Renders workflow commands: an error for each cause and for each failure without one, a warning for a flaky or
 * inconclusive test, a notice for a known issue (present or gone).
 */
export function renderGithubAnnotations(report: Report): string[] {
  const causes = listBrokenCauses(report);
  const explained = new Set(causes.flatMap(({ tests }) => tests));
  const rows = [
    ...report.run_errors.map((message) => ({ kind: 'error', title: 'ralph-e2e', message }) as const),
    ...causes.map(annotateCause),
    ...report.results.filter((result) => !explained.has(result)).flatMap(annotateTest),
  ];
  return (['error', 'warning', 'notice'] as const).flatMap((kind) => {
    const all = rows.filter((row) => row.kind === kind);
    if (all.length <= ANNOTATIONS) return all.map(renderCommand);
    const left = all.length - (ANNOTATIONS - 1);
    const rest = { kind, title: 'ralph-e2e', message: `${left} more, see the job summary` };
    return [...all.slice(0, ANNOTATIONS - 1), rest].map(renderCommand);
  });
}

/** A cause and the tests that failed through it, the clearest first. */
interface BrokenCause {
  readonly cause: FailureCause;
  readonly first: ReportResult;
  readonly tests: readonly ReportResult[];
}

/** Lists the causes of failures, without tests that are inconclusive: those say nothing about Ralph. */
function listBrokenCauses({ causes, results }: Report): BrokenCause[] {
  const byLabel = new Map(results.map((result) => [testLabel(result.scenario_id, result.backend), result]));
  return causes.flatMap((cause) => {
    const tests = cause.tests
      .map((label) => byLabel.get(label))
      .filter((result) => result !== undefined)
      .filter(({ inconclusive }) => !inconclusive);
    const [first] = tests;
    return first === undefined ? [] : [{ cause, first, tests }];
  });
}

/** One annotation for all tests of a cause: further ones would repeat it. */
function annotateCause({ cause, first, tests }: BrokenCause): Annotation {
  const names = tests.map(labelOf);
  const others = names.length - 1;
  const left = names.length - NAMED_TESTS;
  const check = findDivergence(first);
  const [expected, actual] = linePair(check?.expected ?? '', check?.actual ?? '', 400);
  return {
    kind: 'error',
    title: others === 0 ? labelOf(first) : `${labelOf(first)} and ${others} more`,
    message: [
      oneLine(cause.hypothesis, 600),
      ...(check === undefined
        ? [oneLine(describeBroken(first, 1_000), 1_000)]
        : [oneLine(check.name, 200), `Expected: ${expected}`, `Received: ${actual}`]),
      ...(others === 0
        ? []
        : [`Tests: ${names.slice(0, NAMED_TESTS).join(', ')}${left > 0 ? `, and ${left} more` : ''}`]),
      `$ ${oneLine(first.repeat_command, 1_000)}`,
    ].join('\n'),
  };
}

function annotateTest(result: ReportResult): Annotation[] {
  const title = labelOf(result);
  const gone: Annotation[] = isGoodNews(result)
    ? [{ kind: 'notice', title, message: oneLine(describeGone(result), 1_000) }]
    : [];
  switch (result.outcome) {
    case 'failed':
    case 'error':
      return [
        {
          kind: result.inconclusive ? 'warning' : 'error',
          title,
          message: `${result.inconclusive ? `${describeResultFault(result)}: ` : ''}${oneLine(describeBroken(result, 1_000), 1_000)}\n$ ${oneLine(result.repeat_command, 1_000)}`,
        },
      ];
    case 'flaky':
      return [{ kind: 'warning', title, message: 'passed only when it was tried again' }, ...gone];
    case 'known-issue':
      return [{ kind: 'notice', title, message: oneLine(describeKnownIssue(result), 1_000) }];
    case 'passed':
      return gone;
    case 'skipped':
      return [];
    default:
      return result.outcome satisfies never;
  }
}

function labelOf({ scenario_id, backend }: ReportResult): string {
  return oneLine(testLabel(scenario_id, backend), 100);
}

function renderCommand({ kind, title, message }: Annotation): string {
  return `::${kind} title=${escapeProperty(oneLine(title, 120))}::${escapeData(cleanText(message))}`;
}

/** Escapes the characters that end a command or one of its properties. */
function escapeData(text: string): string {
  return breakCommands(text).replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
