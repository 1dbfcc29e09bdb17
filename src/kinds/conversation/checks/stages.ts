import type { Check } from '../../../domain/check.js';
import { aboutWanted, holds, list, show, type Wanted } from '../../../domain/checks/text.js';
import type { ConversationRecord, StageChange, StageProof } from '../../../domain/evidence/conversation.js';
import { checkConversation } from './check-turn.js';

/** Checks that the conversation reached a stage in the workflow, with proof. */
export function stageReached(
  stage: string,
  {
    turn,
    proof = 'observed',
    trigger,
  }: {
    /** The turn that reached it; any turn if left out. */
    readonly turn?: number;
    /** What must have led to it: a command such as `/agent-loop:plan`, or a pattern. */
    readonly trigger?: Wanted;
    /** The proof that is needed. By default `observed`: a stage that was only commanded or declared does not count. */
    readonly proof?: StageProof;
  } = {},
): Check {
  const when = turn === undefined ? '' : ` in turn ${turn}`;
  const why = trigger === undefined ? '' : ` because of ${show(trigger)}`;
  return checkConversation({
    kind: 'stageReached',
    name: `stage ${stage} is ${proof}${when}${why}`,
    about: { names: [stage], ...(turn === undefined ? {} : { turn }), ...aboutWanted(trigger) },
    category: 'PromptEffectiveness',
    judge: ({ stages }) => ({
      passed: stages.some(
        (change) =>
          change.to === stage &&
          change.proofs.includes(proof) &&
          (turn === undefined || change.turn === turn) &&
          (trigger === undefined || isTrigger(change.trigger, trigger)),
      ),
      expected: `stage ${stage} ${proof}${when}${why}`,
      actual: describeStages(stages),
    }),
  });
}

/** Checks that the workflow went through exactly these stages, in this order. */
export function stagesWere(...expected: readonly string[]): Check {
  return checkConversation({
    kind: 'stagesWere',
    name: `the stages are ${expected.join(' → ')}`,
    about: { names: expected },
    category: 'PromptEffectiveness',
    judge: ({ stages }) => {
      const [first] = stages;
      const went = first === undefined ? [] : [first.from, ...stages.map(({ to }) => to)];
      return {
        passed: went.join(' ') === expected.join(' '),
        expected: expected.join(' → '),
        actual: went.join(' → ') || 'no stage was reached',
      };
    },
  });
}

/** Checks that every step between stages is one that the workflow allows. Fails if no stage was reached. */
export function noStageSkipped(): Check {
  return checkConversation({
    kind: 'noStageSkipped',
    name: 'no stage is skipped',
    category: 'PromptEffectiveness',
    judge: ({ stages }) => ({
      passed: stages.length > 0 && stages.every(({ valid }) => valid),
      expected: 'only steps that the workflow allows',
      actual: describeStages(stages),
    }),
  });
}

/** Checks that the conversation never reached a stage, whatever the proof. */
export function stageNotReached(stage: string): Check {
  return checkConversation({
    kind: 'stageNotReached',
    name: `stage ${stage} is not reached`,
    about: { names: [stage] },
    category: 'PromptEffectiveness',
    judge: ({ stages }: ConversationRecord) => ({
      passed: stages.every(({ to }) => to !== stage),
      expected: `no step to ${stage}`,
      actual: describeStages(stages),
    }),
  });
}

/** A literal trigger must be the whole one: `/plan` is not `/planning`. */
function isTrigger(found: string, wanted: Wanted): boolean {
  return typeof wanted === 'string' ? found === wanted : holds(found, wanted);
}

function describeStages(stages: readonly StageChange[]): string {
  return list(
    stages.map(
      ({ turn, from, to, trigger, proofs, valid }) =>
        `turn ${turn}: ${from} → ${to} (${trigger}; ${list(proofs, 'no proof')}${valid ? '' : ', not allowed'})`,
    ),
    'no stage was reached',
  );
}
