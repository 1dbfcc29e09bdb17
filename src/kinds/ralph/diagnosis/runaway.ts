import type { CheckResult } from '../../../domain/check.js';
import { goesOn, hatsOf } from '../../../domain/diagnosis/check-facts.js';
import { brokenOf, quoteCheck } from '../../../domain/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../../domain/diagnosis/rule.js';
import type { Evidence, Iteration } from '../../../domain/evidence/evidence.js';
import { countFinished, promiseOf } from '../../../domain/evidence/facts.js';

const endedEarly: DiagnosisRule = {
  name: 'ended-early',
  type: 'UnexpectedTermination',
  blames: 'target',
  hypothesis: 'The target granted the completion where the loop should have gone on.',
  investigations: ['What should have held it back: required_events, open tasks, or the option persistent?'],
  find: ({ broken, evidence }) => {
    if (evidence?.termination?.reason !== 'completed') return null;
    const red = broken.filter(
      (check) => check.kind === 'terminatedBecause' || endedBeforeLastHat(check, evidence),
    );
    if (red.length === 0) return null;
    return red.map(quoteCheck);
  },
};

/** The hats had their turns in the right order, and the last ones had none. */
function endedBeforeLastHat(check: CheckResult, evidence: Evidence): boolean {
  const hats = hatsOf(check, evidence);
  return hats !== null && hats.wanted.length > hats.worn.length && goesOn(hats.wanted, hats.worn);
}

const endedWithOpenTasks: DiagnosisRule = {
  name: 'completed-with-open-tasks',
  type: 'UnexpectedTermination',
  blames: 'target',
  hypothesis: 'The target granted the completion although tasks of this loop were open.',
  investigations: ['Do the open tasks belong to this loop?'],
  fixes: [fix('Correct how open tasks hold back the completion', 0.6)],
  find: ({ broken, evidence }) => {
    if (evidence?.termination?.reason !== 'completed') return null;
    const open = evidence.tasks.filter(({ status }) => status === 'open' || status === 'in_progress');
    const fewer = broken.filter((check) => isTooFew(check, evidence));
    if (open.length === 0 || fewer.length === 0) return null;
    return [
      ...fewer.map(quoteCheck),
      ...open.slice(0, 4).map(({ title, status }) => `task "${title}" is ${status}`),
    ];
  },
};

const limitTooEarly: DiagnosisRule = {
  name: 'limit-reached-early',
  type: 'UnexpectedTermination',
  blames: 'target',
  investigations: ['Which limit does the configuration set, and from where on does the target count?'],
  fixes: [fix('Correct the limit', 0.4, 'ralph.yml')],
  find: (failure) => {
    const { evidence } = failure;
    const reason = evidence?.termination?.reason ?? 'completed';
    if (!evidence || reason === 'completed') return null;
    const red = failure.broken.filter((check) => isTooFew(check, evidence));
    if (red.length === 0) return null;
    if (brokenOf(failure, 'TerminationReason').length > 0) return null;
    return {
      hypothesis: `The loop ended for the expected reason (${reason}), but after fewer iterations than expected.`,
      evidence: red.map(quoteCheck),
    };
  },
};

/** Whether the loop took fewer iterations than the check asks for. */
function isTooFew({ kind, about }: CheckResult, evidence: Evidence): boolean {
  const limit = COUNTS.has(kind) ? about?.limit : undefined;
  return limit !== undefined && countFinished(evidence) < limit;
}

const COUNTS: ReadonlySet<string> = new Set(['iterationCount', 'iterationsAtLeast']);

const outputCut: DiagnosisRule = {
  name: 'output-cut',
  type: 'UnexpectedTermination',
  blames: 'target',
  hypothesis:
    'What the backend printed did not arrive whole: the target lost its end, and the completion with it.',
  investigations: ['How much of the output does the target read, and from which side does it cut?'],
  fixes: [fix('Correct how the target reads the output of its backend', 0.5)],
  find: (failure) => {
    const red = failure.broken.filter(({ kind }) => kind === 'printedAtLeast');
    const ended = brokenOf(failure, 'TerminationReason');
    if (red.length === 0 || ended.length === 0) return null;
    return [...red, ...ended].map(quoteCheck);
  },
};

const wokenTooOften: DiagnosisRule = {
  name: 'hat-woken-too-often',
  type: 'UnexpectedTermination',
  blames: 'target',
  hypothesis: 'The same hat was woken again and again, until a limit of the loop ended it.',
  investigations: [
    'Does the configuration limit the activations of the hat, and does the target count them?',
  ],
  fixes: [fix('Set the limit of the hat', 0.4, 'ralph.yml', 'hats.<id>.max_activations')],
  find: (failure) => {
    const red = failure.broken.filter(
      ({ kind, about }) =>
        kind === 'toldTimes' ||
        (kind === 'publishedByRalph' && about?.topic?.endsWith('.exhausted') === true),
    );
    const ended = brokenOf(failure, 'TerminationReason');
    if (red.length === 0 || ended.length === 0) return null;
    return [...red, ...ended].map(quoteCheck);
  },
};

/** What may have kept the agent from the end: then its silence follows from that. */
const UPSTREAM: ReadonlySet<string> = new Set([
  'promptContained',
  'memoryInjected',
  'memoryStored',
  'pendingEvents',
  'pendingAfter',
  'toldOnlyTo',
  'taskIs',
]);

const neverDeclared: DiagnosisRule = {
  name: 'never-declared',
  type: 'UnexpectedTermination',
  blames: 'agent',
  investigations: ['Does the prompt that the agent received say how completion is declared?'],
  fixes: [fix('Ask for the promise alone on the last line', 0.6, 'ralph.yml')],
  find: (failure) => {
    const { evidence } = failure;
    const red = brokenOf(failure, 'TerminationReason').filter(({ kind }) => kind === 'completed');
    if (!evidence || red.length === 0 || evidence.termination?.reason !== 'max_iterations') return null;
    if (brokenOf(failure, 'EventEmitted', 'EventPayload').length > 0) return null;
    if (failure.broken.some(({ kind }) => UPSTREAM.has(kind))) return null;
    const promise = promiseOf(evidence);
    const worked = evidence.iterations.filter(({ toolCalls }) => toolCalls.length > 0);
    const [first] = worked;
    const again = worked.filter((one) => one !== first && callsOf(one) === callsOf(first));
    const declared = evidence.iterations.some(({ said }) => said.includes(promise));
    if (declared || again.length === 0) return null;
    return {
      hypothesis: `The agent did its work again and again and never said ${promise}: the loop ran on to its limit.`,
      evidence: [
        ...red.map(quoteCheck),
        `the same tool calls in iterations ${[first, ...again].map((one) => one?.number).join(', ')}`,
      ],
    };
  },
};

function callsOf(iteration: Iteration | undefined): string {
  return JSON.stringify(iteration?.toolCalls.map(({ name, input }) => [name, input]));
}

/** The loop itself shows what is wrong, whatever the prompts and events look like after that. */
export const runawayRules: readonly DiagnosisRule[] = [
  outputCut,
  wokenTooOften,
  endedEarly,
  endedWithOpenTasks,
  limitTooEarly,
  neverDeclared,
];
