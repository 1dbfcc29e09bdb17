import type { ReportContext } from '../../domain/report/report.js';
import { unitOf } from '../model/conversation-context.js';
import type { WrongMoment } from '../model/wrong-moment.js';
import { oneLine } from '../text/safe-text.js';
import { countOf, formatDuration } from '../words/words.js';
import { oneForeign } from './content.js';
import { type Content, html, type Markup, NOTHING } from './page/markup.js';

const MAX_ITERATIONS = 60;
const MAX_HATS = 8;
/** Up to so many iterations, there is space for the names of events. */
const MAX_NAMED = 6;

interface LanesOptions {
  readonly wrong: WrongMoment | null;
  /** The anchor of an iteration in the list below; null if it is left out there. */
  readonly addressOf: (place: number) => string | null;
}

/** Renders a chart of the run: an axis, a lane for each hat, one for tool calls, one for events. Bars lead to the list below. */
export function renderLanes(context: ReportContext, { wrong, addressOf }: LanesOptions): Markup {
  const { iterations } = context;
  const unit = unitOf(context);
  const hats = [...new Set(iterations.map(({ hat }) => hat ?? 'agent'))];
  if (iterations.length < 2 || iterations.length > MAX_ITERATIONS || hats.length > MAX_HATS) return NOTHING;
  const spans = layOut(iterations);
  const off = spans.find(({ iteration }) => wrong?.iteration === iteration.number) ?? null;
  const calls = spans.flatMap((span) => spread(span, span.iteration.tool_calls.length));
  const label = `Chart of ${countOf(iterations.length, unit)} and ${countOf(hats.length, unit === 'turn' ? 'stage' : 'hat')}; the list below has the details`;
  return html`<div class="lanes" role="group" aria-label="${label}">
${renderLane(unit, renderNumbers(spans), { off, kind: 'axis' })}
${hats.map((hat, index) =>
  renderLane(
    oneForeign(hat, 24),
    spans.map((span, place) =>
      (span.iteration.hat ?? 'agent') === hat
        ? renderBar(span, { hue: index % 6, unit, isOff: span === off, address: addressOf(place) })
        : null,
    ),
    { off, kind: 'bars' },
  ),
)}
${calls.length > 0 && renderLane('tools', calls.map(renderCallMark), { off, kind: 'marks' })}
${renderEventLane(context, spans, off)}
${off !== null && renderLane('', renderPointer(off), { off: null, kind: 'axis' })}
${renderLane('time', renderTimes(spans), { off: null, kind: 'axis' })}
</div>`;
}

/** Only bars are links; the other lanes repeat what the list below says. */
function renderLane(
  name: Content,
  shapes: Content,
  { off, kind }: { off: Span | null; kind: 'axis' | 'bars' | 'marks' },
): Markup {
  const column =
    off === null ? null : html`<rect class="off" x="${off.x}%" width="${off.width}%" height="100%"/>`;
  return html`<div class="lane ${kind}"><span>${name}</span><svg${kind !== 'bars' && html` aria-hidden="true"`}>${column}${shapes}</svg></div>`;
}

interface BarOptions {
  readonly hue: number;
  readonly unit: string;
  readonly isOff: boolean;
  readonly address: string | null;
}

function renderBar({ iteration, x, width }: Span, { hue, unit, isOff, address }: BarOptions): Markup {
  const bar = html`<rect class="hue${hue}${isOff ? ' wrong' : ''}" x="${x}%" y="15%" width="${width}%" height="70%"/>`;
  if (address === null) return bar;
  const { number, hat, duration_seconds } = iteration;
  const facts = [
    `${unit === 'turn' ? 'Turn' : 'Iteration'} ${number}`,
    ...(hat === null ? [] : [oneLine(hat, 60)]),
    ...(duration_seconds === null ? [] : [formatDuration(duration_seconds)]),
    ...(isOff ? ['went wrong here'] : []),
  ];
  return html`<a href="#${address}" aria-label="${facts.join(', ')}">${bar}</a>`;
}

function renderCallMark(x: number): Markup {
  return html`<rect class="call" x="${x}%" y="25%" width="5" height="50%"/>`;
}

function renderEventLane(
  { events_emitted }: ReportContext,
  spans: readonly Span[],
  off: Span | null,
): Markup {
  const marks = spans.flatMap((span) => {
    const topics = events_emitted
      .filter(({ iteration, emitted_by }) => iteration === span.iteration.number && emitted_by === 'agent')
      .map(({ topic }) => topic);
    if (spans.length > MAX_NAMED || topics.length === 0) {
      return spread(span, topics.length).map(
        (x) => html`<rect class="sign" x="${x}%" y="25%" width="5" height="50%"/>`,
      );
    }
    // An SVG inside of another one cuts off what does not fit.
    return [
      html`<svg x="${span.x}%" width="${span.width}%"><rect class="sign" x="1" y="25%" width="5" height="50%"/><text x="11" y="72%">${oneLine(topics.join(', '), 80)}</text></svg>`,
    ];
  });
  return marks.length === 0 ? NOTHING : renderLane('events', marks, { off, kind: 'marks' });
}

function renderNumbers(spans: readonly Span[]): Markup[] {
  return thinOut(spans, ({ x, width }) => x + width / 2, 5).map(
    ({ iteration, x, width }) =>
      html`<text x="${x + width / 2}%" y="75%" text-anchor="middle">${iteration.number}</text>`,
  );
}

/** Renders the beginning and the end of the run, and on wide screens the times at which iterations began. */
function renderTimes(spans: readonly Span[]): Markup[] {
  const end = spans.at(-1)?.end ?? null;
  if (end === null) return [];
  const between = thinOut(spans, ({ x }) => x, 14).filter(({ x }) => x > 0 && x <= 84);
  return [
    html`<text x="0" y="75%">0s</text>`,
    ...between.map(
      ({ x, begin }) => html`<text class="between" x="${x}%" y="75%">${formatDuration(begin ?? 0)}</text>`,
    ),
    html`<text x="100%" y="75%" text-anchor="end">${formatDuration(end)}</text>`,
  ];
}

function renderPointer({ x, width }: Span): Markup {
  return x < 50
    ? html`<text class="wrong" x="${x}%" y="75%">▲ went wrong here</text>`
    : html`<text class="wrong" x="${x + width}%" y="75%" text-anchor="end">went wrong here ▲</text>`;
}

/** The gap between two iterations, in percent of the width. */
const GAP = 0.3;
const MAX_MARKS = 12;

/** The place of an iteration in the chart, in percent of its width. */
interface Span {
  readonly iteration: ReportContext['iterations'][number];
  readonly x: number;
  readonly width: number;
  /** Seconds from the beginning of the first iteration; null if unknown. */
  readonly begin: number | null;
  readonly end: number | null;
}

/** Lays out iterations side by side, with widths by duration; all equal if a duration is unknown. */
function layOut(iterations: ReportContext['iterations']): Span[] {
  const durations = iterations.map(({ duration_seconds }) => duration_seconds);
  const areKnown = durations.every((duration) => duration !== null);
  const longest = Math.max(...durations.map((duration) => duration ?? 0));
  // A short iteration stays visible next to a long one.
  const weights = durations.map((duration) =>
    areKnown && longest > 0 ? Math.max(duration ?? 0, longest / 8) : 1,
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let x = 0;
  let begin = 0;
  return iterations.map((iteration, place) => {
    const width = ((weights[place] ?? 0) / sum) * 100;
    const end = begin + (durations[place] ?? 0);
    const span = {
      iteration,
      x: round(x),
      width: round(Math.max(0.1, width - GAP)),
      begin: areKnown ? begin : null,
      end: areKnown ? end : null,
    };
    x += width;
    begin = end;
    return span;
  });
}

/** Places `count` marks in a span. */
function spread({ x, width }: Span, count: number): number[] {
  const shown = Math.min(count, MAX_MARKS);
  return Array.from({ length: shown }, (_, index) => round(x + ((index + 0.5) / shown) * width));
}

/** Keeps the items that are at least `gap` percent apart. */
function thinOut(spans: readonly Span[], placeOf: (span: Span) => number, gap: number): Span[] {
  let last = Number.NEGATIVE_INFINITY;
  return spans.filter((span) => {
    if (placeOf(span) - last < gap) return false;
    last = placeOf(span);
    return true;
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
