import {
  agentSaid,
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
  scratchpadContains,
  toldOnlyTo,
  without,
} from '../../src/authoring.js';
import { withoutEmitting, withoutWriting } from '../support/agent-changes.js';
import { changingHat } from '../support/arrangement-changes.js';
import { ignoresCompletion } from '../support/saboteurs.js';

/** What a hat is told shows in what it says and in what it does: acknowledging a role is not playing it. */
export const instructions = scenario({
  id: 'hat-instructions',
  tier: 5,
  priority: 'must',
  phase: 'green',
  description: 'A hat follows its own instructions in words and in deeds',
  covers: ['FR15', 'FR19'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats({
      builder: {
        triggers: ['build.request'],
        publishes: ['build.finished'],
        instructions: [
          `Begin your answer with the word BUILDER, a space and ${nonce} in capital letters, on a line of its own.`,
          `Append this line to the scratchpad: - [x] greeting <the sum of ${a} and ${b}>`,
          'Write the greeting in lower-case letters only. Then run: ralph emit build.finished "greeted"',
        ].join('\n'),
      },
    }).startingWith('build.request'),
    prompt: [
      'Create greeting.txt that says hello in one word.',
      'When build.finished is pending and no hat is active, declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('builder', 'ralph'),
    toldOnly: toldOnlyTo('builder', nonce),
    said: agentSaid(new RegExp(`^BUILDER ${nonce.toUpperCase()}$`, 'm'), { iteration: 1 }),
    notes: scratchpadContains(`- [x] greeting ${a + b}`),
    file: fileEquals('greeting.txt', 'hello'),
    published: eventEmitted('build.finished'),
  }),

  agent: [
    onHat('Builder')
      .reads(/BUILDER, a space and (\w+) in capital letters/)
      .reads(/the sum of (\d+) and (\d+)/)
      .says('BUILDER {{upper 1}}')
      .notes('- [x] greeting {{add 2 3}}')
      .writes('greeting.txt', 'hello\n')
      .emits('build.finished', 'greeted'),
    onEvent('build.finished').completes(),
    // An agent that knows the objective and nothing of its hat.
    onObjective(/Create greeting\.txt/)
      .says('Here is a greeting.')
      .writes('greeting.txt', 'Hello\n')
      .emits('build.finished', 'greeted'),
  ],

  saboteurs: {
    'acknowledges its role, and does not play it': {
      agent: without('writes', 'notes'),
      kills: ['file', 'notes'],
      why: 'An agent that repeats its role and does nothing is the loophole that the design names.',
    },
    'plays its role, and does not say so': { agent: without('says'), kills: ['said'] },
    'no hat instructions': {
      config: changingHat('builder', { instructions: 'Work on the objective.' }),
      kills: ['toldOnly', 'said', 'notes', 'file'],
      why: 'Shows that the persona comes from the instructions of the hat and from nowhere else.',
    },
    'hat instructions never reach the agent': {
      target: 'drop-hat-instructions',
      kills: ['toldOnly', 'said', 'notes', 'file'],
      failure: 'PromptIneffective',
    },
    'the hat publishes nothing': {
      agent: withoutEmitting('build.finished'),
      kills: ['published', 'ends', 'hats'],
      failure: 'EventMissing',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});

/** Notes that a hat keeps for itself: they come back to it, and to it alone. */
export const scratchpads = scenario({
  id: 'hat-scratchpad',
  tier: 5,
  priority: 'should',
  phase: 'green',
  description: 'A hat with a scratchpad of its own finds its notes again; the common scratchpad stays apart',
  covers: ['FR15'],
  expectedIterations: 4,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats(
      {
        diver: {
          triggers: ['dive.request', 'dive.again'],
          publishes: ['dive.over', 'dive.finished'],
          scratchpad: '.ralph/agent/scratchpad-diver.md',
          instructions: [
            `1. dive.request is pending: append the line "depth <the sum of ${a} and ${b}>" to your scratchpad and run: ralph emit dive.over "up"`,
            '2. dive.again is pending: copy the number behind the word depth from your scratchpad into depth.txt and run: ralph emit dive.finished "done"',
          ].join('\n'),
        },
        keeper: {
          triggers: ['dive.over'],
          publishes: ['dive.again'],
          instructions: `Append the line "boat ${nonce}" to the scratchpad, with ${nonce} in capital letters, and run: ralph emit dive.again "down"`,
        },
      },
      { maxIterations: 6 },
    ).startingWith('dive.request'),
    prompt: [
      'Measure how deep it is. A hat that is active follows its own instructions.',
      'When dive.finished is pending and no hat is active, declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('diver', 'keeper', 'diver', 'ralph'),
    scratchpadDiver: fileEquals('.ralph/agent/scratchpad-diver.md', `depth ${a + b}`),
    told: promptContained(`depth ${a + b}`, { iteration: 3 }),
    depth: fileEquals('depth.txt', `${a + b}`),
    notes: scratchpadContains(`boat ${nonce.toUpperCase()}`),
    toldOnly: toldOnlyTo('ralph', `boat ${nonce.toUpperCase()}`),
  }),

  agent: [
    onHat('Diver')
      .when({ event: 'dive.again' })
      .reads(/^depth (\d+)$/m)
      .writes('depth.txt', '{{1}}\n')
      .emits('dive.finished', 'done'),
    onHat('Diver')
      .when({ event: 'dive.again' })
      .says('There is no depth in my notes.')
      .emits('dive.finished', 'unknown'),
    onHat('Diver')
      .reads(/the sum of (\d+) and (\d+)/)
      .notes('depth {{add 1 2}}')
      .emits('dive.over', 'up'),
    onHat('Keeper')
      .reads(/"boat (\w+)"/)
      .notes('boat {{upper 1}}')
      .emits('dive.again', 'down'),
    onEvent('dive.finished').completes(),
    onObjective(/how deep/).says('No hat has the work, and none of it is mine to do.'),
  ],

  saboteurs: {
    'notes are in no prompt': {
      target: 'drop-scratchpad',
      kills: ['told', 'depth', 'toldOnly'],
      failure: 'PromptIneffective',
    },
    'one scratchpad for all': {
      config: changingHat('diver', { scratchpad: undefined }),
      kills: ['scratchpadDiver', 'toldOnly'],
      why: 'Shows that notes are kept apart only where the hat has a scratchpad of its own.',
    },
    'says that it notes things, and does not': {
      agent: without('notes'),
      kills: ['scratchpadDiver', 'told', 'depth', 'notes'],
    },
    'the depth is not written down': { agent: withoutWriting('depth.txt'), kills: ['depth'] },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
