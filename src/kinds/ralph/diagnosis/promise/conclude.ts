import type { CheckResult } from '../../../../domain/check.js';
import type { HeldPromise } from '../../../../domain/contract.js';
import { type Case, quoteCheck, quoteLog } from '../../../../domain/diagnosis/clues.js';
import type { Complaint } from '../../../../domain/diagnosis/complaint.js';
import { listByCause } from './order.js';

/** The most promises that a diagnosis quotes: a check that holds Ralph to more says little about each. */
export const MOST_PROMISES = 3;

interface Conclusion {
  readonly lead: CheckResult;
  readonly text: string;
  readonly held: readonly HeldPromise[];
  /** Those that the observation can break. */
  readonly promises: readonly HeldPromise[];
  /** What Ralph itself said. */
  readonly complaint?: Complaint | undefined;
}

/** Puts the diagnosis together: what was seen, the promises that it can break, and where Ralph decides them. */
export function conclude(failure: Case, { lead, text, held, promises, complaint }: Conclusion) {
  const named = promises.slice(0, MOST_PROMISES);
  // Nothing that the check is about can be broken in this way: then it is only the neighborhood.
  const near = named.length > 0 ? named : held.slice(0, MOST_PROMISES);
  const words = near.map(({ promise }) => promise).join(' ');
  return {
    areas: [...new Set(near.map(({ area }) => area))],
    promises: named,
    hypothesis: `${text} ${named.length > 0 ? 'Ralph promises' : 'The check is about this'}: ${words}`,
    evidence: quoteFailure(failure, lead),
    investigations: [...(complaint === undefined ? [] : [complaint.search]), ...listPlaces(near)],
  };
}

/** The check, others that failed, and warnings in Ralph's log. */
export function quoteFailure(failure: Case, lead: CheckResult | undefined): string[] {
  const others = listByCause(failure).filter((check) => check !== lead);
  return [
    ...(lead === undefined ? [] : [quoteCheck(lead)]),
    ...others.slice(0, 3).map(quoteCheck),
    ...quoteLog(failure.evidence),
  ];
}

/** Where Ralph decides what it promises, the place that decides most of it first. */
export function listPlaces(promises: readonly HeldPromise[]): string[] {
  const sources = promises.map(({ source }) => source);
  const count = (source: string) => sources.filter((one) => one === source).length;
  return [...new Set(sources)]
    .sort((a, b) => count(b) - count(a))
    .map((source) => `Read this place in Ralph's source: ${source}`);
}
