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

/* Stretches that several ways share. */

/** `autoresearch`: an experiment, up to its score. */
const EXPERIMENT: readonly Leg[] = [
  ['strategist', 'experiment.planned'],
  ['implementer', 'experiment.ready'],
  ['benchmarker', 'experiment.measured'],
  ['judge', 'experiment.scored'],
];

/** `code-assist` and `pdd-to-code-assist`: a task that is built and reviewed. */
const BUILD: readonly Leg[] = [
  ['builder', 'review.ready'],
  ['critic', 'review.passed'],
];
const REJECTED_BUILD: readonly Leg[] = [
  ['builder', 'review.ready'],
  ['critic', 'review.rejected'],
];
const BLOCKED_BUILD: readonly Leg[] = [
  ['builder', 'build.blocked'],
  ['ralph', 'tasks.ready'],
];

/** `debug`: a hypothesis that is confirmed. */
const HYPOTHESIS: readonly Leg[] = [
  ['investigator', 'hypothesis.test'],
  ['tester', 'hypothesis.confirmed'],
  ['investigator', 'fix.propose'],
];
/** `debug`: a fix that works, up to the promise. */
const FIX: readonly Leg[] = [
  ['fixer', 'fix.applied'],
  ['verifier', 'fix.verified'],
  ['investigator', 'DEBUG_COMPLETE'],
];

/** `pdd-to-code-assist`: a design that is approved. */
const DESIGN: readonly Leg[] = [
  ['inquisitor', 'requirements.complete'],
  ['architect', 'design.drafted'],
  ['design_critic', 'design.approved'],
];
/** `pdd-to-code-assist`: from the design to its tasks. */
const PLAN: readonly Leg[] = [
  ['explorer', 'context.ready'],
  ['planner', 'plan.ready'],
  ['task_writer', 'tasks.ready'],
];
/** `pdd-to-code-assist`: the work is validated, up to the promise. */
const DELIVERY: readonly Leg[] = [
  ['finalizer', 'implementation.ready'],
  ['validator', 'validation.passed'],
  ['committer', 'LOOP_COMPLETE'],
];

/** Every collection in the `ralph` binary, including those that `ralph init --list-presets` does not list. */
export const PRESETS = {
  autoresearch: {
    starts: 'experiment.start',
    promise: 'LOOP_COMPLETE',
    requires: ['experiment.scored', 'experiment.evaluated'],
    happy: [...EXPERIMENT, ['evaluator', 'experiment.evaluated'], ['strategist', 'LOOP_COMPLETE']],
    detours: {
      blocked: [
        ['strategist', 'experiment.planned'],
        ['implementer', 'experiment.blocked'],
        ...EXPERIMENT,
        ['evaluator', 'experiment.evaluated'],
        ...EXPERIMENT,
        ['evaluator', 'LOOP_COMPLETE'],
      ],
    },
  },
  'code-assist': {
    starts: 'build.start',
    promise: 'LOOP_COMPLETE',
    requires: ['review.passed'],
    happy: [['planner', 'tasks.ready'], ...BUILD, ['finalizer', 'LOOP_COMPLETE']],
    detours: {
      rejected: [['planner', 'tasks.ready'], ...REJECTED_BUILD, ...BUILD, ['finalizer', 'LOOP_COMPLETE']],
      unfinished: [
        ['planner', 'tasks.ready'],
        ...BUILD,
        ['finalizer', 'finalization.failed'],
        ...BUILD,
        ['finalizer', 'queue.advance'],
        ['planner', 'tasks.ready'],
        ...BUILD,
        ['finalizer', 'LOOP_COMPLETE'],
      ],
      'build-blocked': [
        ['planner', 'tasks.ready'],
        ...BLOCKED_BUILD,
        ...BUILD,
        ['finalizer', 'LOOP_COMPLETE'],
      ],
    },
  },
  debug: {
    starts: 'debug.start',
    promise: 'DEBUG_COMPLETE',
    requires: ['hypothesis.test', 'hypothesis.confirmed', 'fix.applied', 'fix.verified'],
    happy: [...HYPOTHESIS, ...FIX],
    detours: {
      'wrong-hypothesis': [
        ['investigator', 'hypothesis.test'],
        ['tester', 'hypothesis.rejected'],
        ...HYPOTHESIS,
        ...FIX,
      ],
      'wrong-fix': [...HYPOTHESIS, ['fixer', 'fix.applied'], ['verifier', 'fix.failed'], ...FIX],
      'fix-blocked': [...HYPOTHESIS, ['fixer', 'fix.blocked'], ['ralph', 'fix.propose'], ...FIX],
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
      ...DESIGN,
      ...PLAN,
      ...BUILD,
      ...DELIVERY,
    ],
    detours: {
      'design-rejected': [
        ['inquisitor', 'requirements.complete'],
        ['architect', 'design.drafted'],
        ['design_critic', 'design.rejected'],
        ...DESIGN,
        ...PLAN,
        ...BUILD,
        ...DELIVERY,
      ],
      'work-rejected': [
        ...DESIGN,
        ...PLAN,
        ...REJECTED_BUILD,
        ...BUILD,
        ['finalizer', 'finalization.failed'],
        ...BUILD,
        ['finalizer', 'queue.advance'],
        ['task_writer', 'tasks.ready'],
        ...BUILD,
        ['finalizer', 'implementation.ready'],
        ['validator', 'validation.failed'],
        ...BUILD,
        ...DELIVERY,
      ],
      'build-blocked': [...DESIGN, ...PLAN, ...BLOCKED_BUILD, ...BUILD, ...DELIVERY],
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
