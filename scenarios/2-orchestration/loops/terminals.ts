import {
  eventEmitted,
  fileEquals,
  iterationCount,
  loop,
  onObjective,
  promptContained,
  scenario,
  terminatedBecause,
} from '../../../src/authoring.js';
import { withoutEmitting } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';

/* Ralph's interface on a terminal. The loop must end as it does without it. */

const TWO_STEPS = [
  onObjective('Take two').once().appends('calls.txt', 'one\n').emits('half.done', 'one'),
  onObjective('Take two').appends('calls.txt', 'two\n').emits('LOOP_COMPLETE', 'done'),
];

/** The default on a terminal: the interface shows the loop, and the loop ends as without it. */
const tui = scenario({
  ...MECHANICS,
  id: 'tui',
  description: "With its interface on a terminal, Ralph's loop ends as it does without it",
  covers: ['FR5', 'FR10'],
  beyondStandIn: 'the interface on a terminal',
  programs: ['script'],
  expectedIterations: 2,

  arrange: () => ({
    config: loop({ maxIterations: 5 }),
    prompt: 'Take two iterations.',
    terminal: 'tui',
  }),

  expect: () => ({
    ends: terminatedBecause('completed', 0),
    iterations: iterationCount(2),
    calls: fileEquals('calls.txt', 'one\ntwo'),
    told: promptContained('half.done', { iteration: 2 }),
  }),

  agent: TWO_STEPS,

  saboteurs: {
    'hands nothing on': { agent: withoutEmitting('half.done'), kills: ['told'], failure: 'EventMissing' },
    'never completes': {
      agent: withoutEmitting('LOOP_COMPLETE'),
      kills: ['ends', 'iterations', 'calls'],
      failure: 'UnexpectedTermination',
    },
  },
  exempt: { 'one-more-iteration': 'it counts the iterations' },
});

/** A limit is the same limit with the interface. */
const tuiLimit = scenario({
  ...MECHANICS,
  id: 'tui-limit',
  phase: 'red',
  description: 'With its interface on a terminal, Ralph exits with the same code at a limit',
  covers: ['FR5', 'FR9'],
  beyondStandIn: 'the interface on a terminal',
  programs: ['script'],
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 1 }),
    prompt: 'Take two iterations.',
    terminal: 'tui',
  }),

  expect: () => ({
    ends: terminatedBecause('max_iterations', 2),
    iterations: iterationCount(1),
    published: eventEmitted('half.done', 'one'),
    calls: fileEquals('calls.txt', 'one'),
  }),

  agent: TWO_STEPS,

  knownIssue: {
    upTo: '2.10.1',
    reason: 'the interface takes every exit code but 0, 1 and 130 for a stop, and exits with 1',
    link: 'docs/ralph-behavior.md',
    breaks: { ends: 'exit code 1, termination reason "max_iterations"' },
  },

  saboteurs: {
    'hands nothing on': {
      agent: withoutEmitting('half.done'),
      kills: ['published'],
      failure: 'EventMissing',
    },
  },
});

export const terminals = [tui, tuiLimit];
