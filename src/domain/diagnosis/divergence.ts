import type { CheckCategory, CheckResult } from '../check.js';

/** How early in an iteration a check of each category can notice a problem: causes come before effects. */
const MOMENT = {
  PromptContent: 1,
  PromptEffectiveness: 2,
  EventEmitted: 3,
  EventPayload: 4,
  OutputContains: 5,
  FileCreated: 6,
  FileContains: 7,
  Harness: 8,
  IterationCount: 9,
  TerminationReason: 10,
  ExitCode: 11,
  Processes: 12,
} as const satisfies Record<CheckCategory, number>;

/** The categories that show how a run ended. Whatever goes wrong earlier can make them fail. */
const ENDS: ReadonlySet<CheckCategory> = new Set([
  'Harness',
  'IterationCount',
  'TerminationReason',
  'ExitCode',
  'Processes',
]);

type Moment = Pick<CheckResult, 'about' | 'category'>;

/** Whether the check looks at the end of the run, which shows that something went wrong but not where. */
export function isAboutTheEnd({ about = {}, category }: Moment): boolean {
  return ENDS.has(category) && about.iteration === undefined;
}

/** Sorts failed checks by the moment of the run that they look at, the earliest first. */
export function sortByMoment<Check extends Moment>(checks: readonly Check[]): Check[] {
  return checks.toSorted((a, b) => momentOf(a) - momentOf(b));
}

function momentOf(check: Moment): number {
  const { about = {}, category } = check;
  if (isAboutTheEnd(check)) return 1e9 + MOMENT[category];
  return (about.iteration ?? about.turn ?? 1) * 100 + MOMENT[category];
}
