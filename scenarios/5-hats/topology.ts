import {
  completed,
  eventEmitted,
  fileEquals,
  hatSequence,
  hats,
  onEvent,
  onHat,
  onObjective,
  promptContained,
  scenario,
  without,
} from '../../src/authoring.js';
import { emitting } from '../support/agent-changes.js';
import { changingHat } from '../support/arrangement-changes.js';
import { ignoresCompletion } from '../support/saboteurs.js';

/** The coordinator sees who is there; a hat sees who takes what it publishes. */
export const topology = scenario({
  id: 'hat-topology',
  tier: 5,
  priority: 'must',
  phase: 'green',
  description:
    'Ralph is sent the table of hats and works with what it says; a hat is told who receives its events',
  covers: ['FR15', 'FR17'],
  expectedIterations: 4,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats(
      {
        painter: {
          triggers: ['paint.task'],
          publishes: ['paint.finished'],
          description: `Paints sign number ${a}`,
          instructions:
            'Write the payload of the pending paint.task into sign.txt and run: ralph emit paint.finished "painted"',
        },
        hanger: {
          triggers: ['paint.finished'],
          publishes: ['sign.hung'],
          description: `Hangs signs in ${nonce} street`,
          instructions: 'Write "hung" into street.txt and run: ralph emit sign.hung "there it hangs"',
        },
      },
      { maxIterations: 6 },
    ).coordinated(),
    prompt: [
      'A sign is to be painted and hung. This is what Ralph does; a hat that is active follows its own instructions.',
      `1. task.start is pending: the table of hats says which sign the Painter paints. Add ${b} to that number and run: ralph emit paint.task "<the bare sum>"`,
      '2. sign.hung is pending: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('ralph', 'painter', 'hanger', 'ralph'),
    painterRow: promptContained(`| Painter | paint.task | paint.finished | Paints sign number ${a} |`, {
      iteration: 1,
    }),
    hangerRow: promptContained(`| Hanger | paint.finished | sign.hung | Hangs signs in ${nonce} street |`, {
      iteration: 1,
    }),
    published: eventEmitted('paint.task', `${a + b}`),
    file: fileEquals('sign.txt', `${a + b}`),
    hangerNext: promptContained(`\`paint.finished\` → Received by: Hanger (Hangs signs in ${nonce} street)`, {
      iteration: 2,
    }),
    ralphNext: promptContained('`sign.hung` → Received by: Ralph', { iteration: 3 }),
  }),

  agent: [
    onHat('Painter')
      .reads(/^Event: paint\.task - (\d+)$/m)
      .writes('sign.txt', '{{1}}\n')
      .emits('paint.finished', 'painted'),
    onHat('Hanger').writes('street.txt', 'hung\n').emits('sign.hung', 'there it hangs'),
    onEvent('sign.hung').completes(),
    onEvent('paint.finished').emits('sign.hung', 'by nobody'),
    onObjective(/Add (\d+) to that number/)
      .reads(/^\| Painter \| paint\.task \| paint\.finished \| Paints sign number (\d+) \|$/m)
      .emits('paint.task', '{{add 1 2}}'),
    // Without the table all that is left is a guess.
    onObjective(/Add (\d+) to that number/).emits('paint.task', '{{1}}'),
  ],

  saboteurs: {
    'the table is missing': {
      target: 'no-topology',
      kills: ['painterRow', 'hangerRow', 'published', 'file'],
      failure: 'PromptIneffective',
    },
    'the sum is wrong': {
      agent: emitting('paint.task', { payload: '{{1}}' }),
      kills: ['published', 'file'],
      failure: 'EventMalformed',
    },
    'says that it has painted, and has not': { agent: without('writes'), kills: ['file'] },
    'nobody waits for the sign': {
      config: changingHat('hanger', { triggers: ['sign.task'] }),
      kills: ['hats', 'hangerRow', 'hangerNext', 'ralphNext'],
      failure: 'AssertionMismatch',
      why: 'The table and the guide are made of the triggers: where these change, both must.',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
