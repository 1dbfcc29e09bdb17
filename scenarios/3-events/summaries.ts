import { completed, errandAnswered, loop, onEvent, onObjective, scenario } from '../../src/authoring.js';
import { MECHANICS } from '../support/commands.js';
import { neverCompletes } from '../support/saboteurs.js';

const SUMMARIES = 'events --topic iteration.summary --format json';
const CONFIG = loop({ maxIterations: 4 });
const recordOf = (iteration: number) =>
  `"iteration": ${iteration},\\s+"hat": "loop",\\s+"topic": "iteration\\.summary",[^}]*duration_ms\\\\":\\d`;

/** What Ralph writes down about each iteration, for dashboards. */
export const summaries = scenario({
  id: 'iteration-summaries',
  ...MECHANICS,
  description:
    'Every iteration leaves a record of its duration, its tokens and the size of the context window',
  covers: ['FR6'],
  expectedIterations: 2,

  arrange: () => ({
    config: { ...CONFIG, event_loop: { ...Object(CONFIG.event_loop), context_window_tokens: 4321 } },
    after: [{ ralph: SUMMARIES.split(' ') }],
    prompt: 'Take two iterations.',
  }),

  expect: () => ({
    ends: completed(),
    each: errandAnswered(SUMMARIES, { stdout: new RegExp(`${recordOf(1)}[\\s\\S]*${recordOf(2)}`) }),
    window: errandAnswered(SUMMARIES, {
      stdout: /^(?![\s\S]*context_window\\":(?!4321\b))[\s\S]*context_window\\":4321\b/,
    }),
  }),

  agent: [
    onEvent('half.finished').completes(),
    onObjective('Take two iterations').emits('half.finished', 'one'),
  ],

  saboteurs: {
    'takes one iteration': {
      agent: [onObjective('Take two iterations').completes()],
      kills: ['each'],
      failure: 'AssertionMismatch',
    },
    'never completes': neverCompletes('ends'),
  },
});
