import type { Check } from '../check.js';
import type { Evidence } from '../evidence/evidence.js';

/**
 * Checks that a recorded agent is sent what it had answered. The harness adds this check to a replay: the recorded answers
 * say nothing about another prompt.
 */
export function recordingFits(): Check {
  return {
    kind: 'recordingFits',
    name: 'the agent is sent what the recorded one was sent',
    category: 'Harness',
    judge: (evidence) => {
      const divergence = whereDiverged(evidence);
      return {
        passed: divergence === null,
        expected: 'the recorded prompts, and the recorded answers of Ralph to its commands',
        actual: divergence ?? 'the same, but for folders, ids and times',
        suggestion:
          'If the change is meant, record the test again with a live run. The recording cannot show whether it passes.',
      };
    },
  };
}

/** Says where a replay left its recording, or null if it did not. */
export function whereDiverged({ invocations }: Pick<Evidence, 'invocations'>): string | null {
  const diverged = invocations.find(({ outcome }) => outcome !== 'played' && outcome !== 'not-a-prompt');
  return diverged === undefined ? null : (diverged.detail ?? 'The prompt differs from the recorded one.');
}
