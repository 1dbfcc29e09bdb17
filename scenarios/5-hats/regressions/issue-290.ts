import {
  agentSaid,
  completed,
  eventEmitted,
  fileEquals,
  hatActive,
  hats,
  iterationCount,
  onEvent,
  onHat,
  onObjective,
  scenario,
} from '../../../src/authoring.js';
import { changingEach } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { ignoresCompletion } from '../../support/saboteurs.js';

const builders = (nonce: string) =>
  hats(
    {
      builder: {
        triggers: ['build.wanted'],
        publishes: ['build.ready'],
        instructions: `Write only ${nonce} in uppercase to built.txt. Then run \`ralph emit build.ready "built"\``,
      },
    },
    { maxIterations: 5 },
  );

/** #290: with hats configured, Kiro said the promise as plain text and emitted no event; ralph did not notice it. */
export const issue290 = scenario({
  id: 'issue-290-kiro-text-completion',
  backend: 'kiro',
  description:
    'With hats configured, the promise as the last line of plain text completes the loop, as its event does',
  covers: ['FR2', 'FR10'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: builders(nonce).startingWith('build.wanted'),
    prompt: [
      'Have the builder do its work. If a hat is active, follow only its instructions.',
      'If no hat is active and build.ready is pending, emit no event: end your reply with `LOOP_COMPLETE` as plain text, alone on the last line.',
      'This tests completion by text, so it overrides the DONE section, which asks for an event.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(2),
    hat: hatActive('builder', { iteration: 1 }),
    published: eventEmitted('build.ready', 'built'),
    said: agentSaid(/^LOOP_COMPLETE$/m, { iteration: 2 }),
    file: fileEquals('built.txt', nonce.toUpperCase()),
  }),

  agent: [
    onHat('Builder')
      .reads(/Write only (\w+) in uppercase/)
      .writes('built.txt', '{{upper 1}}\n')
      .emits('build.ready', 'built'),
    onEvent('build.ready').says('Everything is built.').says('LOOP_COMPLETE'),
    // Only if no event activates the builder first.
    onObjective('Have the builder do its work').emits('build.wanted', 'please'),
  ],

  saboteurs: {
    'ralph does not notice the text': ignoresCompletion('ends', 'iterations'),
    'reports another state': {
      agent: changingEach('emit', (step) => ({ ...step, payload: 'half' })),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'Ralph coordinates before the builder': {
      config: arranging((context) => ({ config: builders(context.nonce).coordinated() })),
      kills: ['hat', 'iterations', 'said'],
      why: 'Without a starting event, Ralph delegates the work in the first iteration.',
    },
  },
});
