import {
  completed,
  endReported,
  fileEquals,
  iterationCount,
  loop,
  onAnyPrompt,
  onObjective,
  promptContained,
  promptLacked,
  scenario,
  scratchpadContains,
  terminatedBecause,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { MECHANICS } from '../support/commands.js';
import { EVENTS_BY_HAND, ignoresCompletion } from '../support/saboteurs.js';

/* Which words end a loop. */

const PROMISE = 'WORK_IS_DONE';
const IN_TAG = `<event topic="note.kept">soon I say ${PROMISE}</event>\n${PROMISE}`;
const NOT_LAST = `ralph emit ${PROMISE} early && ralph emit work.note more`;

/** Comes as close to the promise as it can, once per iteration, and then declares it. */
const nearMisses = scenario({
  id: 'completion-near-misses',
  ...MECHANICS,
  description:
    'Only the configured promise ends a loop: alone on the last line, or as the last event, and not inside an event tag',
  covers: ['FR10'],
  expectedIterations: 7,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 8, promise: PROMISE }),
    prompt: `Write ${nonce} in uppercase to final.txt. Say in every iteration how far you are.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(7),
    reported: endReported({
      label: 'Completion promise detected',
      status: 'All tasks completed successfully.',
      exitCode: 0,
      resumable: false,
    }),
    heardTag: promptContained(`Event: note.kept - soon I say ${PROMISE}\n`, { iteration: 6 }),
    heardNote: promptContained('Event: work.note - more\n', { iteration: 7 }),
    untold: promptLacked(`Event: ${PROMISE}`),
    notes: scratchpadContains('- [ ] one item is still open'),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [
    // The default promise, and the right one on a line that is not the last.
    onAnyPrompt().once().notes('- [ ] one item is still open').says(`${PROMISE}\nLOOP_COMPLETE`),
    onAnyPrompt().once().says(`Soon I will say ${PROMISE}`),
    onAnyPrompt().once().says(`${PROMISE} is what I will say`),
    onAnyPrompt().once().says('work_is_done'),
    onAnyPrompt().once().says(IN_TAG),
    onAnyPrompt().once().runs(NOT_LAST),
    // Spaces, empty lines and an event tag after it do not hide it.
    onObjective(/Write (\w+) in uppercase/)
      .writes('final.txt', '{{upper 1}}\n')
      .says(`  ${PROMISE}  \n\n<event topic="last.word">bye</event>\n`),
  ],

  saboteurs: {
    'ralph looks for the promise anywhere': {
      target: 'promise-anywhere',
      kills: ['iterations', 'heardTag', 'heardNote', 'file'],
      failure: 'UnexpectedTermination',
    },
    'ralph does not notice the promise': ignoresCompletion('ends', 'iterations'),
    'ralph reports another end': { target: 'misreport-end', kills: ['reported'] },
    'ralph passes no event on': { target: 'drop-pending-events', kills: ['heardTag', 'heardNote'] },
  },

  notApplicable: EVENTS_BY_HAND,
});

const CANCELLATION = {
  maxIterations: 3,
  cancellationPromise: 'stop.everything',
  requiredEvents: ['audit.finished'],
};

/** Cancels and completes in one iteration, with a required event missing. */
const cancelledFirst = scenario({
  id: 'cancellation-comes-first',
  ...MECHANICS,
  description:
    'The configured cancellation event ends a loop whatever else it says or lacks; loop.cancel means nothing without that setting',
  covers: ['FR6', 'FR10'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: loop(CANCELLATION),
    prompt: `Write ${nonce} in uppercase to final.txt. Then end the loop in every way that you know.`,
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('cancelled', 0),
    iterations: iterationCount(2),
    heard: promptContained(`Event: loop.cancel - ${nonce.toUpperCase()}\n`, { iteration: 2 }),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective(/Write (\w+) in uppercase/)
      .once()
      .emits('loop.cancel', '{{upper 1}}'),
    onObjective(/Write (\w+) in uppercase/)
      .once()
      .writes('final.txt', '{{upper 1}}\n')
      .runs('ralph emit stop.everything now && ralph emit LOOP_COMPLETE done')
      .says('LOOP_COMPLETE'),
    onAnyPrompt().completes(),
  ],

  notApplicable: EVENTS_BY_HAND,

  saboteurs: {
    'Ralph ignores the cancellation': {
      target: 'ignore-cancellation',
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
    'never cancels': {
      agent: replacing('ralph emit stop.everything now && ', ''),
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
  },
});

export const completionRules = [nearMisses, cancelledFirst];
