import type { Report, ReportResult } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';
import { renderProofSection } from '../proof/section.js';
import type { Pieces } from '../text/pieces.js';
import { countBroken, INCONCLUSIVE_ADVICE, INCONCLUSIVE_MARK } from '../words/fault-words.js';
import { countOf } from '../words/words.js';
import { renderAnalyst } from './analyst.js';
import { renderBaselines } from './baseline.js';
import { renderCauses } from './causes.js';
import { renderBriefContext } from './context.js';
import {
  pageLink,
  renderFailedLine,
  renderFailedTest,
  renderFlakyTest,
  renderInconclusiveTest,
} from './failed.js';
import { renderHead, renderQuickFixes, renderRecommendations, renderSummary } from './head.js';
import { renderHistory } from './history.js';
import { renderGone, renderKnownIssues } from './known.js';
import { blocks, fitItems, fitParts, type PagePart, renderToFit, sizeOf } from './parts.js';
import { renderPassedTests } from './passed.js';
import { renderLoopholes, renderRationalizations } from './rationalizations.js';
import { renderRepeats } from './repeats.js';
import { renderArtifacts, renderEnvironment, renderSkippedTests, renderWorkspaces } from './tail.js';

/** A person can read it, and an agent has room to think. The pages in `report/tests/` have the rest. */
const LIMIT = 40_000;
/** The causes that are shown with one of their tests. */
const SHOWN_CAUSES = 4;
/** So many bytes of a list are worth reading; its end says how many more there are. */
const LIST_LIMIT = 3_000;

/** Renders the report for people and agents: the verdict, the causes with one test each, and links to everything else. */
export function* renderMarkdown(report: Report): Pieces {
  const having = (...outcomes: ReportResult['outcome'][]) =>
    report.results.filter(({ outcome }) => outcomes.includes(outcome));
  const red = having('failed', 'error');
  // In the order of the page. Parts with a low rank get their space first.
  const parts: PagePart[] = [
    { rank: 0, render: () => renderHead(report) },
    { rank: 0, render: () => renderSummary(report) },
    { rank: 1, render: () => renderCauses(report, SHOWN_CAUSES) },
    {
      rank: 5,
      render: (room) =>
        renderFailures(
          report,
          red.filter(({ inconclusive }) => !inconclusive),
          room,
        ),
    },
    {
      rank: 4,
      render: (room) =>
        renderInconclusive(
          red.filter(({ inconclusive }) => inconclusive),
          room,
        ),
    },
    { rank: 4, render: (room) => renderFlaky(having('flaky'), room) },
    { rank: 2, render: () => renderRepeats(report) },
    { rank: 2, render: () => renderBaselines(report) },
    { rank: 2, render: () => renderKnownIssues(having('known-issue'), { isBrief: red.length > 0 }) },
    { rank: 2, render: () => renderGone(report.results) },
    { rank: 3, render: () => renderAnalyst(report) },
    { rank: 2, render: () => renderRecommendations(report) },
    { rank: 1, render: () => renderQuickFixes(report) },
    { rank: 6, render: () => renderRationalizations(report) },
    { rank: 6, render: () => renderLoopholes(report) },
    { rank: 7, render: (room) => renderPassedTests(having('passed', 'flaky'), room) },
    { rank: 3, render: () => renderSkippedTests(having('skipped'), { isBrief: red.length > 0 }) },
    { rank: 3, render: () => renderProofSection(report) },
    { rank: 3, render: () => renderHistory(report) },
    { rank: 2, render: () => renderEnvironment(report) },
    { rank: 2, render: () => renderWorkspaces(report) },
    { rank: 2, render: () => renderArtifacts(report) },
  ];
  yield fitParts(parts, LIMIT - 1);
  yield '\n';
}

/** Renders one test of each of the largest causes, with its context; the others are links. */
function renderFailures(report: Report, results: readonly ReportResult[], room: number): string {
  if (results.length === 0) return '';
  const title =
    countBroken(report.summary) > 0 ? '## 🔴 Failed Tests' : '## 💥 Tests that could not be carried out';
  const examples = chooseExamples(report, results);
  const listed = results.filter((result) => !examples.includes(result));
  const links = listFailures(listed, Math.min(LIST_LIMIT, room / 4));
  const share = Math.floor((room - sizeOf(links) - 500) / Math.max(1, examples.length));
  const shown = examples.map((result) => renderExample(report, result, share));
  return blocks(title, ...shown, links);
}

/** Chooses the tests that show the largest causes best; without causes, the first tests. */
function chooseExamples({ causes }: Report, results: readonly ReportResult[]): readonly ReportResult[] {
  const labels = causes.slice(0, SHOWN_CAUSES).map(({ tests }) => tests[0]);
  const chosen = results.filter(({ scenario_id, backend }) =>
    labels.includes(testLabel(scenario_id, backend)),
  );
  return chosen.length > 0 ? chosen : results.slice(0, SHOWN_CAUSES);
}

function renderExample({ target }: Report, result: ReportResult, room: number): string {
  const test = renderToFit(Math.min(room, 7_000), (scale) =>
    renderFailedTest(result, { scale, base: '', target }),
  );
  if (test === '') return renderFailedLine(result);
  const context = renderToFit(Math.min(room - sizeOf(test), 3_500), (scale) =>
    renderBriefContext(result, scale),
  );
  return blocks(test, context);
}

function listFailures(results: readonly ReportResult[], limit: number): string {
  if (results.length === 0) return '';
  return blocks(
    '### Other failed tests',
    fitItems(results.map(renderFailedLine), {
      limit,
      separator: '\n',
      more: (left) => `- ${countOf(left, 'more test')} in \`report/failures/\``,
    }),
  );
}

/** Renders results that say nothing about Ralph, with the command that runs each again. */
function renderInconclusive(results: readonly ReportResult[], room: number): string {
  return renderSome(results, {
    title: blocks(`## ${INCONCLUSIVE_MARK} Inconclusive Tests`, INCONCLUSIVE_ADVICE),
    room: Math.min(room, 8_000),
    render: (result, scale) => renderInconclusiveTest(result, { scale, base: '' }),
  });
}

function renderFlaky(results: readonly ReportResult[], room: number): string {
  return renderSome(results, {
    title: '## 🔁 Flaky Tests',
    room: Math.min(room, 6_000),
    render: (result, scale) => renderFlakyTest(result, { scale }),
  });
}

interface Some {
  readonly title: string;
  readonly room: number;
  readonly render: (result: ReportResult, scale: number) => string;
}

/** Renders as many tests as fit; the others are links. */
function renderSome(results: readonly ReportResult[], { title, room, render }: Some): string {
  if (results.length === 0) return '';
  const shown: string[] = [];
  let left = room - LIST_LIMIT / 2;
  for (const result of results) {
    const text = renderToFit(Math.min(left, 2_500), (scale) => render(result, scale));
    if (text === '') break;
    shown.push(text);
    left -= sizeOf(text);
  }
  const links = results.slice(shown.length).map((result) => `- ${pageLink(result)}`);
  return blocks(
    title,
    ...shown,
    fitItems(links, {
      limit: LIST_LIMIT / 2,
      separator: '\n',
      more: (more) => `- ${countOf(more, 'more test')} in \`report/tests/\``,
    }),
  );
}
