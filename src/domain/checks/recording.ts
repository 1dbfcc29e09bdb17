import type { Invocation } from '../agent-script.js';
import type { Check } from '../check.js';

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
export function whereDiverged({
  invocations,
}: {
  readonly invocations: readonly Pick<Invocation, 'outcome' | 'detail' | 'place'>[];
}): string | null {
  const diverged = invocations.find(({ outcome }) => outcome !== 'played' && outcome !== 'not-a-prompt');
  if (diverged !== undefined) return diverged.detail ?? 'The prompt differs from the recorded one.';
  const made = new Set(invocations.flatMap(({ place }) => (place?.kind === 'rule' ? [place.rule] : [])));
  const last = Math.max(-1, ...made);
  const missing = [...Array(last + 1).keys()].find((rule) => !made.has(rule));
  return missing === undefined
    ? null
    : `Ralph did not make the recorded call ${missing + 1}, but made call ${last + 1}.`;
}
