import type { CheckResult } from '../../../domain/check.js';
import type { HeldPromise } from '../../../domain/contract.js';
import { type Case, quoteCheck, quoteLog, wasReached } from '../../../domain/diagnosis/clues.js';
import { isAboutTheEnd, sortByMoment } from '../../../domain/diagnosis/divergence.js';
import type { DiagnosisRule } from '../../../domain/diagnosis/rule.js';
import { hatsWorn } from '../../../domain/evidence/facts.js';

/** The most promises that a diagnosis quotes: a check that holds Ralph to more says little about each. */
const MOST_PROMISES = 3;

const brokenPromise: DiagnosisRule = {
  name: 'broken-promise',
  type: 'AssertionMismatch',
  blames: 'target',
  find: (failure) => {
    const endedOtherwise = failure.broken.some((check) => isOtherEnd(check, failure));
    return explain(
      failure,
      (check, worn) => !isAboutTheEnd(check, worn) && !(endedOtherwise && followsFromEnd(check, failure)),
    );
  },
};

const brokenAfterTheEnd: DiagnosisRule = {
  name: 'broken-promise-after-the-end',
  type: 'AssertionMismatch',
  blames: 'target',
  find: (failure) => explain(failure, (check, worn) => !isAboutTheEnd(check, worn)),
};

const brokenAtTheEnd: DiagnosisRule = {
  name: 'broken-promise-at-the-end',
  type: 'UnexpectedTermination',
  blames: 'target',
  find: (failure) => explain(failure, isAboutTheEnd),
};

/** Whether the loop ended for another reason than the check wants. */
function isOtherEnd({ about }: CheckResult, { evidence }: Case): boolean {
  const reason = about?.reason;
  return reason !== undefined && reason !== evidence?.termination?.reason;
}

/**
 * Whether the check looks at an iteration that never came, or at a file that the whole run left behind: a loop that ends
 * otherwise has other ones.
 */
function followsFromEnd(check: CheckResult, { evidence }: Case): boolean {
  if (evidence !== null && !wasReached(check, evidence)) return true;
  return check.category.startsWith('File') && check.about?.iteration === undefined;
}

function explain(failure: Case, isWanted: (check: CheckResult, worn: readonly string[]) => boolean) {
  const worn = failure.evidence ? hatsWorn(failure.evidence) : [];
  const broken = sortByMoment(failure.broken, worn);
  const held = broken
    .filter((check) => isWanted(check, worn))
    .map((lead) => ({ lead, promises: promisesAtStake(lead, failure) }));
  const first = held.find(({ promises }) => promises.length > 0);
  if (first === undefined) return null;
  const { lead, promises } = first;
  return {
    promises,
    hypothesis:
      promises.length === 1
        ? `Ralph broke a promise: ${promises[0]?.promise}`
        : `Ralph broke at least one of these promises: ${promises.map(({ promise }) => promise).join(' ')}`,
    evidence: [
      quoteCheck(lead),
      ...broken
        .filter((check) => check !== lead)
        .slice(0, 3)
        .map(quoteCheck),
      ...quoteLog(failure.evidence),
    ],
    investigations: listPlaces(promises),
  };
}

/** The promises that the check shows broken. A loop that ends for another reason tells nothing about its exit code. */
function promisesAtStake({ promises = [], about }: CheckResult, { evidence }: Case): readonly HeldPromise[] {
  const otherEnd = about?.reason !== undefined && about.reason !== evidence?.termination?.reason;
  return promises.filter(({ area }) => !otherEnd || area !== 'exit-codes').slice(0, MOST_PROMISES);
}

const unmetExpectation: DiagnosisRule = {
  name: 'expectation-not-met',
  type: 'AssertionMismatch',
  blames: 'target',
  find: (failure) => {
    const areas = failure.execution.planned?.areas.slice(0, 2) ?? [];
    const [lead, ...others] = sortByMoment(failure.broken).filter((check) => !isAboutTheEnd(check));
    if (lead === undefined || areas.length === 0) return null;
    return {
      areas,
      hypothesis: `Ralph did not do what a test of ${areas.join(' and ')} expects: ${lead.name}.`,
      evidence: [lead, ...others.slice(0, 3)].map(quoteCheck).concat(quoteLog(failure.evidence)),
    };
  },
};

/** Where Ralph decides what it promises. */
function listPlaces(promises: readonly HeldPromise[]): string[] {
  return [...new Set(promises.map(({ source }) => source))].map(
    (source) => `Read this place in Ralph's source: ${source}`,
  );
}

/** What a check shows besides how the run ended: that leads closer to the cause. */
export const promiseRules: readonly DiagnosisRule[] = [brokenPromise];

/** Only the end of the run is wrong. */
export const endPromiseRules: readonly DiagnosisRule[] = [brokenAtTheEnd, brokenAfterTheEnd];

/** No promise is named for what failed, but the scenario is about some. */
export const expectationRules: readonly DiagnosisRule[] = [unmetExpectation];
