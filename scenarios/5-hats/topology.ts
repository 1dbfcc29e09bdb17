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
} from '../../src/authoring.js';
import { emitting } from '../support/agent-changes.js';
import { changingHat } from '../support/arrangement-changes.js';
import { ignoresCompletion } from '../support/saboteurs.js';

/** Shows the coordinator all hats, and shows each hat who receives what it publishes. */
export const topology = scenario({
  id: 'hat-topology',
  priority: 'must',
  description: 'Ralph gets the table of hats and works with it; a hat learns who receives its events',
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
            'Write only the payload of the pending paint.task event to sign.txt. Then run `ralph emit paint.finished "painted"`',
        },
        hanger: {
          triggers: ['paint.finished'],
          publishes: ['sign.hung'],
          description: `Hangs signs in ${nonce} street`,
          instructions: 'Write only the word hung to street.txt. Then run `ralph emit sign.hung "it is up"`',
        },
      },
      { maxIterations: 6 },
    ).coordinated(),
    prompt: [
      'Have a sign painted and hung. If a hat is active, follow only its instructions. Otherwise:',
      `1. If task.start is pending: the table of hats says which sign number the Painter paints. Add ${b} to that number and run \`ralph emit paint.task "<sum>"\`, with the sum as plain digits without commas.`,
      '2. If sign.hung is pending: declare the objective complete.',
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
    onHat('Hanger').writes('street.txt', 'hung\n').emits('sign.hung', 'it is up'),
    onEvent('sign.hung').completes(),
    onEvent('paint.finished').emits('sign.hung', 'by nobody'),
    onObjective(/Add (\d+) to that number/)
      .reads(/^\| Painter \| paint\.task \| paint\.finished \| Paints sign number (\d+) \|$/m)
      .emits('paint.task', '{{add 1 2}}'),
    // Without the table, the agent can only guess.
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
    'no hat is triggered by the finished sign': {
      config: changingHat('hanger', { triggers: ['sign.task'] }),
      kills: ['hats', 'hangerRow', 'hangerNext', 'ralphNext'],
      why: 'The table and the guide come from the triggers: if these change, both must change.',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
