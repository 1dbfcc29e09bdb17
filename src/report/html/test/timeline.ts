import type { ReportContext } from '../../../domain/report/report.js';
import { headAndTail } from '../../markdown/parts.js';
import { unitOf } from '../../model/conversation-context.js';
import { oneLine } from '../../text/safe-text.js';
import { countOf, formatDuration, formatNumber } from '../../words/words.js';
import { renderLanes } from '../lanes.js';
import { type Content, html, type Markup, NOTHING } from '../page/markup.js';
import { code, folded, line, quoteBox } from '../parts.js';
import type { Detail } from './detail.js';
import { foldCommonLines } from './prompt-change.js';

type Iteration = ReportContext['iterations'][number];
type LoopEvent = ReportContext['events_emitted'][number];

export interface TimelineOptions {
  readonly detail: Detail;
  /** Where to find the whole of a shortened text. */
  readonly whole: Markup | null;
}

/** Renders the course of the loop: each iteration with its hat, tool calls, events, prompt and answer. */
export function renderTimeline(context: ReportContext, options: TimelineOptions): Markup {
  const { iterations, events_emitted } = context;
  const unit = unitOf(context);
  if (iterations.length === 0 && events_emitted.length === 0) return NOTHING;
  const byIteration = groupEvents(context);
  const { kept, left } = headAndTail(iterations, options.detail.iterations);
  const told = kept.map((iteration) => {
    const before = iterations[iterations.indexOf(iteration) - 1] ?? null;
    return renderIteration(
      { iteration, before, unit },
      byIteration.inside.get(iteration.number) ?? [],
      options,
    );
  });
  const middle = Math.ceil(options.detail.iterations / 2);
  const gap = left === 0 ? [] : [html`<li class="gap">${countOf(left, unit)} left out here</li>`];
  return html`<h4>Timeline</h4>
${renderLanes(context)}
<ol class="timeline">
${renderLoose(`Before the first ${unit}`, byIteration.before, options)}
${left === 0 ? told : [...told.slice(0, middle), ...gap, ...told.slice(middle)]}
${renderLoose(`Outside of the ${unit}s`, byIteration.outside, options)}
${renderEnd(context)}
</ol>`;
}

function renderIteration(
  { iteration, before, unit }: { iteration: Iteration; before: Iteration | null; unit: string },
  events: readonly LoopEvent[],
  options: TimelineOptions,
): Markup {
  const { number, hat, said, duration_seconds, tool_calls } = iteration;
  const calls = headAndTail(tool_calls, options.detail.rows);
  return html`<li>
<p class="moment"><b>${unit === 'turn' ? 'Turn' : 'Iteration'} ${number}</b>${hat === null ? null : html` <span class="hat">${oneLine(hat, 60)}</span>`}${
    duration_seconds === null ? null : html` <span class="quiet">${formatDuration(duration_seconds)}</span>`
  }</p>
<ul class="happenings">
${calls.kept.map(renderCall)}${leftOut(calls.left, 'tool call')}
${renderEvents(events, options.detail.rows)}
</ul>
${renderSaid(number, said, options)}
${renderPrompt(iteration, before, options)}
</li>`;
}

function renderCall({ name, input, is_error }: Iteration['tool_calls'][number]): Markup {
  return html`<li class="tool"><span class="kind">tool</span> ${code(name, 60)} ${line(input, 240)}${is_error && html` <strong class="bad">error</strong>`}</li>`;
}

function renderEvents(events: readonly LoopEvent[], rows: number): Content {
  const { kept, left } = headAndTail(events, rows);
  return [
    kept.map(
      ({ topic, payload, emitted_by }) =>
        html`<li class="event by-${emitted_by}"><span class="kind">event</span> ${code(topic, 80)} ${
          payload === null ? null : line(payload, emitted_by === 'agent' ? 300 : 120)
        }${emitted_by === 'ralph' && html` <span class="quiet">by ralph</span>`}</li>`,
    ),
    leftOut(left, 'event'),
  ];
}

/** Renders the agent's answer, open if it is short. */
function renderSaid(number: number, said: string, { detail, whole }: TimelineOptions): Markup {
  const name = `What the agent said in iteration ${number}`;
  if (said.trim() === '') return html`<p class="quiet">The agent said nothing.</p>`;
  const box = quoteBox(name, said, { limit: detail.text, whole });
  if (said.length <= 400) return html`<div class="said"><p class="quiet">said</p>${box}</div>`;
  return folded('What the agent said', box, `${formatNumber(said.length)} characters`);
}

/** Prompts of one loop are nearly the same, so later ones show only what changed. */
function renderPrompt({ number, prompt }: Iteration, before: Iteration | null, options: TimelineOptions) {
  if (prompt === null) return html`<p class="quiet">What the agent was sent was not recorded.</p>`;
  const { text, isFolded } = foldCommonLines(prompt, before);
  const note = `${formatNumber(prompt.length)} characters${isFolded ? `, told as the change since iteration ${before?.number}` : ''}`;
  const box = quoteBox(`What the agent was sent in iteration ${number}`, text, {
    limit: options.detail.text,
    whole: options.whole,
  });
  return folded('What the agent was sent', box, note);
}

function renderLoose(title: string, events: readonly LoopEvent[], { detail }: TimelineOptions): Markup {
  if (events.length === 0) return NOTHING;
  return html`<li class="aside"><p class="moment">${title}</p><ul class="happenings">${renderEvents(events, detail.rows)}</ul></li>`;
}

function renderEnd(context: ReportContext): Markup {
  const { termination_reason, iterations_completed, events_left_out, conversation } = context;
  const ended =
    conversation !== undefined
      ? html`The conversation was over`
      : termination_reason === null
        ? html`No termination was recorded`
        : html`Ended with ${code(termination_reason, 80)}`;
  const left = events_left_out === 0 ? '' : `, ${countOf(events_left_out, 'event')} left out`;
  return html`<li class="end"><p class="moment">${ended} <span class="quiet">after ${countOf(iterations_completed, unitOf(context))}${left}</span></p></li>`;
}

function leftOut(left: number, noun: string): Markup | null {
  return left === 0 ? null : html`<li class="quiet">${countOf(left, noun)} left out here</li>`;
}

/** Groups events by iteration. Ralph writes the first ones before any iteration, as iteration 0. */
function groupEvents({ iterations, events_emitted }: ReportContext) {
  const numbers = new Set(iterations.map(({ number }) => number));
  const first = iterations[0]?.number ?? Number.POSITIVE_INFINITY;
  const before: LoopEvent[] = [];
  const outside: LoopEvent[] = [];
  const inside = new Map<number, LoopEvent[]>();
  for (const event of events_emitted) {
    const { iteration } = event;
    if (iteration !== null && numbers.has(iteration)) {
      const own = inside.get(iteration) ?? [];
      own.push(event);
      inside.set(iteration, own);
    } else if (iteration !== null && iteration < first) before.push(event);
    else outside.push(event);
  }
  return { before, inside, outside };
}
