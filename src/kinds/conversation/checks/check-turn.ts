import type { Check, Verdict } from '../../../domain/check.js';
import type { ConversationRecord, Turn } from '../../../domain/evidence/conversation.js';
import { describeOutcome } from '../session/outcome.js';

type Described = Pick<Check, 'kind' | 'name' | 'category' | 'about'>;

/** Builds a check of a whole conversation. It fails on evidence of another kind of run. */
export function checkConversation(
  check: Described & { readonly judge: (conversation: ConversationRecord) => Verdict },
): Check {
  const { judge, ...described } = check;
  return {
    ...described,
    judge: ({ conversation }) => {
      if (conversation === undefined) {
        return { passed: false, expected: 'a conversation', actual: 'a run of another kind' };
      }
      const verdict = judge(conversation);
      const { startError } = conversation;
      if (verdict.passed || startError === null) return verdict;
      return { ...verdict, actual: `${verdict.actual} (the CLI did not start: ${startError})` };
    },
  };
}

/** Builds a check of one turn and adds the turn to its facts. It fails if the turn did not take place. */
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
