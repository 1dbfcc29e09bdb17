import type { DiagnosisRule } from '../../../domain/diagnosis/rule.js';

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

/** One of the records that all checks depend on is missing. */
export const instrumentRules: readonly DiagnosisRule[] = [noTermination, noPrompts];
