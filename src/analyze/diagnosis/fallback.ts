import { brokenOf, quoteCheck, quoteEnd } from '../../domain/diagnosis/clues.js';
import type { DiagnosisRule } from '../../domain/diagnosis/rule.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import { promiseOf } from '../../domain/evidence/facts.js';

/** What the words of `loop.terminate` mean, and what to look at. */
const REASONS: Readonly<Record<string, string>> = {
  max_iterations:
    'The loop reached its limit of iterations. ralph looks at the limit before it looks for the completion of that iteration.',
  max_runtime: 'The loop reached its limit of time.',
  max_cost: 'The loop reached its limit of cost.',
  consecutive_failures: 'The backend failed several times in a row.',
  loop_stale: 'The same event with the same payload came three times in a row.',
  loop_thrashing: 'Tasks were given up and taken up again.',
  validation_failure: 'Too many lines of the events file could not be read.',
  stopped: 'Somebody asked the loop to stop.',
  cancelled: 'The loop was cancelled by its cancellation event.',
  workspace_gone: 'The workspace was removed while the loop ran.',
  completed: 'The loop saw its completion where the scenario expects another end.',
};

const unexpectedEnd: DiagnosisRule = {
  name: 'unexpected-termination',
  type: 'UnexpectedTermination',
  blames: 'unknown',
  apply: (failure) => {
    const { evidence } = failure;
    const red = brokenOf(failure, 'TerminationReason', 'ExitCode', 'IterationCount');
    if (!evidence || red.length === 0) return null;
    const reason = evidence.termination?.reason;
    const isUndeclared = reason === 'max_iterations' && !declares(evidence);
    const meaning = reason === undefined ? undefined : REASONS[reason];
    return {
      // A loop that nobody declares complete runs to its limit: that is how it should be.
      blames: isUndeclared && red.some(({ kind }) => kind === 'completed') ? 'agent' : 'unknown',
      hypothesis:
        reason === undefined
          ? 'The target ended without recording why: it stopped before its loop came to an end.'
          : `The loop ended with "${reason}" where the scenario expects another end.${meaning ? ` ${meaning}` : ''}`,
      evidence: [
        ...red.map(quoteCheck),
        ...(reason === undefined ? quoteEnd(evidence.stderr) : []),
        ...quoteEnd(evidence.stdout, 2),
      ],
      investigations: [
        'Read the iterations in the context: in which one does the run leave the path that the scenario intends?',
      ],
      fixes: [],
    };
  },
};

/** Whether an agent said or emitted the word that ends the loop. */
function declares(evidence: Evidence): boolean {
  const promise = promiseOf(evidence);
  return (
    evidence.iterations.some(({ said }) => said.includes(promise)) ||
    evidence.events.some(({ topic, source }) => source === 'agent' && topic === promise)
  );
}

const leftBehind: DiagnosisRule = {
  name: 'process-left-behind',
  type: 'AssertionMismatch',
  blames: 'target',
  apply: (failure) => {
    const red = brokenOf(failure, 'Processes');
    if (!failure.evidence || red.length === 0 || failure.evidence.leftBehind.length === 0) return null;
    return {
      hypothesis: 'The target ended and left processes running. The harness has ended them.',
      evidence: [
        ...failure.evidence.leftBehind.slice(0, 5).map(({ pid, command }) => `process ${pid}: ${command}`),
        ...red.map(quoteCheck),
      ],
      investigations: ['Does the target wait for its backend, and end it, when it stops?'],
      fixes: [],
    };
  },
};

const mismatch: DiagnosisRule = {
  name: 'assertion-mismatch',
  type: 'AssertionMismatch',
  blames: 'target',
  apply: ({ broken }) =>
    broken.length === 0
      ? null
      : {
          hypothesis:
            'The target ran to its end, but what it left behind differs from what the scenario expects.',
          evidence: broken.slice(0, 6).map(quoteCheck),
          investigations: ['Compare expected and actual; the whole evidence is in the context.'],
          fixes: [],
        },
};

const unexplained: DiagnosisRule = {
  name: 'unexplained',
  type: 'Unknown',
  blames: 'unknown',
  apply: ({ attempt }) => ({
    hypothesis: 'The test did not pass, and none of the known patterns applies.',
    evidence: attempt.error === null ? [] : [attempt.error],
    investigations: [`Read the output in ${attempt.artifacts}.`],
    fixes: [],
  }),
};

/** What is left when no cause was found: how the loop ended, and differences. The last one always applies. */
export const fallbackRules: readonly DiagnosisRule[] = [unexpectedEnd, leftBehind, mismatch, unexplained];
