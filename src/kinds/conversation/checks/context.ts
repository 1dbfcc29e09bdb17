import type { Check } from '../../../domain/check.js';
import { list } from '../../../domain/checks/text.js';
import type { FileSeen, Finding } from '../../../domain/evidence/conversation.js';
import { checkConversation } from './check-turn.js';

/** Checks that the conversation has no findings of these kinds, or none at all if no kind is given. */
export function nothingOdd(...kinds: readonly Finding['kind'][]): Check {
  return checkConversation('nothingOdd', 'PromptEffectiveness', {
    name: `the conversation has no ${kinds.length === 0 ? '' : `${kinds.join(' or ')} `}findings`,
    about: { names: kinds },
    judge: ({ findings }) => {
      const odd = findings.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
      return {
        passed: odd.length === 0,
        expected: 'no such findings',
        actual: list(odd.map(describeFinding), 'no findings'),
      };
    },
  });
}

/** Checks that the harness has a finding of this kind in a turn, for scenarios about a confused agent. */
export function oddityFound(kind: Finding['kind'], turn: number): Check {
  return checkConversation('oddityFound', 'PromptEffectiveness', {
    name: `the harness finds ${kind} in turn ${turn}`,
    about: { turn, names: [kind] },
    judge: ({ findings }) => ({
      passed: findings.some((finding) => finding.kind === kind && finding.turn === turn),
      expected: `${kind} in turn ${turn}`,
      actual: list(findings.map(describeFinding), 'no findings'),
    }),
  });
}

const SEEN_AS: Readonly<Record<FileSeen['how'], string>> = {
  mentioned: 'brings up',
  read: 'reads',
  modified: 'changes',
};

/** Checks that a file came up in a turn: in its texts (`mentioned`), opened (`read`), or changed (`modified`). */
export function fileSeen(turn: number, path: string, how: FileSeen['how']): Check {
  return checkConversation('fileSeen', 'PromptEffectiveness', {
    judges: 'agent',
    name: `turn ${turn} ${SEEN_AS[how]} ${path}`,
    about: { turn, path, names: [how] },
    judge: ({ filesSeen = [] }) => {
      const here = filesSeen.filter((file) => file.turn === turn);
      return {
        passed: here.some((file) => file.path === path && file.how === how),
        expected: `${path}, ${how} in turn ${turn}`,
        actual: list(
          here.map((file) => `${file.path} (${file.how})`),
          `no file in turn ${turn}`,
        ),
      };
    },
  });
}

function describeFinding(finding: Finding): string {
  switch (finding.kind) {
    case 'unknown-file':
      return `turn ${finding.turn} mentions ${finding.path}, which ${finding.exists ? 'the agent has not seen' : 'does not exist'}`;
    case 'repeated-call':
    case 'repeated-error':
      return `turn ${finding.turn} calls ${finding.tool} ${finding.times} times${finding.kind === 'repeated-error' ? ' with the same error' : ' with no change in between'}`;
    case 'invalid-transition':
      return `turn ${finding.turn} goes from ${finding.from} to ${finding.to}, which the workflow does not allow`;
    default:
      return finding satisfies never;
  }
}

/** Checks that the dev server of the scenario ran until the end of the conversation, whatever the agent did to it. */
export function devServerRan(): Check {
  return checkConversation('devServerRan', 'Processes', {
    name: 'the dev server runs until the end of the conversation',
    judge: ({ devServer }) => ({
      passed: devServer !== undefined && devServer.endedEarly === null,
      expected: 'a dev server that runs until the end of the conversation',
      actual:
        devServer === undefined
          ? 'a conversation without a dev server'
          : devServer.endedEarly === null
            ? `${devServer.url} until the end`
            : `${devServer.url} until it ended: ${devServer.endedEarly}`,
    }),
  });
}
