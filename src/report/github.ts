import type { Report, ReportResult } from '../domain/report/report.js';
import { testLabel } from '../domain/vocabulary.js';
import { renderFailedTest, renderInconclusiveTest, wordsOf } from './markdown/failed.js';
import { renderQuickFixes, renderSummary, titleOf } from './markdown/head.js';
import { renderGone, renderKnownIssues } from './markdown/known.js';
import { blocks, details, fitItems, table } from './markdown/parts.js';
import { renderSkippedTests } from './markdown/tail.js';
import { inBlocks, type Pieces } from './text/pieces.js';
import { cleanText, codeSpan, inlineText, oneLine } from './text/safe-text.js';
import { describeBroken, describeGone, describeKnownIssue, isGoodNews } from './words/failure-words.js';
import { describeResultFault, INCONCLUSIVE_ADVICE, INCONCLUSIVE_MARK } from './words/fault-words.js';
import { backendName, countOf, formatDuration } from './words/words.js';

/** GitHub accepts one mebibyte per step; nobody reads that much, and other tools write to the same file. */
const PART_LIMIT = 24_000;

/** Renders the job summary, which appears on the page of a workflow run. */
export function* renderGithubSummary(report: Report): Pieces {
  const having = (...outcomes: ReportResult['outcome'][]) =>
    report.results.filter(({ outcome }) => outcomes.includes(outcome));
  const broken = having('failed', 'error');
  yield* inBlocks([
    `# ${titleOf(report)}: ralph-e2e on ${inlineText(report.target.kind === 'real' ? `ralph ${report.ralph_version}` : 'the stand-in ralph', 80)}`,
    `${inlineText(report.verdict, 300)} (${report.lane} lane, ${formatDuration(report.duration_seconds)})`,
    renderSummary(report),
    renderBroken(broken.filter(({ inconclusive }) => !inconclusive)),
    renderInconclusive(broken.filter(({ inconclusive }) => inconclusive)),
    renderFlaky(having('flaky')),
    renderKnownIssues(having('known-issue')),
    renderGone(report.results),
    renderSkips(having('skipped')),
    renderQuickFixes(report),
  ]);
  yield '\n';
}

function renderBroken(results: readonly ReportResult[]): string {
  if (results.length === 0) return '';
  const more = (left: number) => `${countOf(left, 'more test')} in report.json.`;
  const rows = results.map((result) => [
    codeSpan(testLabel(result.scenario_id, result.backend), 100),
    inlineText(describeBroken(result, 240), 240),
    result.diagnosis ? wordsOf(result.diagnosis.failure_type) : '',
  ]);
  const head = ['Test', 'What broke', 'Diagnosis'];
  const [shown, left] = [rows.slice(0, 50), rows.length - 50];
  const pages = results.map((result) =>
    details(`${testLabel(result.scenario_id, result.backend)}: all about it`, renderFailedTest(result)),
  );
  return blocks(
    '## 🔴 Failed Tests',
    table(head, shown),
    left > 0 ? more(left) : '',
    fitItems(pages, { limit: PART_LIMIT, separator: '\n\n', more }),
  );
}

function renderInconclusive(results: readonly ReportResult[]): string {
  if (results.length === 0) return '';
  const more = (left: number) => `${countOf(left, 'more test')} in report.json.`;
  const pages = results.map((result) =>
    details(
      `${testLabel(result.scenario_id, result.backend)}: ${describeResultFault(result)}`,
      renderInconclusiveTest(result),
    ),
  );
  return blocks(
    `## ${INCONCLUSIVE_MARK} Inconclusive Tests`,
    INCONCLUSIVE_ADVICE,
    fitItems(pages, { limit: PART_LIMIT, separator: '\n\n', more }),
  );
}

function renderFlaky(results: readonly ReportResult[]): string {
  const items = results.map(
    ({ scenario_id, backend, attempts }) =>
      `- ${codeSpan(scenario_id, 80)} on ${backendName(backend)}: ${countOf(attempts.length, 'attempt')}`,
  );
  const more = (left: number) => `- ${left} more in report.json`;
  return results.length === 0
    ? ''
    : blocks('## 🔁 Flaky Tests', fitItems(items, { limit: 4_000, separator: '\n', more }));
}

function renderSkips(results: readonly ReportResult[]): string {
  const page = renderSkippedTests(results);
  return page.length <= PART_LIMIT ? page : `${countOf(results.length, 'test')} skipped, see report.json.`;
}

/** GitHub shows ten annotations of each kind per step and silently drops the others. */
const ANNOTATIONS = 10;

/** Renders workflow commands: a failure is an error, a flaky or inconclusive test a warning, a known issue (present or gone) a notice. */
export function renderGithubAnnotations({ results, run_errors }: Report): string[] {
  const whole = run_errors.map((message) => ({ kind: 'error', title: 'ralph-e2e', message }));
  const tests = results.flatMap((result) => {
    const name = testLabel(result.scenario_id, result.backend);
    const gone = isGoodNews(result)
      ? [{ kind: 'notice', title: name, message: oneLine(describeGone(result), 1_000) }]
      : [];
    switch (result.outcome) {
      case 'failed':
      case 'error':
        return [
          {
            kind: result.inconclusive ? 'warning' : 'error',
            title: name,
            message: `${result.inconclusive ? `${describeResultFault(result)}: ` : ''}${oneLine(describeBroken(result, 1_000), 1_000)}\n$ ${oneLine(result.repeat_command, 1_000)}`,
          },
        ];
      case 'flaky':
        return [{ kind: 'warning', title: name, message: 'passed only when it was tried again' }, ...gone];
      case 'known-issue':
        return [{ kind: 'notice', title: name, message: oneLine(describeKnownIssue(result), 1_000) }];
      case 'passed':
        return gone;
      case 'skipped':
        return [];
      default:
        return result.outcome satisfies never;
    }
  });
  const rows = [...whole, ...tests];
  return ['error', 'warning', 'notice'].flatMap((kind) => {
    const all = rows.filter((row) => row.kind === kind);
    if (all.length <= ANNOTATIONS) return all.map(renderCommand);
    const left = all.length - (ANNOTATIONS - 1);
    const rest = { kind, title: 'ralph-e2e', message: `${left} more, see the job summary` };
    return [...all.slice(0, ANNOTATIONS - 1), rest].map(renderCommand);
  });
}

function renderCommand({ kind, title, message }: { kind: string; title: string; message: string }): string {
  return `::${kind} title=${escapeProperty(oneLine(title, 120))}::${escapeData(cleanText(message))}`;
}

/** Escapes the characters that end a command or one of its properties. */
function escapeData(text: string): string {
  // The runner also recognizes an older form of command, `##[name]`, anywhere in a line.
  return text
    .replace(/##(?=\[)/g, '# #')
    .replace(/%/g, '%25')
    .replace(/\r/g, '%0D')
    .replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
