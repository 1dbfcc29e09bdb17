import type { CheckResult } from '../../../../domain/check.js';
import type { HeldPromise } from '../../../../domain/contract.js';
import { emissionOf } from '../../../../domain/diagnosis/check-facts.js';
import { type Case, quoteCheck, quoteLog } from '../../../../domain/diagnosis/clues.js';
import { isAboutTheEnd, sortByMoment } from '../../../../domain/diagnosis/divergence.js';
import type { DiagnosisRule } from '../../../../domain/diagnosis/rule.js';
import { type FoundBasis, findBasis } from '../basis/find-basis.js';
import { isTelling, observe } from '../observe/observe.js';
import { lostEmits } from '../observe/prompts.js';
import { commandsBehind } from './commands-behind.js';
import { conclude, listPlaces, MOST_PROMISES, quoteFailure } from './conclude.js';
import { fitting } from './direction.js';
import { iterationOf, orderChecks } from './order.js';
import { rank } from './rank.js';
import { describeRouting } from './routing-fact.js';
import { failsAlike, findSharedSymptom } from './shared-symptom.js';

const sharedSymptom: DiagnosisRule = {
  name: 'same-symptom',
  type: 'AssertionMismatch',
  blames: 'target',
  find: (failure) => {
    const shared = findSharedSymptom(failure, orderChecks(failure).during);
    if (shared === null) return null;
    const { checks, text } = shared;
    const promises = checks.flatMap(({ promises: held = [] }) => held);
    return {
      areas: [...new Set(promises.map(({ area }) => area))],
      hypothesis: text,
      evidence: quoteFailure(failure, checks[0]),
      investigations: listPlaces(promises).slice(0, MOST_PROMISES),
    };
  },
};

const brokenPromise: DiagnosisRule = {
  name: 'broken-promise',
  type: 'AssertionMismatch',
  blames: 'target',
  find: (failure) => explain(failure, orderChecks(failure).during),
};

const brokenAtTheEnd: DiagnosisRule = {
  name: 'broken-promise-at-the-end',
  type: 'UnexpectedTermination',
  blames: 'target',
  find: (failure) => explainWrongEnd(failure),
};

const brokenAfterTheEnd: DiagnosisRule = {
  name: 'broken-promise-after-the-end',
  type: 'AssertionMismatch',
  blames: 'target',
  find: (failure) => explain(failure, orderChecks(failure).effects),
};

/** Explains a failure by the first check that holds Ralph to a promise, and by others on the same iteration. */
function explain(failure: Case, checks: readonly CheckResult[]) {
  const lead = checks.find(({ promises = [] }) => promises.length > 0);
  if (lead === undefined) return null;
  const group = checks.filter((check) => isAlike(check, lead, failure));
  const { evidence } = failure;
  const seen = observe(lead, evidence);
  const unrecorded = findUnrecorded(lead, failure);
  const basis =
    evidence !== null && unrecorded.length === 0 ? findBasis(lead, evidence, seen.direction) : null;
  const facts =
    basis === null ? [seen.text] : basis.isBroken ? [basis.text, seen.text] : [seen.text, basis.text];
  const text = `${facts.join(' ')}${evidence === null ? '' : describeRouting(lead, evidence)}`;
  const fit = (unrecorded.length > 0 ? unrecorded : group).flatMap((check) =>
    fitting(check.promises ?? [], observe(check, evidence).direction),
  );
  const ranked = rank(fit, { text, commands: commandsBehind(lead, evidence), shown: seen.shown });
  return conclude(failure, {
    lead,
    text,
    held: lead.promises ?? [],
    promises: basis === null ? ranked : withBasis(ranked, basis),
    complaint: seen.complaint,
  });
}

/** What is broken in general explains the special; what may be broken comes after it. */
function withBasis(ranked: readonly HeldPromise[], { promise, isBroken }: FoundBasis): HeldPromise[] {
  const special = ranked.filter((one) => one.promise !== promise.promise);
  return isBroken ? [promise] : [...special.slice(0, MOST_PROMISES - 1), promise];
}

/** Failed checks on the records of the events that a prompt lacks. An event that is not recorded cannot be delivered. */
function findUnrecorded(lead: CheckResult, { broken, evidence }: Case): readonly CheckResult[] {
  const lost = evidence === null ? [] : lostEmits(lead, evidence);
  return broken.filter(
    (check) => lost.includes(emissionOf(check) ?? '') && (check.promises ?? []).length > 0,
  );
}

/** Whether two checks look at the same iteration, or fail in the same way. */
function isAlike(check: CheckResult, lead: CheckResult, { evidence }: Case): boolean {
  if (check === lead) return true;
  const at = iterationOf(lead, evidence);
  return at === undefined ? failsAlike(check, lead) : iterationOf(check, evidence) === at;
}

/**
 * Explains a wrong end: all checks on it show the same end, so their promises count together. If the loop ended too early,
 * what the test expects of the next iteration counts as well.
 */
export function explainWrongEnd(failure: Case, reason = '') {
  const { end, effects } = orderChecks(failure);
  const next = (failure.evidence?.iterations.at(-1)?.number ?? 0) + 1;
  const [lead] = end;
  if (lead === undefined) return null;
  const seen = end.map((check) => observe(check, failure.evidence));
  const direction =
    seen.map((one) => one.direction).find((one) => one === 'early' || one === 'late') ?? 'other';
  const held = promisesAtStake(
    [...end, ...effects.filter(({ about }) => about?.iteration === next)],
    failure,
  );
  if (held.length === 0) return null;
  const { evidence } = failure;
  const telling = evidence === null ? end : end.filter((check) => isTelling(check, evidence));
  const texts = (telling.length > 0 ? telling : end).map((check) => observe(check, evidence).text);
  const basis = evidence === null ? null : findBasis(lead, evidence, direction);
  const text = [...new Set(texts).values()]
    .slice(0, 2)
    .concat(basis?.text ?? [])
    .join(' ');
  const ranked = rank(fitting(held, direction), { text: `${text} ${reason}` });
  return conclude(failure, {
    lead,
    text,
    held,
    promises: basis === null ? ranked : withBasis(ranked, basis),
  });
}

/**
 * The promises of checks on the end. A loop that ends for another reason tells nothing about its exit code; otherwise
 * promises about exit codes count only if there are no others.
 */
function promisesAtStake(checks: readonly CheckResult[], { evidence }: Case): readonly HeldPromise[] {
  const held = checks.flatMap(({ promises = [], about }) => {
    const isOtherEnd = about?.reason !== undefined && about.reason !== evidence?.termination?.reason;
    return promises.filter(({ area }) => !isOtherEnd || area !== 'exit-codes');
  });
  const others = held.filter(({ area }) => area !== 'exit-codes');
  return others.length > 0 ? others : held;
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

/** What a check shows besides how the run ended: that leads closer to the cause. */
export const promiseRules: readonly DiagnosisRule[] = [sharedSymptom, brokenPromise];

/** Only the end of the run is wrong. */
export const endPromiseRules: readonly DiagnosisRule[] = [brokenAtTheEnd, brokenAfterTheEnd];

/** No promise is named for what failed, but the scenario is about some. */
export const expectationRules: readonly DiagnosisRule[] = [unmetExpectation];
