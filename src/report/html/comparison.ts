import type { Comparison } from '../../domain/report/compare.js';
import { own, paragraph } from '../content/content.js';
import { comparisonFacts, comparisonSections } from '../sections/comparison.js';
import type { Pieces } from '../text/pieces.js';
import { oneLine } from '../text/safe-text.js';
import { summarise } from '../words/comparison-words.js';
import { countOf } from '../words/words.js';
import { writeHtml } from './content.js';
import { html } from './page/markup.js';
import { renderPage } from './page/page.js';

/** The size limit for one kind of change; nobody reads more. */
const KIND_LIMIT = 100_000;
const UNCHANGED = {
  id: 'unchanged',
  title: 'No changes',
  body: [paragraph(own('Every test came out as it did before.'))],
};

/** Renders a comparison of two runs as one page that opens from disk. */
export function renderComparisonHtml(comparison: Comparison): Pieces {
  const { title, tone } = nameComparison(comparison);
  const sections = comparisonSections(comparison, KIND_LIMIT);
  return renderPage({
    title: `${title}: ${oneLine(summarise(comparison), 200)}`,
    header: html`<header class="verdict ${tone}">
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

interface Named {
  readonly title: string;
  readonly tone: 'failed' | 'flaky' | 'passed';
}

function nameComparison({ changes, no_verdict, rates }: Comparison): Named {
  const worse = rates?.tests.filter(({ verdict }) => verdict === 'worse').length ?? 0;
  const broken = changes.new_failures.length;
  if (broken > 0) return { title: countOf(broken, 'new failure'), tone: 'failed' };
  if (worse > 0) return { title: `${countOf(worse, 'test')} worse`, tone: 'failed' };
  if (no_verdict.length > 0) return { title: 'No verdict', tone: 'flaky' };
  return { title: 'Nothing broke', tone: 'passed' };
}
