import type { ReportContext } from '../../../domain/report/report.js';

/** The gap between two iterations, in percent of the width. */
const GAP = 0.3;
const MAX_MARKS = 12;

/** The place of an iteration in the chart, in percent of its width. */
export interface Span {
  readonly iteration: ReportContext['iterations'][number];
  readonly x: number;
  readonly width: number;
  /** Seconds from the beginning of the first iteration; null if unknown. */
  readonly begin: number | null;
  readonly end: number | null;
}

/** Lays out iterations side by side, with widths by duration; all equal if a duration is unknown. */
export function layOut(iterations: ReportContext['iterations']): Span[] {
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
export function spread({ x, width }: Span, count: number): number[] {
  const shown = Math.min(count, MAX_MARKS);
  return Array.from({ length: shown }, (_, index) => round(x + ((index + 0.5) / shown) * width));
}

/** Keeps the items that are at least `gap` percent apart. */
export function thinOut(spans: readonly Span[], placeOf: (span: Span) => number, gap: number): Span[] {
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
