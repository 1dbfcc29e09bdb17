import type { DiagnosisRule } from '../../../domain/diagnosis/rule.js';
import { isFinished } from '../../../domain/evidence/facts.js';

const noTermination: DiagnosisRule = {
  name: 'no-termination-record',
  type: 'UnexpectedTermination',
  blames: 'target',
  hypothesis:
    'Ralph exits without a loop.terminate record in its events file, so nothing shows why its loops ended.',
  investigations: [
    "Read this place in Ralph's source: ralph-core/src/event_loop/mod.rs: publish_terminate_event",
  ],
  find: ({ evidence }) => {
    if (evidence?.exit.kind !== 'exited' || evidence.termination !== null) return null;
    if (evidence.iterations.length === 0) return null;
    return {
      areas: ['history'],
      evidence: [
        `exit code ${evidence.exit.code} after ${evidence.iterations.length} iterations, no loop.terminate`,
      ],
    };
  },
};

const noPrompts: DiagnosisRule = {
  name: 'no-prompts-recorded',
  type: 'AssertionMismatch',
  blames: 'target',
  hypothesis:
    'Ralph runs with RALPH_DIAGNOSTICS=1 and writes no prompts to .ralph/diagnostics, so nothing shows what the agents were sent.',
  investigations: ["Read this place in Ralph's source: ralph-core/src/diagnostics/mod.rs: log_prompt"],
  find: ({ evidence }) => {
    if (!evidence || evidence.iterations.length === 0) return null;
    if (evidence.iterations.some(({ prompt }) => prompt !== null)) return null;
    return {
      areas: ['diagnostics'],
      evidence: [`${evidence.iterations.length} iterations, none with a prompt in prompt-log.md`],
    };
  },
};

const strayEnd: DiagnosisRule = {
  name: 'end-of-unknown-iteration',
  type: 'AssertionMismatch',
  blames: 'target',
  investigations: ["Read this place in Ralph's source: ralph-cli/src/loop_runner.rs: log_iteration_summary"],
  find: ({ evidence }) => {
    const began = evidence?.iterations.filter(({ prompt, hat }) => prompt !== null || hat !== null) ?? [];
    const stray = evidence?.iterations.find((one) => isFinished(one) && !began.includes(one));
    const unended = began.find((one) => !isFinished(one));
    if (stray === undefined || unended === undefined) return null;
    return {
      areas: ['history'],
      hypothesis: `Ralph recorded the end of iteration ${stray.number}, which never began, and no end of iteration ${unended.number}: iteration.summary in the events file has the wrong number.`,
      evidence: [
        `iterations that began: ${began.map(({ number }) => number).join(', ')}`,
        `iterations with an iteration.summary: ${evidence?.iterations
          .filter(isFinished)
          .map(({ number }) => number)
          .join(', ')}`,
      ],
    };
  },
};

/** Ralph's records contradict each other. */
export const recordRules: readonly DiagnosisRule[] = [strayEnd];

/** One of the records that all checks depend on is missing. */
export const instrumentRules: readonly DiagnosisRule[] = [noTermination, noPrompts];
