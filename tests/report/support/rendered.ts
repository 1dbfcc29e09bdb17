import type { Report } from '../../../src/domain/report/report.js';
import { renderHtml as html } from '../../../src/report/html/render-html.js';
import { renderJson as json } from '../../../src/report/json.js';
import { renderJunit as junit } from '../../../src/report/junit.js';
import { renderMarkdown as markdown, renderJobSummary } from '../../../src/report/markdown/markdown.js';
import type { Pieces } from '../../../src/report/text/pieces.js';

/** The renderers, each with its whole text at once: what a reader gets. */

export const renderMarkdown = wholeOf((report) => markdown(report));
export const renderJson = wholeOf(json);
export const renderHtml = wholeOf(html);
export const renderJunit = wholeOf(junit);
export const renderGithubSummary = wholeOf(renderJobSummary);

function wholeOf(render: (report: Report) => Pieces): (report: Report) => string {
  return (report) => [...render(report)].join('');
}
