import type { ReportContext } from '../../domain/report/report.js';
import { countOf } from '../words/words.js';
import { type Content, html, type Markup, NOTHING } from './page/markup.js';
import { line } from './parts.js';

/** The width of the chart; the browser scales it to the screen. */
const WIDTH = 1_000;
const GAP = 3;
const MAX_ITERATIONS = 60;
const MAX_HATS = 8;
const MAX_MARKS = 12;

interface Span {
  readonly iteration: ReportContext['iterations'][number];
  readonly x: number;
  readonly width: number;
}

/** Renders a chart of the loop: a lane for each hat, one for tool calls, one for events. The list below has the same facts. */
export function renderLanes(context: ReportContext): Markup {
  const { iterations, events_emitted } = context;
  const hats = [...new Set(iterations.map(({ hat }) => hat ?? 'agent'))];
  if (iterations.length < 2 || iterations.length > MAX_ITERATIONS || hats.length > MAX_HATS) return NOTHING;
  const spans = layOut(iterations);
  const calls = spans.flatMap((span) => spread(span, span.iteration.tool_calls.length));
  const marks = spans.flatMap((span) => {
    const own = events_emitted.filter(
      ({ iteration, emitted_by }) => iteration === span.iteration.number && emitted_by === 'agent',
    );
    return spread(span, own.length);
  });
  const label = `${countOf(iterations.length, 'iteration')}, ${countOf(hats.length, 'hat')}, ${countOf(
    iterations.reduce((sum, { tool_calls }) => sum + tool_calls.length, 0),
    'tool call',
  )}; the list below tells each`;
  return html`<div class="lanes" role="img" aria-label="${label}">
${hats.map((hat, index) =>
  renderLane(
    line(hat, 24),
    spans
      .filter(({ iteration }) => (iteration.hat ?? 'agent') === hat)
      .map((span) => renderSpan(span, index)),
  ),
)}
${
  calls.length > 0 &&
  renderLane(
    'tools',
    calls.map((x) => renderMark(x, 'call')),
  )
}
${
  marks.length > 0 &&
  renderLane(
    'events',
    marks.map((x) => renderMark(x, 'sign')),
  )
}
</div>`;
}

function renderLane(name: Content, shapes: readonly Markup[]): Markup {
  return html`<div class="lane"><span>${name}</span><svg viewBox="0 0 ${WIDTH} 12" preserveAspectRatio="none">${shapes}</svg></div>`;
}

function renderSpan({ x, width }: Span, hat: number): Markup {
  return html`<rect class="hue${hat % 6}" x="${round(x)}" y="0" width="${round(width)}" height="12"/>`;
}

function renderMark(x: number, className: 'call' | 'sign'): Markup {
  return html`<rect class="${className}" x="${round(x)}" y="2" width="5" height="8"/>`;
}

/** Lays out iterations side by side, with widths by duration; all equal if a duration is unknown. */
function layOut(iterations: ReportContext['iterations']): Span[] {
  const known = iterations.every(({ duration_seconds }) => duration_seconds !== null);
  const longest = Math.max(...iterations.map(({ duration_seconds }) => duration_seconds ?? 0));
  // A short iteration stays visible next to a long one.
  const weights = iterations.map(({ duration_seconds }) =>
    known && longest > 0 ? Math.max(duration_seconds ?? 0, longest / 20) : 1,
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let x = 0;
  return iterations.map((iteration, index) => {
    const width = ((weights[index] ?? 0) / sum) * WIDTH;
    const span = { iteration, x, width: Math.max(1, width - GAP) };
    x += width;
    return span;
  });
}

/** Places `count` marks in a span. */
function spread({ x, width }: Span, count: number): number[] {
  const shown = Math.min(count, MAX_MARKS);
  return Array.from({ length: shown }, (_, index) => x + ((index + 0.5) / shown) * width - 2.5);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
