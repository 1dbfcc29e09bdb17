import { isAboutTheEnd, sortByMoment } from '../../../domain/diagnosis/divergence.js';
import type { ReportAssertion, ReportContext, ReportResult } from '../../../domain/report/report.js';
import { unitOf } from '../../model/conversation-context.js';

/** Where a run went wrong first: in an iteration, or at its end. */
export interface WrongMoment {
  readonly check: ReportAssertion;
  /** The number of an iteration or turn that took place; null: at the end of the run. */
  readonly iteration: number | null;
}

/** Sorts failed checks, the earliest moment of the run first. */
export function sortFailed({
  assertions,
  context,
}: Pick<ReportResult, 'assertions' | 'context'>): ReportAssertion[] {
  return sortByMoment(
    assertions.filter(({ passed }) => !passed),
    hatsOf(context),
  );
}

/** Finds where a run went wrong first; null if nothing failed, or if the failed checks name no moment. */
export function findWrongMoment(result: Pick<ReportResult, 'assertions' | 'context'>): WrongMoment | null {
  const { context } = result;
  if (context === null) return null;
  const [check] = sortFailed(result);
  if (check === undefined) return null;
  if (isAboutTheEnd(check, hatsOf(context))) return { check, iteration: null };
  const number = findIteration(check, context);
  if (number === null) return null;
  const tookPlace = context.iterations.some((iteration) => iteration.number === number);
  return { check, iteration: tookPlace ? number : null };
}

/** Names the moment: `iteration 2`, `at the end`. */
export function nameMoment(
  moment: WrongMoment | null,
  { context }: Pick<ReportResult, 'context'>,
): string | null {
  if (moment === null || context === null) return null;
  return moment.iteration === null ? 'at the end' : `${unitOf(context)} ${moment.iteration}`;
}

function hatsOf(context: ReportContext | null): string[] {
  return context?.iterations.map(({ hat }) => hat ?? '') ?? [];
}

/** Finds the iteration that a check is about: it names the iteration, the hats in order, one hat, or an event. */
function findIteration({ about = {}, category }: ReportAssertion, context: ReportContext): number | null {
  const { iteration, turn, hats, hat, text, topic } = about;
  const { iterations, events_emitted } = context;
  const named = iteration ?? turn;
  if (named !== undefined) return named;
  if (hats !== undefined) {
    const place = hats.findIndex(
      (wanted, index) => iterations[index] !== undefined && iterations[index].hat !== wanted,
    );
    return iterations[place]?.number ?? null;
  }
  if (hat !== undefined) {
    const own = iterations.filter((one) => one.hat === hat);
    const lacking = own.find(({ prompt }) => text !== undefined && prompt !== null && !prompt.includes(text));
    return ((category === 'PromptContent' ? lacking : undefined) ?? own[0])?.number ?? null;
  }
  if (topic === undefined) return null;
  return events_emitted.find((event) => event.topic === topic)?.iteration ?? null;
}
