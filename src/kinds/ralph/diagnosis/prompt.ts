import type { CheckResult } from '../../../domain/check.js';
import type { HeldPromise } from '../../../domain/contract.js';
import { emissionOf, wordingOf } from '../../../domain/diagnosis/check-facts.js';
import {
  brokenOf,
  type Case,
  emittedTopics,
  LAST_CATEGORIES,
  PENDING_KINDS,
  quoteCheck,
  ROUTING_KINDS,
  wasReached,
} from '../../../domain/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../../domain/diagnosis/rule.js';
import type { Evidence } from '../../../domain/evidence/evidence.js';
import { hatInstructions } from './basis/prompts.js';
import { hatsWithoutInstructions, lacksObjective } from './config-clues.js';
import { orderChecks } from './promise/order.js';

/** What a prompt without the objective breaks. */
export const OBJECTIVE = {
  area: 'prompt',
  promise: 'Every prompt has the objective word for word, with a hat and without, in every iteration.',
  source: 'ralph-core/src/hatless_ralph.rs: objective_section',
} as const satisfies HeldPromise;

const bareHat = {
  name: 'prompt-lacks-hat-or-objective',
  type: 'PromptIneffective',
  blames: 'target',
  investigations: ['Read the prompts of the iterations in the context: which section is missing?'],
  find: (failure: Case) => {
    const { evidence } = failure;
    if (!evidence) return null;
    const bare = hatsWithoutInstructions(evidence);
    const lacking = lacksObjective(evidence);
    if (bare.length === 0 && !lacking) return null;
    return {
      promises: [...(lacking ? [OBJECTIVE] : []), ...(bare.length > 0 ? [hatInstructions.promise] : [])],
      hypothesis: `The prompts lack ${lacking ? 'what Ralph was given to do' : 'the instructions that the configuration gives the hats'}: the fault is in how Ralph builds them, not in the agent.`,
      evidence: [
        ...bare
          .slice(0, 4)
          .map((hat) => `no prompt of hat ${hat} has the instructions of that hat in ralph.yml`),
        ...(lacking
          ? ['iteration 1: the prompt that was sent does not contain the prompt that the target was given']
          : []),
        ...failure.broken.slice(0, 4).map(quoteCheck),
      ],
      fixes: [fix('Correct how the prompt is built', 0.8, promptBuilder(failure))],
    };
  },
} satisfies DiagnosisRule;

/** What an agent does of itself. It follows from the prompt. */
const DEEDS: ReadonlySet<string> = new Set(['agentSaid', 'saidInOrder', 'toolUsed', 'eventEmitted']);

/** The first thing that went wrong is that the agent did not do its work, and its prompt lacks the work. */
const bareAgent: DiagnosisRule = {
  ...bareHat,
  find: (failure) => {
    const [lead] = orderChecks(failure).during;
    return lead !== undefined && DEEDS.has(lead.kind) ? bareHat.find(failure) : null;
  },
};

/** Checks that are red when a prompt holds what it should not. */
const HOLDS_TOO_MUCH: ReadonlySet<string> = new Set([
  'promptLacked',
  'keptOutOfPrompt',
  'noMemoriesInjected',
]);

const promptIncomplete: DiagnosisRule = {
  name: 'prompt-lacks-instructions',
  type: 'PromptIneffective',
  blames: 'target',
  hypothesis:
    'The target did not send the agent what it should have: the fault is in how the prompt is built, not in the agent.',
  investigations: [
    'Read the prompts of the iterations in the context: which section is missing?',
    'Is the text in ralph.yml, and is the hat active in that iteration?',
  ],
  find: (failure) => {
    const { evidence } = failure;
    if (!evidence) return null;
    // Which hat has its turn, and which events are pending, are questions of their own.
    const red = brokenOf(failure, 'PromptContent').filter(
      (check) =>
        check.kind === 'toldOnlyTo' ||
        (!ROUTING_KINDS.has(check.kind) &&
          !PENDING_KINDS.has(check.kind) &&
          !HOLDS_TOO_MUCH.has(check.kind) &&
          wasReached(check, evidence) &&
          !isAboutEvent(check)),
    );
    if (red.length === 0 || followsPayload(failure, evidence)) return null;
    return {
      evidence: red.slice(0, 6).map(quoteCheck),
      fixes: [fix('Correct how the prompt is built', 0.7, promptBuilder(failure))],
    };
  },
};

const promptTooLong: DiagnosisRule = {
  name: 'prompt-holds-too-much',
  type: 'AssertionMismatch',
  blames: 'target',
  hypothesis: 'The prompt that the agent was sent holds what it should not.',
  investigations: ['Where does the text come from: an earlier run, the configuration, or the prompt file?'],
  find: (failure) => {
    const red = failure.broken.filter((check) => check.kind === 'promptLacked' && !isAboutEvent(check));
    if (red.length === 0 || red.length < failure.broken.length) return null;
    return {
      evidence: red.map(quoteCheck),
      fixes: [fix('Correct how the prompt is built', 0.5, promptBuilder(failure))],
    };
  },
};

/** Where the first thing that went wrong is the payload of an event, later prompts differ because of it. */
function followsPayload({ broken }: Case, evidence: Evidence): boolean {
  const first = broken.find(({ category }) => !LAST_CATEGORIES.has(category));
  if (first?.category !== 'EventPayload') return false;
  const topic = emissionOf(first);
  return topic !== null && emittedTopics(evidence).includes(topic);
}

/** An event that a prompt should announce has a cause of its own: it was not emitted, or not handed on. */
function isAboutEvent(check: CheckResult): boolean {
  return /Event: \S+/.test(wordingOf(check));
}

const parroted: DiagnosisRule = {
  name: 'agent-repeats-its-prompt',
  type: 'PromptIneffective',
  blames: 'agent',
  hypothesis:
    'The agent printed its prompt instead of working on it: the backend is not a real agent, or it is called in a wrong way.',
  investigations: ['Which executable is it that answers? See the backends at the top.'],
  find: (failure) => {
    const { evidence } = failure;
    const echo = evidence?.iterations.find(
      ({ prompt, said }) => prompt !== null && prompt.trim().length > 80 && said.includes(prompt.trim()),
    );
    if (!echo || failure.broken.length === 0) return null;
    return [
      `iteration ${echo.number}: the answer contains the whole prompt`,
      ...failure.broken.slice(0, 4).map(quoteCheck),
    ];
  },
};

function promptBuilder({ run }: Case): string | null {
  return run.target.kind === 'real' ? 'crates/ralph-core/src/hatless_ralph.rs' : null;
}

/** The agent got the wrong prompt, or is no agent: that explains missing events and an odd end as well. */
export const promptRules: readonly DiagnosisRule[] = [promptIncomplete, promptTooLong, parroted];

/** The plainest fault of a prompt: what the configuration says stands in none. */
export const bareRules: readonly DiagnosisRule[] = [bareHat];

/** The same, if that explains why the agent did nothing. */
export const bareAgentRules: readonly DiagnosisRule[] = [bareAgent];
