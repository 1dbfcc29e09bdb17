import type { CheckResult } from '../../../../domain/check.js';
import { findErrand } from '../../../../domain/checks/errands.js';
import { type Case, wasReached } from '../../../../domain/diagnosis/clues.js';
import { firstDifference, isAboutTheEnd, sortByMoment } from '../../../../domain/diagnosis/divergence.js';
import type { Evidence } from '../../../../domain/evidence/evidence.js';
import { hatsWorn } from '../../../../domain/evidence/facts.js';
import { observe } from '../observe/observe.js';
import { fitting } from './direction.js';

/** The failed checks of a case, in three groups, each with the earliest moment of the run first. */
export interface OrderedChecks {
  /** What went wrong while the loop ran, or before. */
  readonly during: readonly CheckResult[];
  /** How the loop ended, and after how many iterations. */
  readonly end: readonly CheckResult[];
  /** What a loop lacks or has too much of because it ended otherwise. */
  readonly effects: readonly CheckResult[];
}

/** Puts the failed checks in the order of causes: what follows from a wrong end comes after it. */
export function orderChecks({ broken, evidence }: Case): OrderedChecks {
  const worn = evidence ? hatsWorn(evidence) : [];
  const sorted = sortByMoment(
    broken.toSorted((a, b) => vagueness(a, broken, evidence) - vagueness(b, broken, evidence)),
    worn,
  );
  const begin = sorted.filter((check) => BEGINNINGS.has(check.kind) || isAskedBefore(check, evidence));
  const end = sorted.filter((check) => isAboutTheEnd(check, worn) && !begin.includes(check));
  const rest = sorted.filter((check) => !begin.includes(check) && !end.includes(check));
  const follows = (check: CheckResult) => evidence !== null && followsFromEnd(check, end, evidence);
  return {
    during: [...begin, ...rest.filter((check) => !follows(check))],
    end,
    effects: rest.filter(follows),
  };
}

/** Checks on the session before the run. What they show moves everything in the run. */
const BEGINNINGS: ReadonlySet<string> = new Set(['countsOnFrom', 'earlierSessionEnded']);

/** Whether a check looks at the answer of a command that ran before the run. */
function isAskedBefore({ kind, about = {} }: CheckResult, evidence: Evidence | null): boolean {
  if (evidence === null || kind !== 'errandAnswered') return false;
  return findErrand(evidence, about.names?.[0] ?? '')?.when === 'before';
}

/** All failed checks, the one that leads closest to the cause first. */
export function listByCause(failure: Case): readonly CheckResult[] {
  const { during, end, effects } = orderChecks(failure);
  return [...during, ...end, ...effects];
}

/**
 * How little a check says about the cause, among checks on the same moment. One that names its iteration says more than a
 * sequence, and a wrong exit code more than another text. If few checks fail, one with fewer promises says more. If many
 * fail, those with one promise each are probably effects.
 */
function vagueness(check: CheckResult, broken: readonly CheckResult[], evidence: Evidence | null): number {
  const { about = {}, category } = check;
  const promises = fitting(check.promises ?? [], observe(check, evidence).direction);
  const isSequence = about.hats !== undefined;
  const alike = broken.filter((other) => other.category === category && other.about?.iteration === undefined);
  const isOneOfFew = about.iteration === undefined && alike.length <= FEW;
  const count = promises.length === 0 ? MANY : isOneOfFew ? Math.min(promises.length, MANY) : 1;
  return (isSequence ? 100 : 0) + (hasOtherExit(check, evidence) ? 0 : 10) + count;
}

const FEW = 2;
const MANY = 9;

function hasOtherExit({ about = {}, kind }: CheckResult, evidence: Evidence | null): boolean {
  if (evidence === null || kind !== 'errandAnswered') return false;
  const answer = findErrand(evidence, about.names?.[0] ?? '');
  return answer !== undefined && about.exitCode !== undefined && answer.exitCode !== about.exitCode;
}

/** The iteration that a check looks at: its own, or the first in which a sequence of hats differs. */
export function iterationOf({ about = {} }: CheckResult, evidence: Evidence | null): number | undefined {
  if (about.iteration !== undefined || about.hats === undefined || evidence === null) return about.iteration;
  const at = firstDifference(about.hats, hatsWorn(evidence));
  return at === null ? undefined : evidence.iterations[at]?.number;
}

/** Whether a check fails because the loop ended too early, too late, or for another reason. */
function followsFromEnd(check: CheckResult, end: readonly CheckResult[], evidence: Evidence): boolean {
  if (!wasReached(check, evidence)) return true;
  if (check.about?.iteration !== undefined) return false;
  const isOtherEnd = end.some(
    ({ about }) => about?.reason !== undefined && about.reason !== evidence.termination?.reason,
  );
  if (check.kind === 'errandAnswered') return false;
  if (evidence.iterations.length === 0 || (isOtherEnd && check.category.startsWith('File'))) return true;
  const { direction } = observe(check, evidence);
  const ends = new Set(end.map((one) => observe(one, evidence).direction));
  if (direction === 'excess') return check.kind === 'toldTimes' && ends.has('late');
  return direction === 'missing' && (ends.has('early') || (isOtherEnd && check.kind === 'toldTimes'));
}
