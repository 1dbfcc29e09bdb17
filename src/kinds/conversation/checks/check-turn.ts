import type { Check, Verdict } from '../../../domain/check.js';
import { list } from '../../../domain/checks/text.js';
import type { ConversationRecord, Turn } from '../../../domain/evidence/conversation.js';
import { describeOutcome } from '../session/outcome.js';

/** What a check has besides its kind and its category, and how it judges its subject. */
interface Judging<Subject> extends Pick<Check, 'name' | 'about' | 'judges'> {
  readonly judge: (subject: Subject) => Verdict;
}

/** Builds a check of a whole conversation. It fails on evidence of another kind of run. */
export function checkConversation(
  kind: string,
  category: Check['category'],
  { judge, ...described }: Judging<ConversationRecord>,
): Check {
  return {
    ...described,
    kind,
    category,
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
  kind: string,
  category: Check['category'],
  { judge, ...described }: Judging<Turn>,
): Check {
  return checkConversation(kind, category, {
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

/** Checks that the conversation made only allowed state transitions. The harness adds this check to every conversation. */
export function statesKept(): Check {
  return checkConversation('statesKept', 'Harness', {
    name: 'the conversation makes only allowed state transitions',
    judge: ({ illegalSteps, startError }) => ({
      passed: illegalSteps.length === 0 && startError === null,
      expected: 'no state transition that a conversation does not allow',
      actual: list(illegalSteps, startError ?? 'none'),
    }),
  });
}
