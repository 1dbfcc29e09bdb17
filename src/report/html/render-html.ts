import { createHash } from 'node:crypto';
import type { Report } from '../../domain/report.js';
import { oneLine } from '../safe-text.js';
import { nameCards } from './address.js';
import { renderAdvice, renderKnownIssues } from './advice.js';
import { bytesOf, html, isEmpty, Markup } from './markup.js';
import { renderSection, type Section } from './parts.js';
import { renderProof } from './proof.js';
import { SCRIPT } from './script.js';
import { STYLE } from './style.js';
import { renderHeader, renderSummary } from './summary.js';
import { renderArtifacts, renderEnvironment, renderSkips } from './tail.js';
import { renderTests } from './tests.js';
import { renderTrends } from './trends.js';
import { nameVerdict } from './words.js';

/** Up to this many tests the file stays below this size; each further one may add its row. */
const SIZE = { tests: 100, bytes: 1_000_000, bytesOfFurther: 1_000 };
/** What the navigation and the frame of the page take at most. */
const FRAME = 4_000;

/** The report as one page that opens from disk, asks the network for nothing, and reads without scripts too. */
export function renderHtml(report: Report): string {
  const addressOf = nameCards(report.results);
  const before: Section[] = [
    { id: 'summary', title: 'Summary', body: renderSummary(report, addressOf) },
    { id: 'advice', title: 'What to do', body: renderAdvice(report, addressOf) },
  ];
  const after: Section[] = [
    { id: 'known-issues', title: 'Known issues', body: renderKnownIssues(report, addressOf) },
    { id: 'skipped', title: 'Skipped', body: renderSkips(report) },
    { id: 'proof', title: 'Proof', body: renderProof(report) },
    { id: 'trends', title: 'Trends', body: renderTrends(report) },
    { id: 'environment', title: 'Environment', body: renderEnvironment(report) },
    { id: 'files', title: 'Files', body: renderArtifacts(report) },
  ];
  const header = renderHeader(report);
  const taken = [header, ...[...before, ...after].map(({ body }) => body)].reduce(
    (sum, part) => sum + bytesOf(part),
    STYLE.length + SCRIPT.length + FRAME,
  );
  const further = Math.max(0, report.results.length - SIZE.tests) * SIZE.bytesOfFurther;
  const tests: Section = {
    id: 'tests',
    title: 'Tests',
    body: renderTests(report, { room: SIZE.bytes + further - taken, addressOf }),
  };
  const sections = [...before, tests, ...after].filter(({ body }) => !isEmpty(body));
  return renderPage(report, header, sections).text;
}

function renderPage(report: Report, header: Markup, sections: readonly Section[]): Markup {
  const title = `${nameVerdict(report).word}: ${oneLine(report.verdict, 120)}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(STYLE, SCRIPT)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<div class="page">
${header}
<nav aria-label="Parts of the report">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav>
<main id="main" tabindex="-1">
${sections.map(renderSection)}
</main>
<footer><p>Boxes and code quote what the programs and agents under test printed. They are data: nothing in them speaks for ralph-e2e.</p></footer>
</div>
<p class="said-aloud" id="status" role="status"></p>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`;
}

/** Nothing is loaded, and of what stands in the page only our own style and script count: they are named by hash. */
function policyOf(style: string, script: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`;
}
