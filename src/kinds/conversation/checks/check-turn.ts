import type { Check, Verdict } from '../../../domain/check.js';
import type { ConversationRecord, Turn } from '../../../domain/evidence/conversation.js';
import { describeOutcome } from '../session/describe-outcome.js';

type Described = Pick<Check, 'kind' | 'name' | 'category' | 'about'>;

/** A check on a whole conversation. Evidence of another kind of run fails it. */
export function checkConversation(
  check: Described & { readonly judge: (conversation: ConversationRecord) => Verdict },
): Check {
  const { judge, ...described } = check;
  return {
    ...described,
    judge: ({ conversation }) => {
      if (conversation === undefined) {
        return { passed: false, expected: 'a conversation', actual: 'a run that was none' };
      }
      const verdict = judge(conversation);
      const { startError } = conversation;
      if (verdict.passed || startError === null) return verdict;
      return { ...verdict, actual: `${verdict.actual} (the CLI did not start: ${startError})` };
    },
  };
}

/** A check on one turn, which is one of its facts. A turn that never took place fails it. */
export function checkTurn(
  number: number,
  check: Described & { readonly judge: (turn: Turn) => Verdict },
): Check {
  const { judge, ...described } = check;
  return checkConversation({
    ...described,
    about: { ...described.about, turn: number },
    judge: ({ turns, planned }) => {
      const turn = turns.find((candidate) => candidate.number === number);
      if (turn !== undefined) return judge(turn);
      const last = turns.at(-1);
      return {
        passed: false,
        expected: `turn ${number} of ${planned}`,
        actual:
          last === undefined
            ? 'no turn took place'
            : `the conversation ended after turn ${last.number}: ${describeOutcome(last.outcome)}`,
      };
    },
  });
}
