import type { Comparison } from '../../domain/report/compare.js';
import { cut, paragraph } from '../content/content.js';
import { blocks, writeMarkdown, writeSection } from '../content/markdown.js';
import { comparisonFacts, comparisonSections } from '../sections/comparison.js';
import { summarise } from '../words/comparison-words.js';

const LIST_LIMIT = 20_000;

/** Renders a comparison as a Markdown page. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const lead = [paragraph(cut(summarise(comparison), 400)), ...comparisonFacts(comparison)];
  const sections = comparisonSections(comparison, LIST_LIMIT);
  return `${blocks(
    '# Comparison of two E2E runs',
    writeMarkdown(lead),
    ...sections.map(({ mark, title, body }) => writeSection(`${mark} ${title}`, body)),
  )}\n`;
}
