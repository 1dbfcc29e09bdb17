import { brokenOf, quoteCheck, quoteEnd } from '../../domain/diagnosis/clues.js';
import type { DiagnosisRule } from '../../domain/diagnosis/rule.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import { promiseOf } from '../../domain/evidence/facts.js';
import type { EndReason } from '../../domain/evidence/ralph-words.js';

/** What the reasons in `loop.terminate` mean. */
const REASONS: Readonly<Partial<Record<string, string>>> = {
  max_iterations:
    'The loop reached its iteration limit. Ralph checks the limit before it looks for completion in that iteration.',
  max_runtime: 'The loop reached its time limit.',
  max_cost: 'The loop reached its cost limit.',
  consecutive_failures: 'The backend failed several times in a row.',
  loop_stale: 'The same event with the same payload came three times in a row.',
  loop_thrashing: 'Tasks were abandoned and picked up again.',
  validation_failure: 'Too many lines of the events file were unreadable.',
  stopped: 'Somebody asked the loop to stop.',
  cancelled: 'The cancellation event ended the loop.',
  workspace_gone: 'The workspace was removed while the loop ran.',
} satisfies Partial<Record<EndReason, string>>;

const unexpectedEnd: DiagnosisRule = {
  name: 'unexpected-termination',
  type: 'UnexpectedTermination',
  blames: 'unknown',
  investigations: [
    'Read the iterations in the context: which one first differs from what the scenario intends?',
  ],
  find: (failure) => {
    const { evidence } = failure;
    const red = brokenOf(failure, 'TerminationReason', 'ExitCode', 'IterationCount');
    if (!evidence || red.length === 0) return null;
    const reason = evidence.termination?.reason;
    const isUndeclared = reason === 'max_iterations' && !declares(evidence);
    const meaning = reason === undefined ? undefined : REASONS[reason];
    return {
      // A loop that no agent declares complete correctly runs to its limit.
      blames: isUndeclared && red.some(({ kind }) => kind === 'completed') ? 'agent' : 'unknown',
      hypothesis:
        reason === undefined
          ? 'The target exited without recording why: it stopped before its loop ended.'
          : `The loop ended with "${reason}", but the scenario expects another end.${meaning ? ` ${meaning}` : ''}`,
      evidence: [
        ...red.map(quoteCheck),
        ...(reason === undefined ? quoteEnd(evidence.stderr) : []),
        ...quoteEnd(evidence.stdout, 2),
      ],
    };
  },
};

/** Whether an agent said or emitted the completion promise. */
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
  hypothesis: 'The target exited and left processes running. The harness ended them.',
  investigations: ['Does the target wait for its backend, or end it, when it stops?'],
  find: (failure) => {
    const red = brokenOf(failure, 'Processes');
    if (!failure.evidence || red.length === 0 || failure.evidence.leftBehind.length === 0) return null;
    return [
      ...failure.evidence.leftBehind.slice(0, 5).map(({ pid, command }) => `process ${pid}: ${command}`),
      ...red.map(quoteCheck),
    ];
  },
};

const mismatch: DiagnosisRule = {
  name: 'assertion-mismatch',
  type: 'AssertionMismatch',
  blames: 'target',
  hypothesis: 'The target ran to its end, but what it left behind differs from what the scenario expects.',
  investigations: ['Compare expected and actual; the whole evidence is in the context.'],
  find: ({ broken }) => (broken.length === 0 ? null : broken.slice(0, 6).map(quoteCheck)),
};

const unexplained: DiagnosisRule = {
  name: 'unexplained',
  type: 'Unknown',
  blames: 'unknown',
  hypothesis: 'The test did not pass, and none of the known patterns applies.',
  find: ({ attempt }) => ({
    evidence: attempt.error === null ? [] : [attempt.error],
    investigations: [`Read the output in ${attempt.artifacts}.`],
  }),
};

/** Rules for failures without a known cause: how the loop ended, and differences. The last one always applies. */
export const fallbackRules: readonly DiagnosisRule[] = [unexpectedEnd, leftBehind, mismatch, unexplained];
