/** One step through a hat collection: the hat that works, and the event that it publishes. */
export type Leg = readonly [hat: string, publishes: string];

/** A hat collection that Ralph carries, and the ways through it. */
export interface Preset {
  /** The event with which the loop starts. */
  readonly starts: string;
  /** The word with which the last hat ends the loop. */
  readonly promise: string;
  /** The events without which the loop must not complete. */
  readonly requires: readonly string[];
  /** The way through if all goes well, up to the promise. */
  readonly happy: readonly Leg[];
  /** The ways through that reject the work and do it again, by what goes wrong. */
  readonly detours: Readonly<Record<string, readonly Leg[]>>;
}

/** Every collection in the `ralph` binary, including those that `ralph init --list-presets` does not list. */
export const PRESETS = {
  autoresearch: {
    starts: 'experiment.start',
    promise: 'LOOP_COMPLETE',
    requires: ['experiment.scored', 'experiment.evaluated'],
    happy: [
      ['strategist', 'experiment.planned'],
      ['implementer', 'experiment.ready'],
      ['benchmarker', 'experiment.measured'],
      ['judge', 'experiment.scored'],
      ['evaluator', 'experiment.evaluated'],
      ['strategist', 'LOOP_COMPLETE'],
    ],
    detours: {
      blocked: [
        ['strategist', 'experiment.planned'],
        ['implementer', 'experiment.blocked'],
        ['strategist', 'experiment.planned'],
        ['implementer', 'experiment.ready'],
        ['benchmarker', 'experiment.measured'],
        ['judge', 'experiment.scored'],
        ['evaluator', 'experiment.evaluated'],
        ['strategist', 'experiment.planned'],
        ['implementer', 'experiment.ready'],
        ['benchmarker', 'experiment.measured'],
        ['judge', 'experiment.scored'],
        ['evaluator', 'LOOP_COMPLETE'],
      ],
    },
  },
  'code-assist': {
    starts: 'build.start',
    promise: 'LOOP_COMPLETE',
    requires: ['review.passed'],
    happy: [
      ['planner', 'tasks.ready'],
      ['builder', 'review.ready'],
      ['critic', 'review.passed'],
      ['finalizer', 'LOOP_COMPLETE'],
    ],
    detours: {
      rejected: [
        ['planner', 'tasks.ready'],
        ['builder', 'review.ready'],
        ['critic', 'review.rejected'],
        ['builder', 'review.ready'],
        ['critic', 'review.passed'],
        ['finalizer', 'LOOP_COMPLETE'],
      ],
      unfinished: [
        ['planner', 'tasks.ready'],
        ['builder', 'review.ready'],
        ['critic', 'review.passed'],
        ['finalizer', 'finalization.failed'],
        ['builder', 'review.ready'],
        ['critic', 'review.passed'],
        ['finalizer', 'queue.advance'],
        ['planner', 'tasks.ready'],
        ['builder', 'review.ready'],
        ['critic', 'review.passed'],
        ['finalizer', 'LOOP_COMPLETE'],
      ],
      'build-blocked': [
        ['planner', 'tasks.ready'],
        ['builder', 'build.blocked'],
        ['ralph', 'tasks.ready'],
        ['builder', 'review.ready'],
        ['critic', 'review.passed'],
        ['finalizer', 'LOOP_COMPLETE'],
      ],
    },
  },
  debug: {
    starts: 'debug.start',
    promise: 'DEBUG_COMPLETE',
    requires: ['hypothesis.test', 'hypothesis.confirmed', 'fix.applied', 'fix.verified'],
    happy: [
      ['investigator', 'hypothesis.test'],
      ['tester', 'hypothesis.confirmed'],
      ['investigator', 'fix.propose'],
      ['fixer', 'fix.applied'],
      ['verifier', 'fix.verified'],
      ['investigator', 'DEBUG_COMPLETE'],
    ],
    detours: {
      'wrong-hypothesis': [
        ['investigator', 'hypothesis.test'],
        ['tester', 'hypothesis.rejected'],
        ['investigator', 'hypothesis.test'],
        ['tester', 'hypothesis.confirmed'],
        ['investigator', 'fix.propose'],
        ['fixer', 'fix.applied'],
        ['verifier', 'fix.verified'],
        ['investigator', 'DEBUG_COMPLETE'],
      ],
      'wrong-fix': [
        ['investigator', 'hypothesis.test'],
        ['tester', 'hypothesis.confirmed'],
        ['investigator', 'fix.propose'],
        ['fixer', 'fix.applied'],
        ['verifier', 'fix.failed'],
        ['fixer', 'fix.applied'],
        ['verifier', 'fix.verified'],
        ['investigator', 'DEBUG_COMPLETE'],
      ],
      'fix-blocked': [
        ['investigator', 'hypothesis.test'],
        ['tester', 'hypothesis.confirmed'],
        ['investigator', 'fix.propose'],
        ['fixer', 'fix.blocked'],
        ['ralph', 'fix.propose'],
        ['fixer', 'fix.applied'],
        ['verifier', 'fix.verified'],
        ['investigator', 'DEBUG_COMPLETE'],
      ],
    },
  },
  'hatless-baseline': {
    starts: 'task.start',
    promise: 'LOOP_COMPLETE',
    requires: [],
    happy: [['ralph', 'LOOP_COMPLETE']],
    detours: {},
  },
  'merge-loop': {
    starts: 'merge.start',
    promise: 'MERGE_COMPLETE',
    requires: [],
    happy: [
      ['merger', 'merge.done'],
      ['cleaner', 'MERGE_COMPLETE'],
    ],
    detours: {
      conflict: [
        ['merger', 'conflict.detected'],
        ['resolver', 'conflict.resolved'],
        ['tester', 'tests.passed'],
        ['merger', 'merge.done'],
        ['cleaner', 'MERGE_COMPLETE'],
      ],
      'tests-failed': [
        ['merger', 'conflict.detected'],
        ['resolver', 'conflict.resolved'],
        ['tester', 'tests.failed'],
        ['failure_handler', 'MERGE_COMPLETE'],
      ],
      unresolvable: [
        ['merger', 'conflict.detected'],
        ['resolver', 'conflict.unresolvable'],
        ['failure_handler', 'MERGE_COMPLETE'],
      ],
      'not-cleaned': [
        ['merger', 'merge.done'],
        ['cleaner', 'cleanup.failed'],
        ['failure_handler', 'MERGE_COMPLETE'],
      ],
      failed: [
        ['merger', 'merge.failed'],
        ['failure_handler', 'MERGE_COMPLETE'],
      ],
    },
  },
  'pdd-to-code-assist': {
    starts: 'design.start',
    promise: 'LOOP_COMPLETE',
    requires: ['design.approved', 'plan.ready', 'tasks.ready', 'implementation.ready', 'validation.passed'],
    happy: [
      ['inquisitor', 'question.asked'],
      ['architect', 'answer.proposed'],
      ['inquisitor', 'requirements.complete'],
      ['architect', 'design.drafted'],
      ['design_critic', 'design.approved'],
      ['explorer', 'context.ready'],
      ['planner', 'plan.ready'],
      ['task_writer', 'tasks.ready'],
      ['builder', 'review.ready'],
      ['critic', 'review.passed'],
      ['finalizer', 'implementation.ready'],
      ['validator', 'validation.passed'],
      ['committer', 'LOOP_COMPLETE'],
    ],
    detours: {
      'design-rejected': [
        ['inquisitor', 'requirements.complete'],
        ['architect', 'design.drafted'],
        ['design_critic', 'design.rejected'],
        ['inquisitor', 'requirements.complete'],
        ['architect', 'design.drafted'],
        ['design_critic', 'design.approved'],
        ['explorer', 'context.ready'],
        ['planner', 'plan.ready'],
        ['task_writer', 'tasks.ready'],
        ['builder', 'review.ready'],
        ['critic', 'review.passed'],
        ['finalizer', 'implementation.ready'],
        ['validator', 'validation.passed'],
        ['committer', 'LOOP_COMPLETE'],
      ],
      'work-rejected': [
        ['inquisitor', 'requirements.complete'],
        ['architect', 'design.drafted'],
        ['design_critic', 'design.approved'],
        ['explorer', 'context.ready'],
        ['planner', 'plan.ready'],
        ['task_writer', 'tasks.ready'],
        ['builder', 'review.ready'],
        ['critic', 'review.rejected'],
        ['builder', 'review.ready'],
        ['critic', 'review.passed'],
        ['finalizer', 'finalization.failed'],
        ['builder', 'review.ready'],
        ['critic', 'review.passed'],
        ['finalizer', 'queue.advance'],
        ['task_writer', 'tasks.ready'],
        ['builder', 'review.ready'],
        ['critic', 'review.passed'],
        ['finalizer', 'implementation.ready'],
        ['validator', 'validation.failed'],
        ['builder', 'review.ready'],
        ['critic', 'review.passed'],
        ['finalizer', 'implementation.ready'],
        ['validator', 'validation.passed'],
        ['committer', 'LOOP_COMPLETE'],
      ],
      'build-blocked': [
        ['inquisitor', 'requirements.complete'],
        ['architect', 'design.drafted'],
        ['design_critic', 'design.approved'],
        ['explorer', 'context.ready'],
        ['planner', 'plan.ready'],
        ['task_writer', 'tasks.ready'],
        ['builder', 'build.blocked'],
        ['ralph', 'tasks.ready'],
        ['builder', 'review.ready'],
        ['critic', 'review.passed'],
        ['finalizer', 'implementation.ready'],
        ['validator', 'validation.passed'],
        ['committer', 'LOOP_COMPLETE'],
      ],
    },
  },
  research: {
    starts: 'research.start',
    promise: 'RESEARCH_COMPLETE',
    requires: ['research.finding'],
    happy: [
      ['researcher', 'research.finding'],
      ['synthesizer', 'RESEARCH_COMPLETE'],
    ],
    detours: {
      followup: [
        ['researcher', 'research.finding'],
        ['synthesizer', 'research.followup'],
        ['researcher', 'research.finding'],
        ['synthesizer', 'RESEARCH_COMPLETE'],
      ],
    },
  },
  review: {
    starts: 'review.start',
    promise: 'REVIEW_COMPLETE',
    requires: ['review.section', 'analysis.complete'],
    happy: [
      ['reviewer', 'review.section'],
      ['analyzer', 'analysis.complete'],
      ['closer', 'REVIEW_COMPLETE'],
    ],
    detours: {
      followup: [
        ['reviewer', 'review.section'],
        ['analyzer', 'analysis.complete'],
        ['closer', 'review.followup'],
        ['reviewer', 'review.section'],
        ['analyzer', 'analysis.complete'],
        ['closer', 'REVIEW_COMPLETE'],
      ],
    },
  },
} as const satisfies Readonly<Record<string, Preset>>;

/** The collections for Ralph's own use. */
export const UNLISTED: readonly string[] = ['hatless-baseline', 'merge-loop'];
