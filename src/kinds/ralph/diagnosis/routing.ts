import type { CheckResult } from '../../../domain/check.js';
import { emissionOf, goesOn, hatsOf } from '../../../domain/diagnosis/check-facts.js';
import {
  brokenOf,
  type Case,
  emittedTopics,
  quoteCheck,
  ROUTING_KINDS,
  wasReached,
} from '../../../domain/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../../domain/diagnosis/rule.js';
import type { Evidence } from '../../../domain/evidence/evidence.js';
import { countFinished } from '../../../domain/evidence/facts.js';
import { misroutedTurns, publisherHadTurn } from './config-clues.js';

const wrongHat: DiagnosisRule = {
  name: 'wrong-hat-active',
  type: 'AssertionMismatch',
  blames: 'target',
  hypothesis:
    'The event that should have made the hat active was routed elsewhere, or came at another time, or the hat ran on another backend than its own.',
  investigations: [
    'Which hats have a trigger that matches the event? Of several, ralph takes the first by id.',
    'A topic that ends in .start is ignored when another event is pending.',
  ],
  find: (failure) => {
    const { evidence } = failure;
    if (!evidence) return null;
    const red = failure.broken.filter(
      (check) =>
        ROUTING_KINDS.has(check.kind) &&
        check.kind !== 'toldOnlyTo' &&
        !follows(check, evidence) &&
        wasReached(check, evidence),
    );
    const misrouted = misroutedTurns(evidence);
    if (misrouted.length === 0 && (red.length === 0 || isExplainedByEvent(failure, evidence))) return null;
    return {
      evidence: [
        ...red.slice(0, 4).map(quoteCheck),
        ...misrouted
          .slice(0, 3)
          .map(
            ({ number, hat, topic }) =>
              `iteration ${number}: ${topic} was pending, and ${hat}, which does not wait for it, had the turn`,
          ),
        `hats of the iterations: ${evidence.iterations.map(({ hat }) => hat ?? 'unknown').join(', ')}`,
      ],
      fixes: [
        fix('Correct the triggers of the hat', 0.4, 'ralph.yml'),
        fix('Correct how the target routes events', 0.4, routerOf(failure)),
      ],
    };
  },
};

/** A hat that is not called has no turn: an event that its predecessor did not publish, or not so, explains that. */
function isExplainedByEvent(failure: Case, evidence: Evidence): boolean {
  const emitted = emittedTopics(evidence);
  // Nothing precedes the first turn but the starting event.
  if (failure.broken.some((check) => isWrongFromStart(check, evidence))) return false;
  const stuck = brokenOf(failure, 'TerminationReason').length > 0;
  if (stuck && failure.broken.some(({ kind }) => kind === 'publishedByRalph')) return true;
  return failure.broken.some((check) => {
    const topic = emissionOf(check);
    if (topic === null) return false;
    return emitted.includes(topic) ? check.category === 'EventPayload' : publisherHadTurn(topic, evidence);
  });
}

function isWrongFromStart(check: CheckResult, evidence: Evidence): boolean {
  if (check.kind === 'hatActive') return check.about?.iteration === 1;
  const hats = hatsOf(check, evidence);
  return hats !== null && hats.wanted[0] !== hats.worn[0];
}

/** Hats in the right order, but more or fewer of them: the loop went on, or ended early. That is another question. */
function follows(check: CheckResult, evidence: Evidence): boolean {
  if (check.kind === 'toldTimes') return true;
  const hats = hatsOf(check, evidence);
  return hats !== null && (goesOn(hats.worn, hats.wanted) || goesOn(hats.wanted, hats.worn));
}

function routerOf({ run }: Case): string | null {
  return run.target.kind === 'real' ? 'crates/ralph-core/src/event_loop/mod.rs' : null;
}

const notContinued: DiagnosisRule = {
  name: 'session-not-continued',
  type: 'AssertionMismatch',
  blames: 'target',
  hypothesis: 'The run did not go on where the earlier session ended, or there was nothing to go on from.',
  investigations: [
    'Was the earlier session cut short? Its records are in the errands of the evidence.',
    'Does the command of the context say --continue?',
  ],
  find: ({ broken }) => {
    const red = broken.filter(({ kind }) => kind === 'countsOnFrom' || kind === 'earlierSessionEnded');
    if (red.length === 0) return null;
    return red.map(quoteCheck);
  },
};

const overtime: DiagnosisRule = {
  name: 'more-iterations-than-needed',
  type: 'PromptIneffective',
  blames: 'agent',
  hypothesis: 'Everything was done in the end, but the agent took more iterations than the work needs.',
  investigations: ['Read what the agent did in each iteration: which one brought nothing forward?'],
  fixes: [fix('Say that the work is to begin at once, and when it is done', 0.5, 'ralph.yml')],
  find: (failure) => {
    const { evidence, broken } = failure;
    const red = brokenOf(failure, 'IterationCount').filter(
      ({ kind }) => kind === 'iterationCount' || kind === 'iterationsAtMost',
    );
    // What was to be sent or said in a certain iteration came one later.
    const shifted = brokenOf(failure, 'PromptContent', 'OutputContains').filter(
      ({ about }) => about?.iteration !== undefined,
    );
    if (!evidence || red.length === 0 || red.length + shifted.length < broken.length) return null;
    // Who has the first turn is not the agent's choice.
    if (broken.some((check) => isWrongFromStart(check, evidence))) return null;
    if (evidence.termination?.reason !== 'completed' || !red.every((check) => isTooMany(check, evidence)))
      return null;
    if (shifted.length > 0 && evidence.iterations[0]?.toolCalls.length !== 0) return null;
    const first =
      evidence.iterations.find(({ toolCalls }) => toolCalls.length === 0) ?? evidence.iterations[0];
    return [
      ...red.map(quoteCheck),
      ...(first ? [`iteration ${first.number}, the agent said: ${first.said.trim().slice(0, 200)}`] : []),
    ];
  },
};

/** Whether the loop took more iterations than the check allows. */
function isTooMany({ about }: CheckResult, evidence: Evidence): boolean {
  return about?.limit !== undefined && countFinished(evidence) > about.limit;
}

/** Who had a turn, and how many there were. */
export const routingRules: readonly DiagnosisRule[] = [notContinued, wrongHat];

/** Nothing else is wrong: the way there was too long. */
export const paceRules: readonly DiagnosisRule[] = [overtime];
