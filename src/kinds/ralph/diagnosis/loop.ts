import { brokenOf, type Case, quoteCheck, quoteLog } from '../../../domain/diagnosis/clues.js';
import { lastComplaint } from '../../../domain/diagnosis/complaint.js';
import { type DiagnosisRule, fix } from '../../../domain/diagnosis/rule.js';
import { promiseOf } from '../../../domain/evidence/facts.js';
import { orderChecks } from './promise/order.js';
import { explainWrongEnd } from './promise/rules.js';

const unheardPromise: DiagnosisRule = {
  name: 'completion-not-recognised',
  type: 'UnexpectedTermination',
  blames: 'target',
  investigations: [
    'Is the promise the last line that is not empty, alone, without quotes or emphasis?',
    'Was it the last iteration allowed? Completion counts up to the one before.',
    'Does required_events hold back the completion?',
  ],
  fixes: [
    fix('Ask for the promise alone on the last line', 0.6, 'ralph.yml'),
    fix('Allow one more iteration', 0.5, 'ralph.yml', 'event_loop.max_iterations'),
  ],
  find: (failure) => {
    const { evidence } = failure;
    if (!evidence || evidence.termination?.reason === 'completed') return null;
    if (brokenOf(failure, 'TerminationReason', 'ExitCode').length === 0) return null;
    const promise = promiseOf(evidence);
    const first = evidence.iterations.find(({ said }) => said.includes(promise));
    const event = evidence.events.find(({ topic, source }) => source === 'agent' && topic === promise);
    if (!first && !event) return null;
    const line = first?.said.split('\n').find((text) => text.includes(promise)) ?? promise;
    return {
      hypothesis: `The agent said ${promise}, but the loop did not take it for its completion.`,
      evidence: [
        first
          ? `iteration ${first.number}, the agent said: ${line.trim()}`
          : `the agent emitted ${promise} as an event`,
        `ended with: ${evidence.termination?.reason ?? 'no termination recorded'}`,
        ...brokenOf(failure, 'TerminationReason', 'ExitCode').map(quoteCheck),
      ],
    };
  },
};

const undeclared: DiagnosisRule = {
  name: 'completed-without-declaration',
  type: 'UnexpectedTermination',
  blames: 'target',
  investigations: ['What does the target take for the completion promise: a mention, a quotation, silence?'],
  find: (failure) => {
    const { evidence } = failure;
    const red = brokenOf(failure, 'TerminationReason');
    if (!evidence || red.length === 0 || evidence.termination?.reason !== 'completed') return null;
    const promise = promiseOf(evidence);
    const last = evidence.iterations.at(-1);
    const declared =
      last?.said.trimEnd().split('\n').at(-1)?.trim() === promise ||
      evidence.events.some(({ topic, source }) => source === 'agent' && topic === promise);
    if (declared) return null;
    return {
      hypothesis: `The target ended the loop as completed although the agent had not declared it: ${promise} is not the last line of its last answer.`,
      evidence: [
        ...red.map(quoteCheck),
        ...(last ? [`iteration ${last.number}, the agent said: ${last.said.trim().slice(-200)}`] : []),
      ],
    };
  },
};

const promiseUnheard: DiagnosisRule = {
  name: 'promise-not-taken',
  type: 'UnexpectedTermination',
  blames: 'target',
  investigations: [
    "Read this place in Ralph's source: ralph-core/src/event_parser.rs: contains_promise",
    "Read this place in Ralph's source: ralph-cli/src/loop_runner.rs: how it reads the output of the backend",
  ],
  find: (failure) => {
    const { evidence, execution } = failure;
    if (!evidence || failure.provoked || evidence.termination?.reason === 'completed') return null;
    const promise = promiseOf(evidence);
    const declared = evidence.iterations.find(({ said }) => said.trimEnd().endsWith(promise));
    const went = declared && evidence.iterations.some(({ number }) => number > declared.number);
    if (!declared || !went || brokenOf(failure, 'TerminationReason').length === 0) return null;
    return {
      areas: ['completion', 'adapters'],
      hypothesis: `The agent ended its answer in iteration ${declared.number} with ${promise}, and the loop went on. Ralph does not read the output of ${execution.backend} right, does not recognize the promise in it, or holds the completion back.`,
      evidence: [...failure.broken.slice(0, 4).map(quoteCheck), ...quoteLog(evidence)],
    };
  },
};

const exitCode: DiagnosisRule = {
  name: 'exit-code-differs',
  type: 'UnexpectedTermination',
  blames: 'target',
  investigations: ["Read this place in Ralph's source: ralph-core/src/event_loop/mod.rs: exit_code"],
  find: ({ evidence, broken }) => {
    const reason = evidence?.termination?.reason;
    if (evidence?.exit.kind !== 'exited' || reason === undefined) return null;
    const { code } = evidence.exit;
    const red = broken.filter(
      ({ kind, about }) =>
        about?.reason === reason && (kind === 'terminatedBecause' || (kind === 'completed' && code !== 0)),
    );
    if (red.length === 0) return null;
    return {
      areas: ['exit-codes'],
      hypothesis: `The loop ended for the expected reason (${reason}), but the exit code ${code} does not fit it.`,
      evidence: red.map(quoteCheck),
    };
  },
};

/** Reasons that end a loop before its work is done, with what they mean. The others follow from many causes. */
const CUT_SHORT: Readonly<Record<string, string>> = {
  loop_stale: 'as if the same event came three times in a row',
  loop_thrashing: 'as if abandoned tasks were picked up again',
  validation_failure: 'as if too many lines of the events file were unreadable',
  max_cost: 'as if its cost limit was reached',
  stopped: 'as if somebody had asked it to stop, or no hat had a pending event',
  cancelled: 'as if the agent had cancelled it',
  restart_requested: 'as if somebody had asked for a restart',
  workspace_gone: 'as if its workspace was gone',
};

const cutShort = {
  name: 'cut-short',
  type: 'UnexpectedTermination',
  blames: 'target',
  find: (failure: Case) => {
    const { evidence, broken, attempt, execution } = failure;
    const reason = evidence?.termination?.reason ?? '';
    const meaning = CUT_SHORT[reason];
    if (!evidence || meaning === undefined) return null;
    if (attempt.checks.some(({ about }) => about?.reason === reason)) return null;
    const last = evidence.iterations.at(-1);
    const when = last === undefined ? 'before its first iteration' : `after iteration ${last.number}`;
    // Without an iteration no agent could declare anything.
    const promises = (explainWrongEnd(failure, reason)?.promises ?? []).filter(
      ({ area }) => last !== undefined || area !== 'completion',
    );
    const complaint = lastComplaint(evidence);
    return {
      areas: [
        reason === 'cancelled' ? 'completion' : reason === 'stopped' ? 'routing' : 'limits',
        ...promises.map(({ area }) => area),
        ...(execution.planned?.areas.slice(0, 1) ?? []),
      ],
      promises,
      hypothesis: [
        `The loop ended ${when} with ${reason}, ${meaning}. The test does not expect that.`,
        ...(complaint === null ? [] : [`Ralph's last warning: ${complaint.said}.`]),
        ...(promises.length === 0
          ? []
          : [`Ralph promises: ${promises.map(({ promise }) => promise).join(' ')}`]),
      ].join(' '),
      evidence: [...broken.slice(0, 4).map(quoteCheck), ...quoteLog(evidence)],
      investigations: [
        ...(complaint === null ? [] : [complaint.search]),
        `Search Ralph's source for the code that ends a loop with ${reason}: what does it count, and what resets it?`,
        ...promises.map(({ source }) => `Read this place in Ralph's source: ${source}`),
      ],
    };
  },
} satisfies DiagnosisRule;

/** The loop was cut short, and nothing that went wrong before is known to have happened in an earlier iteration. */
const cutShortFirst: DiagnosisRule = {
  ...cutShort,
  find: (failure) => {
    // A prompt that is wrong was built before the loop ended.
    const isLater = orderChecks(failure).during.some(({ category }) => category === 'PromptContent');
    return isLater ? null : cutShort.find(failure);
  },
};

/** The loop ended for a reason that nothing in the scenario gives: before anything else is known to go wrong, and after. */
export const cutShortRules: Readonly<Record<'first' | 'later', readonly DiagnosisRule[]>> = {
  first: [cutShortFirst],
  later: [cutShort],
};

/** The loop ended as it should, with the wrong exit code. */
export const exitCodeRules: readonly DiagnosisRule[] = [exitCode];

/** The completion was said and not heard, by an agent whose answer is known. */
export const unheardRules: readonly DiagnosisRule[] = [promiseUnheard];

/** The completion was said and not heard, or heard and not said: more telling than anything that follows from it. */
export const terminationRules: readonly DiagnosisRule[] = [unheardPromise, undeclared];
