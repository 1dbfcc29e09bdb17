import type { ReportContext, ReportResult } from '../../../domain/report/report.js';
import { headAndTail } from '../../markdown/parts.js';
import { countOf } from '../../words/words.js';
import { html, type Markup, NOTHING } from '../page/markup.js';
import { type LinkBase, pathLink } from '../page/paths.js';
import { code, commandBox, folded, foldedQuote, quoteBox } from '../parts.js';
import { formatBytes } from '../words.js';
import type { Detail } from './detail.js';

/** Renders the rest of a test's context, folded: files, output, scratchpad and input. */
export function renderContextFolds(
  result: ReportResult,
  options: { detail: Detail; root: LinkBase },
): Markup {
  const { context, artifacts } = result;
  if (context === null) return NOTHING;
  const { detail, root } = options;
  const limit = detail.text;
  const whole = artifacts === null ? null : pathLink(`${artifacts}/evidence.json`, root);
  const text = (name: string, content: string | null) => foldedQuote(name, content, { limit, whole });
  const lines = (name: string, content: readonly string[]) =>
    content.length === 0 ? NOTHING : text(`${name} (${content.length})`, content.join('\n'));
  const output = (name: string, content: string, path: string) =>
    content === '' ? NOTHING : foldedQuote(name, content, { limit, whole: pathLink(path, root) });
  return html`<h4>More</h4>
<div class="folds">
${renderFiles(context, { detail, whole })}
${output('Output (stdout)', context.stdout, context.stdout_path)}
${output('Errors (stderr)', context.stderr, context.stderr_path)}
${lines('Errors of the backend', context.backend_errors)}
${lines('Processes left behind', context.processes_left_behind)}
${lines('Stopped by the isolation', context.stopped_by_isolation)}
${lines(
  'Lines that could not be read',
  context.malformed_lines.map(({ file, line, text: content }) => `${file}:${line}: ${content}`),
)}
${text('Scratchpad before', context.scratchpad_before)}
${text('Scratchpad after', context.scratchpad_after)}
${text('Prompt given to ralph', context.prompt_content)}
${text('Configuration (ralph.yml)', context.config_yaml)}
${folded('Command', commandBox(context.command_line))}
</div>`;
}

/** Renders the changes that the run made to its workspace. */
function renderFiles(
  context: ReportContext,
  { detail, whole }: { detail: Detail; whole: Markup | null },
): Markup {
  const changed = context.workspace_files.filter(({ change }) => change !== 'unchanged');
  if (changed.length === 0) return NOTHING;
  const { kept, left } = headAndTail(changed, detail.rows);
  const items = kept.map(
    ({ path, change, size_bytes, content_preview }) =>
      html`<li><span class="change ${change}">${change}</span> ${code(path, 200)} <span class="quiet">${formatBytes(size_bytes)}</span>${
        content_preview === ''
          ? null
          : quoteBox(`Content of ${path.slice(0, 80)}`, content_preview, { limit: detail.text, whole })
      }</li>`,
  );
  const more = left === 0 ? null : html`<li class="quiet">${countOf(left, 'file')} left out here</li>`;
  return folded(
    `Files changed (${changed.length})`,
    html`<ul class="files">${items}${more}</ul>`,
    kept
      .map(({ path }) => path.slice(0, 40))
      .slice(0, 3)
      .join(', '),
  );
}
