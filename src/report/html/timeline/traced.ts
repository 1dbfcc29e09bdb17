import type { IterationTrace, TracedIteration } from '../../../domain/diagnosis/trace.js';
import { type Content, html, type Markup, NOTHING } from '../page/markup.js';
import { code, factList, line, quoteBox } from '../parts.js';

/** Renders what Ralph decided in a traced iteration: pending events, matching hats, sections of the prompt, text blocks. */
export function renderTraced(trace: IterationTrace | null, number: number): Markup {
  const traced = trace?.iterations.find((iteration) => iteration.number === number);
  if (trace === null || traced === undefined) return NOTHING;
  const isLast = trace.iterations.at(-1) === traced;
  return html`<div class="traced">${
    trace.decided_between !== null &&
    trace.iteration === number &&
    html`<p>Ralph decided this between iterations ${trace.decided_between.join(' and ')}.</p>`
  }${factList([
    ['Pending events', renderPending(traced)],
    ['Hat', renderHat(traced)],
    ['Sections of the prompt', renderSections(traced)],
    ['Then', isLast ? renderAfter(trace.after) : null],
  ])}${traced.prompt?.excerpts.map(({ heading, text }) => html`<p class="quiet">Prompt, ${line(heading, 80)}</p>${quoteBox(`Prompt, ${heading.slice(0, 60)}`, text, { limit: 1_200, whole: null })}`) ?? null}${renderBlocks(traced)}</div>`;
}

function renderPending({ pending, pending_left_out }: TracedIteration): Content {
  if (pending.length === 0) return 'none';
  return html`<ul class="plain">${pending.map(
    ({ topic, payload, matching_hats }) =>
      html`<li>${code(topic, 80)} ${line(payload, 160)} <span class="quiet">triggers ${line(matching_hats.join(', ') || 'no hat', 200)}</span></li>`,
  )}${pending_left_out > 0 && html`<li class="quiet">${pending_left_out} more</li>`}</ul>`;
}

/** Renders the hat if it is not the one that the pending events activate. */
function renderHat({ hat, expected_hats }: TracedIteration): Content {
  if (expected_hats === null || (expected_hats.length === 1 && expected_hats[0] === hat)) return null;
  return html`${line(hat ?? 'unknown', 80)} <span class="quiet">by the configuration, the pending events activate ${line(expected_hats.join(' and '), 200)}</span>`;
}

function renderSections({ prompt }: TracedIteration): Content {
  if (prompt === null) return null;
  return html`${prompt.sections.map(
    ({ heading, characters }, place) =>
      html`${place > 0 && ', '}${code(heading, 80)} <span class="quiet">${characters}</span>`,
  )}${prompt.sections_left_out > 0 && `, ${prompt.sections_left_out} more`} <span class="quiet">characters</span>`;
}

function renderAfter({ next_hat, termination_reason, open_tasks }: IterationTrace['after']): Content {
  const facts = [
    ...(next_hat === null ? [] : [`the next hat was ${next_hat}`]),
    ...(termination_reason === null ? [] : [`the loop ended with ${termination_reason}`]),
    ...(open_tasks.length === 0 ? [] : [`open tasks at the end: ${open_tasks.join('; ')}`]),
  ];
  return facts.length === 0 ? null : line(facts.join('; '), 500);
}

/** The boundaries of the blocks matter only if there are several. */
function renderBlocks({ said, said_left_out }: TracedIteration): Markup {
  const count = said.length + said_left_out;
  if (count < 2) return NOTHING;
  return html`${said.map(
    (block, index) =>
      html`<p class="quiet">Text block ${index + 1} of ${count}</p>${quoteBox(`Text block ${index + 1}`, block, { limit: 600, whole: null })}`,
  )}`;
}
