import type { Check } from '../../../domain/check.js';
import { list } from '../../../domain/checks/text.js';
import type { Finding } from '../../../domain/evidence/conversation.js';
import { checkConversation } from './check-turn.js';

/** The conversation shows none of these oddities: files out of the blue, calls repeated in confusion, stages skipped. */
export function nothingOdd(...kinds: readonly Finding['kind'][]): Check {
  return checkConversation({
    kind: 'nothingOdd',
    name: `the agent is not confused (${list(kinds, 'no finding at all')})`,
    about: { names: kinds },
    category: 'PromptEffectiveness',
    judge: ({ findings }) => {
      const odd = findings.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
      return {
        passed: odd.length === 0,
        expected: 'no such finding',
        actual: list(odd.map(describeFinding), 'no finding'),
      };
    },
  });
}

/** The harness notices an oddity: for scenarios about an agent that goes astray. */
export function oddityFound(kind: Finding['kind'], turn: number): Check {
  return checkConversation({
    kind: 'oddityFound',
    name: `in turn ${turn} the harness finds: ${kind}`,
    about: { turn, names: [kind] },
    category: 'PromptEffectiveness',
    judge: ({ findings }) => ({
      passed: findings.some((finding) => finding.kind === kind && finding.turn === turn),
      expected: `${kind} in turn ${turn}`,
      actual: list(findings.map(describeFinding), 'no finding'),
    }),
  });
}

/** The CLI went only through states that a conversation has. Every conversation is held to this. */
export function statesKept(): Check {
  return checkConversation({
    kind: 'statesKept',
    name: 'the conversation goes only through states that it has',
    category: 'Harness',
    judge: ({ illegalSteps, startError }) => ({
      passed: illegalSteps.length === 0 && startError === null,
      expected: 'no step that the states of a conversation do not foresee',
      actual: list(illegalSteps, startError ?? 'none'),
    }),
  });
}

function describeFinding(finding: Finding): string {
  switch (finding.kind) {
    case 'unknown-file':
      return `turn ${finding.turn} speaks of ${finding.path}, which it ${finding.exists ? 'has not seen' : 'cannot know: there is no such file'}`;
    case 'repeated-call':
    case 'repeated-error':
      return `turn ${finding.turn}: ${finding.tool} ${finding.times} times${finding.kind === 'repeated-error' ? ' with the same error' : ' with nothing changed in between'}`;
    case 'invalid-transition':
      return `turn ${finding.turn}: from ${finding.from} to ${finding.to}, which the workflow does not allow`;
    default:
      return finding satisfies never;
  }
}
