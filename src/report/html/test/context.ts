import type { ReportContext, ReportResult } from '../../../domain/report/report.js';
import { headAndTail } from '../../markdown/parts.js';
import { type ContextSection, contextSections } from '../../model/sections.js';
import { countOf } from '../../words/words.js';
import { html, type Markup, NOTHING } from '../page/markup.js';
import { type LinkBase, pathLink } from '../page/paths.js';
import { bulletList, code, commandBox, factList, folded, foldedQuote, line, quoteBox } from '../parts.js';
import { formatBytes } from '../words.js';
import type { Detail } from './detail.js';

interface FoldOptions {
  readonly detail: Detail;
  readonly root: LinkBase;
  /** Where to find the whole of a text that has no file of its own. */
  readonly whole: Markup | null;
}

/** Renders the rest of a test's context, folded: files, output, scratchpad and input. */
export function renderContextFolds(
  result: ReportResult,
  { detail, root }: Pick<FoldOptions, 'detail' | 'root'>,
): Markup {
  const { artifacts } = result;
  const whole = artifacts === null ? null : pathLink(`${artifacts}/evidence.json`, root);
  const folds = contextSections(result).map((section) => renderSection(section, { detail, root, whole }));
  return folds.length === 0 ? NOTHING : html`<h4>More</h4>\n<div class="folds">\n${folds}\n</div>`;
}

function renderSection(section: ContextSection, options: FoldOptions): Markup {
  switch (section.kind) {
    case 'text':
      return foldedQuote(section.title, section.text, {
        limit: options.detail.text,
        whole: section.path === null ? options.whole : pathLink(section.path, options.root),
      });
    case 'command':
      return folded(section.title, commandBox(section.command));
    case 'turns':
      return folded(
        section.title,
        renderTurns(section.talk, options.detail),
        countOf(section.talk.turns.length, 'turn'),
      );
    case 'files':
      return renderFiles(section, options);
    case 'iterations':
    case 'events':
      // The timeline shows them.
      return NOTHING;
    default:
      return section satisfies never;
  }
}

/** Renders what a conversation is about besides what was said: the timeline has that. */
function renderTurns(talk: NonNullable<ReportContext['conversation']>, detail: Detail): Markup {
  const { planned_turns, turns, workflow, stage, plugins, plugin_errors } = talk;
  const { kept, left } = headAndTail(turns, detail.rows);
  return html`${factList([
    ['Planned', countOf(planned_turns, 'turn')],
    ['Workflow', workflow === null ? null : line(workflow, 120)],
    ['Last stage', stage === null ? null : line(stage, 120)],
    ['Plugins', plugins.length === 0 ? null : line(plugins.join(', '), 400)],
  ])}
${plugin_errors.slice(0, detail.rows).map((text) => html`<p class="hint"><strong>Error of a plugin:</strong> ${line(text, 400)}</p>`)}
${bulletList([
  ...kept.map(
    ({ number, asked, outcome }) =>
      html`<b>Turn ${number}</b> <span class="quiet">${line(outcome, 60)}</span><br>${line(asked, detail.text)}`,
  ),
  ...(left === 0 ? [] : [html`<span class="quiet">${countOf(left, 'turn')} left out here</span>`]),
])}`;
}

/** Renders the changes that the run made to its workspace. */
function renderFiles(
  { title, files }: Extract<ContextSection, { kind: 'files' }>,
  { detail, whole }: FoldOptions,
): Markup {
  if (files.length === 0) return NOTHING;
  const { kept, left } = headAndTail(files, detail.rows);
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
    `${title} (${files.length})`,
    html`<ul class="files">${items}${more}</ul>`,
    kept
      .map(({ path }) => path.slice(0, 40))
      .slice(0, 3)
      .join(', '),
  );
}
