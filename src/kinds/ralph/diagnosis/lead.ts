import type { CheckResult } from '../../../domain/check.js';
import { findErrand } from '../../../domain/checks/errands.js';
import { contentOf } from '../../../domain/checks/file-content.js';
import type { HeldPromise } from '../../../domain/contract.js';
import { type Case, wasReached } from '../../../domain/diagnosis/clues.js';
import { isAboutTheEnd, sortByMoment } from '../../../domain/diagnosis/divergence.js';
import { firstOf } from '../../../domain/diagnosis/ledger.js';
import type { Evidence } from '../../../domain/evidence/evidence.js';
import { countFinished, hatsWorn } from '../../../domain/evidence/facts.js';

/** The failed checks of a case, in three groups, each with the earliest moment of the run first. */
interface OrderedChecks {
  /** What went wrong while the loop ran, or before. */
  readonly during: readonly CheckResult[];
  /** How the loop ended, and after how many iterations. */
  readonly end: readonly CheckResult[];
  /** What a loop lacks or has too much of because it ended otherwise. */
  readonly effects: readonly CheckResult[];
}

/** Puts the failed checks in the order of causes: what follows from a wrong end comes after it. */
export function orderChecks({ broken, evidence }: Case): OrderedChecks {
  if (evidence === null) return { during: broken, end: [], effects: [] };
  const worn = hatsWorn(evidence);
  // Of two checks on the same moment, the one that is about less says more.
  const sorted = sortByMoment(
    broken.toSorted((a, b) => vagueness(a, evidence) - vagueness(b, evidence)),
    worn,
  );
  const begin = sorted.filter((check) => BEGINNINGS.has(check.kind) || isAskedBefore(check, evidence));
  const end = sorted.filter((check) => isAboutTheEnd(check, worn) && !begin.includes(check));
  const rest = sorted.filter((check) => !begin.includes(check) && !end.includes(check));
  const follows = (check: CheckResult) => followsFromEnd(check, end, evidence);
  return {
    during: [...begin, ...rest.filter((check) => !follows(check))],
    end,
    effects: rest.filter(follows),
  };
}

/** All failed checks, the one that leads closest to the cause first. */
export function listByCause(failure: Case): readonly CheckResult[] {
  const { during, end, effects } = orderChecks(failure);
  return [...during, ...end, ...effects];
}

/** The first check that holds Ralph to a promise, or else the first of all. */
export function findLead(failure: Case): CheckResult | undefined {
  const checks = listByCause(failure);
  const { during } = orderChecks(failure);
  return checks.find(({ promises = [] }) => promises.length > 0) ?? during[0] ?? checks[0];
}

/** Checks on the session before the run. What they show moves everything in the run. */
const BEGINNINGS: ReadonlySet<string> = new Set(['countsOnFrom', 'earlierSessionEnded']);

/** Whether a check looks at the answer of a command that ran before the run. */
function isAskedBefore({ kind, about = {} }: CheckResult, evidence: Evidence): boolean {
  return kind === 'errandAnswered' && findErrand(evidence, about.names?.[0] ?? '')?.when === 'before';
}

function vagueness(check: CheckResult, evidence: Evidence): number {
  const { about = {}, promises = [] } = check;
  return (about.hats === undefined ? 0 : 100) + (hasOtherExit(check, evidence) ? 0 : 10) + promises.length;
}

function hasOtherExit({ about = {}, kind }: CheckResult, evidence: Evidence): boolean {
  const answer = kind === 'errandAnswered' ? findErrand(evidence, about.names?.[0] ?? '') : undefined;
  return answer !== undefined && about.exitCode !== undefined && answer.exitCode !== about.exitCode;
}

/** Whether a check fails because the loop ended too early, too late, or for another reason. */
function followsFromEnd(check: CheckResult, end: readonly CheckResult[], evidence: Evidence): boolean {
  if (!wasReached(check, evidence)) return true;
  if (check.about?.iteration !== undefined || check.kind === 'errandAnswered') return false;
  if (evidence.iterations.length === 0) return true;
  const isOtherEnd = end.some(
    ({ about }) => about?.reason !== undefined && about.reason !== evidence.termination?.reason,
  );
  if (isOtherEnd) return check.kind === 'toldTimes' || check.category.startsWith('File');
  return isLacking(check, evidence) && end.some((one) => isEarly(one, evidence));
}

/** Whether a check may only lack what the rest of a loop would have brought. */
function isLacking({ category, judges, about = {} }: CheckResult, evidence: Evidence): boolean {
  // A sequence of hats that parts from what is expected is no end.
  if (about.hats !== undefined) return false;
  if (category.startsWith('File')) return contentOf(evidence, about.path ?? '').kind === 'absent';
  return category === 'PromptContent' || judges === 'agent';
}

/** Whether the loop completed, and a check on its end wanted more of it. */
function isEarly({ kind, about = {} }: CheckResult, evidence: Evidence): boolean {
  if (evidence.termination?.reason !== 'completed') return false;
  // It completed, and the agent had not declared it.
  if (kind === 'completed') return true;
  const { limit, hats } = about;
  if (hats !== undefined) return hats.length > evidence.iterations.length;
  return kind.startsWith('iteration') && limit !== undefined && limit > countFinished(evidence);
}

/** The first promises that checks hold Ralph to, those of an area before others. */
export function promisesOf(
  checks: readonly CheckResult[],
  area: string | null = null,
): readonly HeldPromise[] {
  const held = checks.flatMap(({ promises = [] }) => promises);
  const first = held.filter((one) => one.area === area);
  return firstOf([...first, ...held]);
}

/** Quotes the first promise. The others are in the diagnosis, with their places. */
export function quotePromises([first]: readonly HeldPromise[]): string[] {
  return first === undefined ? [] : [`Ralph promises: ${first.promise}`];
}

/** Where Ralph decides what it promises. */
export function listPlaces(promises: readonly HeldPromise[]): string[] {
  return [...new Set(promises.map(({ source }) => `Read this place in Ralph's source: ${source}`))];
}
