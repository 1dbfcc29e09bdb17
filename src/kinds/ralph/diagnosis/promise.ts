import type { CheckResult } from '../../../domain/check.js';
import type { HeldPromise } from '../../../domain/contract.js';
import { type Case, quoteCheck, quoteLog } from '../../../domain/diagnosis/clues.js';
import { isAboutTheEnd, sortByMoment } from '../../../domain/diagnosis/divergence.js';
import type { DiagnosisRule } from '../../../domain/diagnosis/rule.js';

/** The most promises that a diagnosis quotes: a check that holds Ralph to more says little about each. */
const MOST_PROMISES = 3;

const brokenPromise: DiagnosisRule = {
  name: 'broken-promise',
  type: 'AssertionMismatch',
  blames: 'target',
  find: (failure) => explain(failure, (check) => !isAboutTheEnd(check)),
};

const brokenAtTheEnd: DiagnosisRule = {
  name: 'broken-promise-at-the-end',
  type: 'UnexpectedTermination',
  blames: 'target',
  find: (failure) => explain(failure, isAboutTheEnd),
};

function explain(failure: Case, isWanted: (check: CheckResult) => boolean) {
  const broken = sortByMoment(failure.broken);
  const lead = broken.find((check) => isWanted(check) && check.promises !== undefined);
  const promises = lead?.promises?.slice(0, MOST_PROMISES) ?? [];
  if (lead === undefined || promises.length === 0) return null;
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

/** Where Ralph decides what it promises. */
export function listPlaces(promises: readonly HeldPromise[]): string[] {
  return [...new Set(promises.map(({ source }) => source))].map(
    (source) => `Read this place in Ralph's source: ${source}`,
  );
}

/** What a check shows besides how the run ended: that leads closer to the cause. */
export const promiseRules: readonly DiagnosisRule[] = [brokenPromise];

/** Only the end of the run is wrong. */
export const endPromiseRules: readonly DiagnosisRule[] = [brokenAtTheEnd];
