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
  TerminationReason: 9,
  ExitCode: 10,
  IterationCount: 11,
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

/**
 * Whether the check looks at the end of the run, which shows that something went wrong but not where. That includes hats
 * that had their turns in the right order, but more or fewer of them.
 */
export function isAboutTheEnd({ about = {}, category }: Moment, worn: readonly string[] = []): boolean {
  if (about.hats !== undefined && worn.length > 0) return firstDifference(about.hats, worn) === null;
  return ENDS.has(category) && about.iteration === undefined;
}

/** Sorts failed checks by the moment of the run that they look at, the earliest first. `worn` are the hats that had turns. */
export function sortByMoment<Check extends Moment>(
  checks: readonly Check[],
  worn: readonly string[] = [],
): Check[] {
  return checks.toSorted((a, b) => momentOf(a, worn) - momentOf(b, worn));
}

/** A check that names no iteration looks at the whole run: what is known of an iteration comes first. */
const WHOLE_RUN = 1e6;
const END = 1e9;

function momentOf(check: Moment, worn: readonly string[]): number {
  const { about = {}, category } = check;
  if (isAboutTheEnd(check, worn)) return END + (ENDS.has(category) ? MOMENT[category] : END);
  const deviation = about.hats === undefined ? null : firstDifference(about.hats, worn);
  const iteration = about.iteration ?? about.turn ?? (deviation === null ? undefined : deviation + 1);
  return iteration === undefined ? WHOLE_RUN + MOMENT[category] : iteration * 100 + MOMENT[category];
}

/** Failed checks, as people read them. */
export interface FailedInOrder<Check> {
  readonly shown: readonly Check[];
  /** Checks that failed because the agent script did not answer a prompt. */
  readonly consequences: readonly Check[];
}

/**
 * Sorts failed checks by moment. A prompt without an answer ends what the agent does, so it explains every check on a later
 * moment, but not what the agent was sent, and not the check that the diagnosis starts from.
 */
export function orderFailed<Check extends Moment>(
  checks: readonly Check[],
  worn: readonly string[],
  leads: (check: Check) => boolean = () => false,
): FailedInOrder<Check> {
  const sorted = sortByMoment(checks, worn);
  const lead = sorted.filter(leads);
  const rest = sorted.filter((check) => !leads(check));
  const silent = sorted.find(({ about }) => about?.unanswered !== undefined);
  if (silent === undefined) return { shown: [...lead, ...rest], consequences: [] };
  const moment = (silent.about?.unanswered ?? 0) * 100;
  const isEffect = (check: Check) => momentOf(check, worn) > moment + (isAboutSent(check) ? 99 : 0);
  const others = rest.filter((check) => check !== silent);
  return {
    shown: [
      ...lead,
      ...others.filter((check) => !isEffect(check)),
      ...(lead.includes(silent) ? [] : [silent]),
    ],
    consequences: others.filter(isEffect),
  };
}

/** Whether a check looks at the prompt or at the hat that gets it. Both are settled before the agent answers. */
function isAboutSent({ about = {}, category }: Moment): boolean {
  return category === 'PromptContent' || about.hat !== undefined || about.hats !== undefined;
}

/** The place where two lists first differ; null if one goes on where the other ends. */
export function firstDifference(wanted: readonly string[], worn: readonly string[]): number | null {
  const place = wanted.findIndex((hat, index) => index < worn.length && hat !== worn[index]);
  return place === -1 ? null : place;
}
