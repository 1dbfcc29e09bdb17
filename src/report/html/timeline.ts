import type { IterationTrace } from '../../domain/diagnosis/trace.js';
import { RALPH_TOPICS } from '../../domain/evidence/ralph-words.js';
import type { ReportContext } from '../../domain/report/result.js';
import { headAndTail } from '../../domain/text/fit.js';
import type { Detail } from '../content/content.js';
import { unitOf } from '../model/context.js';
import type { WrongMoment } from '../model/divergence.js';
import { oneLine } from '../text/safe-text.js';
import { describeTrace } from '../words/evidence.js';
import { countOf, formatDuration, formatNumber } from '../words/words.js';
import { expectation, folded, htmlCode, oneForeign as line, quoteBox } from './content.js';
import { type Content, html, type Markup, NOTHING } from './page.js';

type Iteration = ReportContext['iterations'][number];
type LoopEvent = ReportContext['events_emitted'][number];

interface TimelineOptions {
  readonly detail: Detail;
  /** The anchor of the test. */
  readonly id: string;
  readonly wrong: WrongMoment | null;
  /** What Ralph decided where the run went wrong. */
  readonly trace: IterationTrace | null;
  /** Where to find the whole of a shortened text. */
  readonly whole: Markup | null;
}

/** Ralph's own accounts: what they say is in the timeline anyway. */
const ACCOUNTS: ReadonlySet<string> = new Set([RALPH_TOPICS.summary]);

/** Renders the course of the run: each iteration with its hat, tool calls, events, prompt and answer. */
export function renderTimeline(context: ReportContext, options: TimelineOptions): Markup {
  const { iterations, events_emitted } = context;
  const unit = unitOf(context);
  if (iterations.length === 0 && events_emitted.length === 0) return NOTHING;
  const byIteration = groupEvents(context);
  const kept = keepIterations(iterations, options);
  const items = kept.map((place, index) => {
    const iteration = iterations[place];
    if (iteration === undefined) return null;
    const left = place - (kept[index - 1] ?? -1) - 1;
    return [
      left > 0 && html`<li class="gap">${countOf(left, unit)} left out here</li>`,
      renderIteration(
        { iteration, before: iterations[place - 1] ?? null, unit, address: `${options.id}.i${place + 1}` },
        byIteration.inside.get(iteration.number) ?? [],
        options,
      ),
    ];
  });
  return html`<h4>Timeline</h4>
<ol class="timeline">
${renderLoose(`Before the first ${unit}`, byIteration.before, options)}
${items}
${renderLoose(`Outside of the ${unit}s`, byIteration.outside, options)}
${renderEnd(context, options)}
</ol>`;
}

/** Returns the places of the iterations to show: the first, the last, and always those where the run went wrong. */
function keepIterations(
  iterations: readonly Iteration[],
  { detail, wrong, trace }: TimelineOptions,
): number[] {
  const numbers = new Set([wrong?.iteration, ...(trace?.iterations.map(({ number }) => number) ?? [])]);
  const places = [...iterations.keys()];
  const kept = new Set(headAndTail(places, detail.iterations).kept);
  return places.filter((place) => kept.has(place) || numbers.has(iterations[place]?.number));
}

interface Placed {
  readonly iteration: Iteration;
  readonly before: Iteration | null;
  readonly unit: 'turn' | 'iteration';
  readonly address: string;
}

function renderIteration(
  { iteration, before, unit, address }: Placed,
  events: readonly LoopEvent[],
  options: TimelineOptions,
): Markup {
  const { number, hat, duration_seconds, tool_calls } = iteration;
  const calls = headAndTail(tool_calls, options.detail.rows);
  const wrong = options.wrong?.iteration === number ? options.wrong : null;
  return html`<li id="${address}" tabindex="-1"${wrong !== null && html` class="off"`}>
<p class="moment"><b>${unit === 'turn' ? 'Turn' : 'Iteration'} ${number}</b>${hat === null ? null : html` <span class="hat">${oneLine(hat, 60)}</span>`}${
    duration_seconds === null ? null : html` <span class="quiet">${formatDuration(duration_seconds)}</span>`
  }${wrong !== null && WENT_WRONG}</p>
${wrong !== null && renderWrong(wrong, options)}
${options.trace?.iteration === number && renderTrace(options.trace, options)}
<ul class="happenings">
${calls.kept.map(renderCall)}${leftOut(calls.left, 'tool call')}
${renderEvents(events, options.detail.rows)}
</ul>
${renderSaid({ iteration, unit }, options)}
${renderPrompt({ iteration, before, unit }, options)}
</li>`;
}

const WENT_WRONG = html` <strong class="wrong">went wrong here</strong>`;

function renderWrong({ check }: WrongMoment, { detail }: TimelineOptions): Markup {
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
function renderTrace(trace: IterationTrace, { detail, whole }: TimelineOptions): Markup {
  const lines = describeTrace(trace, Math.min(1, detail.text / 1_000));
  return html`<div class="traced">${quoteBox('What Ralph decided', lines.join('\n'), { limit: detail.text, whole })}</div>`;
}

/** Renders the agent's answer, open if it is short. */
function renderSaid(
  { iteration, unit }: Pick<Placed, 'iteration' | 'unit'>,
  options: TimelineOptions,
): Markup {
  const { number, said } = iteration;
  const { detail, whole } = options;
  const name = `What the agent said in ${unit} ${number}`;
  if (said.trim() === '') return html`<p class="quiet">The agent said nothing.</p>`;
  const box = quoteBox(name, said, { limit: detail.text, whole });
  if (said.length <= 400) return html`<div class="said"><p class="quiet">said</p>${box}</div>`;
  return folded('What the agent said', box, `${formatNumber(said.length)} characters`);
}

/** Prompts of one loop are nearly the same, so later ones show only what changed. */
function renderPrompt(
  { iteration, before, unit }: Omit<Placed, 'address'>,
  options: TimelineOptions,
): Markup {
  const { number, prompt } = iteration;
  if (prompt === null) return html`<p class="quiet">What the agent was sent was not recorded.</p>`;
  const { text, isFolded } = foldCommonLines(prompt, before, unit);
  const note = `${formatNumber(prompt.length)} characters${isFolded ? `, shown as a diff against ${unit} ${before?.number}` : ''}`;
  const box = quoteBox(`What the agent was sent in ${unit} ${number}`, text, {
    limit: options.detail.text,
    whole: options.whole,
  });
  return folded('What the agent was sent', box, note);
}

function renderLoose(title: string, events: readonly LoopEvent[], { detail }: TimelineOptions): Markup {
  if (events.length === 0) return NOTHING;
  return html`<li class="aside"><p class="moment">${title}</p><ul class="happenings">${renderEvents(events, detail.rows)}</ul></li>`;
}

function renderEnd(context: ReportContext, options: TimelineOptions): Markup {
  const { termination_reason, iterations_completed, events_left_out, conversation } = context;
  const ended =
    conversation !== undefined
      ? html`The conversation was over`
      : termination_reason === null
        ? html`No termination was recorded`
        : html`Ended with ${htmlCode(termination_reason, 80)}`;
  const left = events_left_out === 0 ? '' : `, ${countOf(events_left_out, 'event')} left out`;
  const accounts = context.events_emitted.filter(isAccount).length;
  const wrong = options.wrong?.iteration === null ? options.wrong : null;
  return html`<li class="end${wrong !== null && ' off'}"><p class="moment">${ended} <span class="quiet">after ${countOf(iterations_completed, unitOf(context))}${left}</span>${wrong !== null && WENT_WRONG}</p>
${wrong !== null && renderWrong(wrong, options)}${accounts > 0 && html`<p class="quiet">Omitted: ${countOf(accounts, 'event')} <code>${RALPH_TOPICS.summary}</code> by ralph</p>`}</li>`;
}

function isAccount({ topic, emitted_by }: LoopEvent): boolean {
  return emitted_by === 'ralph' && ACCOUNTS.has(topic);
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
  for (const event of events_emitted.filter((one) => !isAccount(one))) {
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

/** Folding fewer lines would not save space. */
const WORTH_FOLDING = 4;

/** Removes lines at the beginning and end that the previous prompt has too. */
function foldCommonLines(
  prompt: string,
  before: { readonly number: number; readonly prompt: string | null } | null,
  unit: string,
): { readonly text: string; readonly isFolded: boolean } {
  if (before === null || before.prompt === null) return { text: prompt, isFolded: false };
  const lines = prompt.split('\n');
  const earlier = before.prompt.split('\n');
  const shorter = Math.min(lines.length, earlier.length);
  let head = 0;
  while (head < shorter && lines[head] === earlier[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && lines.at(-1 - tail) === earlier.at(-1 - tail)) tail += 1;
  if (head < WORTH_FOLDING) head = 0;
  if (tail < WORTH_FOLDING) tail = 0;
  if (head + tail === 0) return { text: prompt, isFolded: false };
  const fold = (count: number) =>
    count === 0 ? [] : [`[… ${count} lines as in ${unit} ${before.number} …]`];
  const changed = lines.slice(head, lines.length - tail);
  return { text: [...fold(head), ...changed, ...fold(tail)].join('\n'), isFolded: true };
}
