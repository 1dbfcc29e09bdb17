import { type FailedInOrder, isAboutTheEnd, orderFailed } from '../../domain/diagnosis/divergence.js';
import type { ReportCheck, ReportContext, ReportResult } from '../../domain/report/result.js';
import { unitOf } from './context.js';

type Diverging = Pick<ReportResult, 'assertions' | 'context' | 'diagnosis' | 'trace'>;

/** Finds the failed check that shows first where the run went wrong. */
export function findDivergence(result: Diverging): ReportCheck | undefined {
  return sortFailed(result).at(0);
}

/** Sorts the failed checks by the moment that they look at. The one that the diagnosis starts from is the first. */
export function sortFailed(result: Diverging): ReportCheck[] {
  const { shown, consequences } = splitFailed(result);
  return [...shown, ...consequences];
}

/** Sorts the failed checks, and sets those apart that follow from a prompt without an answer. */
export function splitFailed({
  assertions,
  context,
  diagnosis,
  trace,
}: Diverging): FailedInOrder<ReportCheck> {
  const worn = context?.iterations.map(({ hat }) => hat ?? '') ?? [];
  const lead = diagnosis?.check ?? trace?.check;
  const leads = ({ key }: ReportCheck) => key === lead;
  return orderFailed(
    assertions.filter(({ passed }) => !passed),
    worn,
    leads,
  );
}

/** Where a run went wrong first: in an iteration, or at its end. */
export interface WrongMoment {
  readonly check: ReportCheck;
  /** The number of an iteration or turn that took place; null: at the end of the run. */
  readonly iteration: number | null;
}

/** Finds where a run went wrong first; null if nothing failed, or if nobody can tell. */
export function findWrongMoment(result: Diverging): WrongMoment | null {
  const { context, trace } = result;
  const check = findDivergence(result);
  if (context === null || check === undefined) return null;
  const named = check.about?.iteration ?? check.about?.turn;
  const last = context.iterations.at(-1)?.number;
  if (named !== undefined && !tookPlace(named, context)) return { check, iteration: null };
  const number = named ?? trace?.iteration ?? null;
  const hats = context.iterations.map(({ hat }) => hat ?? '');
  // The trace of a check about the end shows the last iteration if no other explains it.
  if (isAboutTheEnd(check, hats) && (number === null || number === last)) return { check, iteration: null };
  return number === null || !tookPlace(number, context) ? null : { check, iteration: number };
}

function tookPlace(number: number, { iterations }: ReportContext): boolean {
  return iterations.some((iteration) => iteration.number === number);
}

/** Names the moment: `iteration 2`, `at the end`. */
export function nameMoment(
  moment: WrongMoment | null,
  { context }: Pick<ReportResult, 'context'>,
): string | null {
  if (moment === null || context === null) return null;
  return moment.iteration === null ? 'at the end' : `${unitOf(context)} ${moment.iteration}`;
}
