import type { CheckResult } from '../../../domain/check.js';
import type { HeldPromise } from '../../../domain/contract.js';
import { emissionOf } from '../../../domain/diagnosis/check-facts.js';
import { type Case, quoteCheck, quoteLog } from '../../../domain/diagnosis/clues.js';
import { lastComplaint } from '../../../domain/diagnosis/complaint.js';
import { firstOf } from '../../../domain/diagnosis/ledger.js';
import type { DiagnosisRule } from '../../../domain/diagnosis/rule.js';
import { isFinished } from '../../../domain/evidence/facts.js';
import { factRules, generalRules } from './facts.js';
import { findLead, listByCause, listPlaces, orderChecks, promisesOf, quotePromises } from './lead.js';
import { describeEnd, lostEmits, observe } from './observe.js';

const exitCode: DiagnosisRule = {
  name: 'exit-code-differs',
  type: 'UnexpectedTermination',
  blames: 'target',
  find: ({ evidence, broken }) => {
    const reason = evidence?.termination?.reason;
    if (evidence?.exit.kind !== 'exited' || reason === undefined) return null;
    const { code } = evidence.exit;
    const red = broken.filter(
      ({ kind, about }) =>
        about?.reason === reason && (kind === 'terminatedBecause' || (kind === 'completed' && code !== 0)),
    );
    if (red.length === 0) return null;
    const held = red.flatMap(({ promises = [] }) => promises);
    return {
      areas: ['exit-codes'],
      promises: firstOf(held.filter(({ area }) => area === 'exit-codes')),
      hypothesis: `The loop ended for the expected reason (${reason}), but the exit code ${code} does not fit it.`,
      evidence: red.map(quoteCheck),
      investigations: ["Read this place in Ralph's source: ralph-core/src/event_loop/mod.rs: exit_code"],
    };
  },
};

/** Ralph's records contradict each other. */
const strayEnd: DiagnosisRule = {
  name: 'end-of-unknown-iteration',
  type: 'AssertionMismatch',
  blames: 'target',
  find: ({ evidence }) => {
    const began = evidence?.iterations.filter(({ prompt, hat }) => prompt !== null || hat !== null) ?? [];
    const stray = evidence?.iterations.find((one) => isFinished(one) && !began.includes(one));
    const unended = began.find((one) => !isFinished(one));
    if (stray === undefined || unended === undefined) return null;
    return {
      areas: ['history'],
      hypothesis: `Ralph recorded the end of iteration ${stray.number}, which never began, and no end of iteration ${unended.number}: iteration.summary in the events file has the wrong number.`,
      evidence: [`iterations that began: ${began.map(({ number }) => number).join(', ')}`],
      investigations: [
        "Read this place in Ralph's source: ralph-cli/src/loop_runner.rs: log_iteration_summary",
      ],
    };
  },
};

/** Reasons that end a loop before its work is done, with the area of each. The others follow from many causes. */
const CUT_SHORT: Readonly<Record<string, string>> = {
  loop_stale: 'limits',
  loop_thrashing: 'limits',
  validation_failure: 'limits',
  max_cost: 'limits',
  stopped: 'routing',
  cancelled: 'completion',
  restart_requested: 'limits',
  workspace_gone: 'limits',
};

/** The loop ended for a reason that nothing in the scenario gives. */
const cutShort: DiagnosisRule = {
  name: 'cut-short',
  type: 'UnexpectedTermination',
  blames: 'target',
  find: (failure) => {
    const { evidence, attempt, execution } = failure;
    const reason = evidence?.termination?.reason ?? '';
    const area = CUT_SHORT[reason];
    if (!evidence || area === undefined) return null;
    if (attempt.checks.some(({ about }) => about?.reason === reason)) return null;
    const { during } = orderChecks(failure);
    // A prompt that is wrong was built before the loop ended.
    if (during.some(({ category }) => category === 'PromptContent')) return null;
    // Without an iteration no agent could declare anything.
    const hadTurns = evidence.iterations.length > 0;
    const promises = promisesOfEnd(failure).filter((held) => hadTurns || held.area !== 'completion');
    const complaint = lastComplaint(evidence);
    return {
      areas: [area, ...promises.map((held) => held.area), ...(execution.planned?.areas.slice(0, 1) ?? [])],
      promises,
      hypothesis: [
        `${describeEnd(evidence)} The test does not expect that.`,
        ...(complaint === null ? [] : [`Ralph's last warning: ${complaint.said}.`]),
        ...quotePromises(promises),
      ].join(' '),
      evidence: quoteFailure(failure),
      investigations: [
        ...(complaint === null ? [] : [complaint.search]),
        `Search Ralph's source for the code that ends a loop with ${reason}: what does it count, and what resets it?`,
        ...listPlaces(promises),
      ],
    };
  },
};

/** The earliest failed check leads: what it shows, and what it holds Ralph to. */
const brokenPromise: DiagnosisRule = {
  name: 'broken-promise',
  type: 'AssertionMismatch',
  blames: 'target',
  find: (failure) => {
    const lead = findLead(failure);
    const found = lead === undefined ? null : explain(failure, lead);
    return found !== null && found.promises.length > 0 ? found : null;
  },
};

/** No promise is named for what failed: then the areas of the scenario are the neighborhood. */
export const unmetExpectation: DiagnosisRule = {
  name: 'expectation-not-met',
  type: 'AssertionMismatch',
  blames: 'target',
  find: (failure) => {
    const lead = findLead(failure);
    return lead === undefined ? null : explain(failure, lead);
  },
};

function explain(failure: Case, lead: CheckResult) {
  const { attempt, evidence, execution } = failure;
  const { text, complaint, isMisrouted } = observe(lead, evidence, attempt.checks);
  const isEnd = orderChecks(failure).end.includes(lead);
  const lost = unrecorded(lead, failure);
  const promises = isEnd
    ? promisesOfEnd(failure)
    : promisesOf(lost.length > 0 ? lost : [lead], isMisrouted ? 'routing' : null);
  // How a run ended says little about the areas of its scenario.
  const near = isEnd ? [] : (execution.planned?.areas.slice(0, 2) ?? []);
  return {
    ...(isEnd ? { type: 'UnexpectedTermination' as const } : {}),
    areas: promises.length > 0 ? promises.map(({ area }) => area) : near,
    check: lead,
    promises,
    hypothesis: [text, ...quotePromises(promises)].join(' '),
    evidence: quoteFailure(failure, lead),
    investigations: [...(complaint === null ? [] : [complaint.search]), ...listPlaces(promises)],
  };
}

/** What an agent did not do, and what a prompt lacks, may follow from what every prompt needs. */
const bareRules = generalRules((failure) => {
  const lead = findLead(failure);
  return lead?.judges === 'agent' || lead?.category === 'PromptContent';
});

/** Failed checks on the records of the events that a prompt lacks. An event that is not recorded cannot be delivered. */
function unrecorded(lead: CheckResult, { broken, evidence }: Case): readonly CheckResult[] {
  const lost = evidence === null ? [] : lostEmits(lead, evidence);
  return broken.filter(
    (check) => lost.includes(emissionOf(check) ?? '') && (check.promises ?? []).length > 0,
  );
}

/**
 * The promises of checks on the end, one check after the other: all show the same end. A loop that ends for another reason tells
 * nothing about its exit code.
 */
function promisesOfEnd(failure: Case): readonly HeldPromise[] {
  const { end, effects } = orderChecks(failure);
  const { termination, iterations = [] } = failure.evidence ?? {};
  const next = (iterations.at(-1)?.number ?? 0) + 1;
  const checks = [...end, ...effects.filter(({ about }) => about?.iteration === next)];
  const held = checks.flatMap(({ promises = [], about }) => {
    const isOtherEnd = about?.reason !== undefined && about.reason !== termination?.reason;
    return promises.filter(({ area }) => !isOtherEnd || area !== 'exit-codes');
  });
  const others = held.filter(({ area }) => area !== 'exit-codes');
  return firstOf(others.length > 0 ? others : held);
}

/** The check, others that failed, and warnings in Ralph's log. */
function quoteFailure(failure: Case, lead?: CheckResult): string[] {
  const others = listByCause(failure).filter((check) => check !== lead);
  return [
    ...[...(lead === undefined ? [] : [lead]), ...others].slice(0, 4).map(quoteCheck),
    ...quoteLog(failure.evidence),
  ];
}

/** What is wrong is Ralph's: its records and its end by themselves, or else the promise that the first failed check holds it to. */
export const loopRules: readonly DiagnosisRule[] = [
  exitCode,
  strayEnd,
  cutShort,
  ...bareRules,
  brokenPromise,
  ...factRules,
];
