import type { IterationTrace } from '../../domain/diagnosis/trace.js';
import { RALPH_TOPICS } from '../../domain/evidence/ralph-words.js';
import type { ReportContext, ReportResult } from '../../domain/report/result.js';
import { headAndTail } from '../../domain/text/fit.js';
import type { Detail } from '../content/content.js';
import { unitOf, withoutAccounts } from '../model/context.js';
import { findWrongMoment, type WrongMoment } from '../model/divergence.js';
import { oneLine } from '../text/safe-text.js';
import { describeTrace } from '../words/evidence.js';
import { countOf, formatDuration, formatNumber } from '../words/words.js';
import { expectation, folded, htmlCode, oneForeign as line, quoteBox } from './content.js';
import { type Content, html, type Markup, NOTHING } from './page.js';
import type { PageIndex } from './places.js';

type Iteration = ReportContext['iterations'][number];
type LoopEvent = ReportContext['events_emitted'][number];

/** What the parts of a timeline share. */
interface Course {
  readonly context: ReportContext;
  readonly unit: 'turn' | 'iteration';
  readonly detail: Detail;
  readonly wrong: WrongMoment | null;
  /** What Ralph decided where the run went wrong. */
  readonly trace: IterationTrace | null;
  /** Where to find the whole of a shortened text. */
  readonly whole: Markup | null;
  /** The anchor of the test. */
  readonly id: string;
}

/** Renders the course of a run: each iteration with its hat, tool calls, events, prompt and answer. */
export function renderTimeline(result: ReportResult, detail: Detail, index: PageIndex): Markup {
  const { context, trace, artifacts } = result;
  if (context === null || context.iterations.length + context.events_emitted.length === 0) return NOTHING;
  const whole = artifacts === null ? null : index.linkOf(`${artifacts}/evidence.json`);
  const unit = unitOf(context);
  const wrong = findWrongMoment(result);
  const course: Course = { context, unit, detail, wrong, trace, whole, id: index.addressOf(result) };
  const events = groupEvents(context);
  const kept = keepIterations(course);
  return html`<h4>Timeline</h4>
<ol class="timeline">
${renderLoose(`Before the first ${unit}`, events.before, course)}
${kept.map((place, at) => {
  const left = place - (kept[at - 1] ?? -1) - 1;
  const gap = left > 0 && html`<li class="gap">${countOf(left, unit)} left out here</li>`;
  return [gap, renderIteration(place, events.inside, course)];
})}
${renderLoose(`Outside of the ${unit}s`, events.outside, course)}
${renderEnd(course)}
</ol>`;
}

/** Returns the places of the iterations to show: the first, the last, and always those where the run went wrong. */
function keepIterations({ context: { iterations }, detail, wrong, trace }: Course): number[] {
  const numbers = new Set([wrong?.iteration, ...(trace?.iterations.map(({ number }) => number) ?? [])]);
  const places = [...iterations.keys()];
  const kept = new Set(headAndTail(places, detail.iterations).kept);
  return places.filter((place) => kept.has(place) || numbers.has(iterations[place]?.number));
}

function renderIteration(place: number, events: ReadonlyMap<number, LoopEvent[]>, course: Course): Content {
  const { context, unit, detail, trace, id } = course;
  const iteration = context.iterations[place];
  if (iteration === undefined) return null;
  const { number, hat, duration_seconds, tool_calls } = iteration;
  const calls = headAndTail(tool_calls, detail.rows);
  const wrong = course.wrong?.iteration === number ? course.wrong : null;
  return html`<li id="${id}.i${place + 1}" tabindex="-1"${wrong !== null && html` class="off"`}>
<p class="moment"><b>${unit === 'turn' ? 'Turn' : 'Iteration'} ${number}</b>${hat === null ? null : html` <span class="hat">${oneLine(hat, 60)}</span>`}${
    duration_seconds === null ? null : html` <span class="quiet">${formatDuration(duration_seconds)}</span>`
  }${wrong !== null && WENT_WRONG}</p>
${wrong !== null && renderWrong(wrong, course)}
${trace?.iteration === number && renderTrace(trace, course)}
<ul class="happenings">
${calls.kept.map(renderCall)}${leftOut(calls.left, 'tool call')}
${renderEvents(events.get(number) ?? [], detail.rows)}
</ul>
${renderSaid(iteration, course)}
${renderPrompt(iteration, context.iterations[place - 1], course)}
</li>`;
}

const WENT_WRONG = html` <strong class="wrong">went wrong here</strong>`;

function renderWrong({ check }: WrongMoment, { detail }: Course): Markup {
  return html`<div class="divergence"><p>${line(check.name, 300)}</p>${expectation(check, detail.text)}</div>`;
}

function renderCall({ name, input, is_error }: Iteration['tool_calls'][number]): Markup {
  return html`<li class="tool"><span class="kind">tool</span> ${htmlCode(name, 60)} ${line(input, 240)}${is_error && html` <strong class="bad">error</strong>`}</li>`;
}

function renderEvents(events: readonly LoopEvent[], rows: number): Content {
  const { kept, left } = headAndTail(events, rows);
  return [
    kept.map(
      ({ topic, payload, emitted_by }) =>
        html`<li class="event by-${emitted_by}"><span class="kind">event</span> ${htmlCode(topic, 80)} ${
          payload === null ? null : line(payload, emitted_by === 'agent' ? 300 : 120)
        }${emitted_by === 'ralph' && html` <span class="quiet">by ralph</span>`}</li>`,
    ),
    leftOut(left, 'event'),
  ];
}

/** Renders what Ralph decided in the iteration that went wrong: pending events, matching hats, the prompt, what came next. */
function renderTrace(trace: IterationTrace, { detail, whole }: Course): Markup {
  const lines = describeTrace(trace, Math.min(1, detail.text / 1_000));
  return html`<div class="traced">${quoteBox('What Ralph decided', lines.join('\n'), { limit: detail.text, whole })}</div>`;
}

/** Renders the agent's answer, open if it is short. */
function renderSaid({ number, said }: Iteration, { detail, unit, whole }: Course): Markup {
  if (said.trim() === '') return html`<p class="quiet">The agent said nothing.</p>`;
  const box = quoteBox(`What the agent said in ${unit} ${number}`, said, { limit: detail.text, whole });
  if (said.length <= 400) return html`<div class="said"><p class="quiet">said</p>${box}</div>`;
  return folded('What the agent said', box, `${formatNumber(said.length)} characters`);
}

/** Prompts of one loop are nearly the same, so later ones show only what changed. */
function renderPrompt(
  { number, prompt }: Iteration,
  before: Iteration | undefined,
  { detail, unit, whole }: Course,
): Markup {
  if (prompt === null) return html`<p class="quiet">What the agent was sent was not recorded.</p>`;
  const text = foldCommonLines(prompt, before, unit);
  const note = `${formatNumber(prompt.length)} characters${text !== prompt ? `, shown as a diff against ${unit} ${before?.number}` : ''}`;
  const name = `What the agent was sent in ${unit} ${number}`;
  return folded('What the agent was sent', quoteBox(name, text, { limit: detail.text, whole }), note);
}

function renderLoose(title: string, events: readonly LoopEvent[], { detail }: Course): Markup {
  if (events.length === 0) return NOTHING;
  return html`<li class="aside"><p class="moment">${title}</p><ul class="happenings">${renderEvents(events, detail.rows)}</ul></li>`;
}

function renderEnd(course: Course): Markup {
  const { context, unit } = course;
  const { termination_reason, iterations_completed, events_left_out, conversation } = context;
  const ended =
    conversation !== undefined
      ? html`The conversation was over`
      : termination_reason === null
        ? html`No termination was recorded`
        : html`Ended with ${htmlCode(termination_reason, 80)}`;
  const left = events_left_out === 0 ? '' : `, ${countOf(events_left_out, 'event')} left out`;
  const { accounts } = withoutAccounts(context);
  const wrong = course.wrong?.iteration === null ? course.wrong : null;
  return html`<li class="end${wrong !== null && ' off'}"><p class="moment">${ended} <span class="quiet">after ${countOf(iterations_completed, unit)}${left}</span>${wrong !== null && WENT_WRONG}</p>
${wrong !== null && renderWrong(wrong, course)}${accounts > 0 && html`<p class="quiet">Omitted: ${countOf(accounts, 'event')} <code>${RALPH_TOPICS.summary}</code> by ralph</p>`}</li>`;
}

function leftOut(left: number, noun: string): Markup | null {
  return left === 0 ? null : html`<li class="quiet">${countOf(left, noun)} left out here</li>`;
}

/** Groups events by iteration. Ralph writes the first ones before any iteration, as iteration 0. */
function groupEvents(context: ReportContext) {
  const inside = new Map(context.iterations.map(({ number }): [number, LoopEvent[]] => [number, []]));
  const first = context.iterations[0]?.number ?? Number.POSITIVE_INFINITY;
  const before: LoopEvent[] = [];
  const outside: LoopEvent[] = [];
  for (const event of withoutAccounts(context).events) {
    const { iteration } = event;
    const own = iteration === null ? undefined : inside.get(iteration);
    (own ?? (iteration !== null && iteration < first ? before : outside)).push(event);
  }
  return { before, inside, outside };
}

/** Folding fewer lines would not save space. */
const WORTH_FOLDING = 4;

/** Replaces lines at the beginning and end that the previous prompt has too. */
function foldCommonLines(prompt: string, before: Iteration | undefined, unit: string): string {
  if (before === undefined || before.prompt === null) return prompt;
  const lines = prompt.split('\n');
  const earlier = before.prompt.split('\n');
  const shorter = Math.min(lines.length, earlier.length);
  let head = 0;
  while (head < shorter && lines[head] === earlier[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && lines.at(-1 - tail) === earlier.at(-1 - tail)) tail += 1;
  if (head < WORTH_FOLDING) head = 0;
  if (tail < WORTH_FOLDING) tail = 0;
  const fold = (count: number) =>
    count === 0 ? [] : [`[… ${count} lines as in ${unit} ${before.number} …]`];
  return [...fold(head), ...lines.slice(head, lines.length - tail), ...fold(tail)].join('\n');
}
