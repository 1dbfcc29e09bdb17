import { Chalk } from 'chalk';
import { type Comparison, judgeComparison } from '../domain/report/compare.js';
import { renderToFit } from '../domain/text/fit.js';
import { cut, own, paragraph } from './content/content.js';
import { blocks, writeMarkdown, writeSection } from './content/markdown.js';
import { writeHtml } from './html/content.js';
import { html, renderPage } from './html/page.js';
import { comparisonFacts, comparisonSections, summarise } from './sections/comparison.js';
import { wrapTo } from './terminal/layout.js';
import { writeTerminal } from './terminal/write.js';
import type { Pieces } from './text/pieces.js';
import { oneLine } from './text/safe-text.js';
import { countOf } from './words/words.js';

/** The most bytes of one kind of change; nobody reads more. */
const LIMITS = { markdown: 20_000, html: 100_000 };

/** Renders a comparison as a Markdown page. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const lead = [paragraph(cut(summarise(comparison), 400)), ...comparisonFacts(comparison)];
  const sections = comparisonSections(comparison, LIMITS.markdown);
  return `${blocks(
    '# Comparison of two E2E runs',
    writeMarkdown(lead),
    ...sections.map(({ mark, title, body }) => writeSection(`${mark} ${title}`, body)),
  )}\n`;
}

const UNCHANGED = {
  id: 'unchanged',
  title: 'No changes',
  body: [paragraph(own('Every test came out as it did before.'))],
};

/** Renders a comparison as one page that opens from disk. */
export function renderComparisonHtml(comparison: Comparison): Pieces {
  const title = titleOfComparison(comparison);
  const sections = comparisonSections(comparison, LIMITS.html);
  return renderPage({
    title: `${title}: ${oneLine(summarise(comparison), 200)}`,
    header: html`<header class="verdict ${TONES[judgeComparison(comparison)]}">
<p class="kicker">Comparison of two runs of the Ralph end-to-end tests</p>
<h1>${title}</h1>
<p class="sentence">${summarise(comparison)}</p>
${writeHtml(comparisonFacts(comparison), null)}
</header>`,
    sections: (sections.length > 0 ? sections : [UNCHANGED]).map((section) => ({
      ...section,
      body: writeHtml(section.body, null),
    })),
    script: '',
  });
}

const TONES = { worse: 'failed', open: 'flaky', sound: 'passed' } as const;
const TITLES = { worse: 'Worse', open: 'No verdict', sound: 'Nothing broke' } as const;

/** Names the verdict on a comparison: how much broke, if something did. */
function titleOfComparison(comparison: Comparison): string {
  const { changes, rates } = comparison;
  const broken = changes.new_failures.length;
  if (broken > 0) return countOf(broken, 'new failure');
  const worse = rates?.tests.filter(({ verdict }) => verdict === 'worse').length ?? 0;
  return worse > 0 ? `${countOf(worse, 'test')} worse` : TITLES[judgeComparison(comparison)];
}

/** The size of a screen that shows a comparison as a whole, with the prompts around it. */
const ROWS = 43;
const COLUMNS = { least: 60, usual: 80, most: 160 } as const;

/** How much is shown of each change, and how many of a kind: the most first. */
const ROOM = [
  { lines: 4, rows: 25 },
  { lines: 2, rows: 25 },
  { lines: 1, rows: 25 },
  { lines: 1, rows: 10 },
  { lines: 1, rows: 5 },
  { lines: 1, rows: 3 },
] as const;

/** Renders a comparison for the terminal, on one screen if it fits; no line is longer than the screen is wide. */
export function renderComparison(
  comparison: Comparison,
  { color, columns = 0 }: { readonly color: boolean; readonly columns?: number | undefined },
): string {
  const width = Math.min(Math.max(columns === 0 ? COLUMNS.usual : columns, COLUMNS.least), COLUMNS.most);
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const sections = comparisonSections(comparison, Number.POSITIVE_INFINITY);
  const layOut = (room: (typeof ROOM)[number]): string[] => [
    ...writeTerminal(comparisonFacts(comparison), { columns: width }),
    ...sections.flatMap(({ id, mark, title, body }) => [
      '',
      (id === 'new-failures' ? chalk.red : chalk.bold)(`${mark} ${title}`),
      ...writeTerminal(body, { columns: width, chalk, indent: 2, ...room }),
    ]),
    '',
    ...wrapTo(4, oneLine(summarise(comparison), 600), { columns: width, indent: 0 }),
    ...(comparison.changes.new_failures.length > 0 ? ['All failed checks: --json'] : []),
  ];
  const fits = renderToFit(ROOM, ROWS, (room) => {
    const rendered = layOut(room);
    return { rendered, size: rendered.length };
  });
  return (fits ?? layOut({ lines: 1, rows: 3 })).join('\n');
}
