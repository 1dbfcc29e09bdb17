import {
  agentSaid,
  completed,
  eventEmitted,
  fileContains,
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

/** Checks that a hat's instructions show in what it says and does: acknowledging a role is not playing it. */
export const instructions = scenario({
  id: 'hat-instructions',
  priority: 'must',
  description: 'A hat follows its own instructions in words and in deeds',
  covers: ['FR15', 'FR19'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats({
      builder: {
        triggers: ['build.request'],
        publishes: ['build.finished'],
        instructions: [
          `Before you use any tool, say this line as plain text, with ${nonce} in uppercase in place of <WORD>: \`BUILDER <WORD>\``,
          `Append this line to the scratchpad, with the sum of ${a} and ${b} as plain digits without commas: \`- [x] greeting <sum>\``,
          'This test wants it there, although the guide above says to keep checklists out of the scratchpad.',
          'Write the greeting in uppercase. Then run `ralph emit build.finished "greeted"`',
        ].join('\n'),
      },
    }).startingWith('build.request'),
    prompt: [
      'Create greeting.txt. It contains only the word hello, in the letter case that the active hat asks for.',
      'If no hat is active and build.finished is pending, declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('builder', 'ralph'),
    toldOnly: toldOnlyTo('builder', nonce),
    said: agentSaid(`BUILDER ${nonce.toUpperCase()}`, { iteration: 1 }),
    notes: scratchpadContains(`- [x] greeting ${a + b}`),
    file: fileEquals('greeting.txt', 'HELLO'),
    published: eventEmitted('build.finished'),
  }),

  agent: [
    onHat('Builder')
      .reads(/with (\w+) in uppercase/)
      .reads(/the sum of (\d+) and (\d+)/)
      .says('BUILDER {{upper 1}}')
      .notes('- [x] greeting {{add 2 3}}')
      .writes('greeting.txt', 'HELLO\n')
      .emits('build.finished', 'greeted'),
    onEvent('build.finished').completes(),
    // An agent that knows the objective but nothing about its hat.
    onObjective(/Create greeting\.txt/)
      .says('Here is a greeting.')
      .writes('greeting.txt', 'Hello\n')
      .emits('build.finished', 'greeted'),
  ],

  exempt: { 'speaks-too-late': 'the prompt says that the words come before the event' },

  saboteurs: {
    'acknowledges its role, but does not play it': {
      agent: without('writes', 'notes'),
      kills: ['file', 'notes'],
      why: 'An agent that repeats its role and does nothing is the loophole that the design describes.',
    },
    'no hat instructions': {
      config: changingHat('builder', { instructions: 'Work on the objective.' }),
      kills: ['toldOnly', 'said', 'notes', 'file'],
      failure: 'PromptIneffective',
      why: "Shows that the persona comes only from the hat's instructions.",
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

/** Gives a hat its own scratchpad: its notes come back to that hat and to no other. */
export const scratchpads = scenario({
  id: 'hat-scratchpad',
  description: 'A hat with its own scratchpad gets its notes back; the shared scratchpad stays separate',
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
            `1. If dive.request is pending: append only this line to your scratchpad, with the sum of ${a} and ${b} as plain digits without commas: \`depth <sum>\`. Then run \`ralph emit dive.over "up"\``,
            '2. If dive.again is pending: write only the number after the word depth in your scratchpad to depth.txt. Then run `ralph emit dive.finished "done"`',
          ].join('\n'),
        },
        keeper: {
          triggers: ['dive.over'],
          publishes: ['dive.again'],
          instructions: `Append this line to the scratchpad, with ${nonce} in uppercase in place of <WORD>: \`boat <WORD>\`. Then run \`ralph emit dive.again "down"\``,
        },
      },
      { maxIterations: 6 },
    ).startingWith('dive.request'),
    prompt: [
      'Have the depth measured. If a hat is active, follow only its instructions.',
      'If no hat is active and dive.finished is pending, declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('diver', 'keeper', 'diver', 'ralph'),
    scratchpadDiver: fileContains('.ralph/agent/scratchpad-diver.md', `depth ${a + b}`),
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
      .reads(/with (\w+) in uppercase/)
      .notes('boat {{upper 1}}')
      .emits('dive.again', 'down'),
    onEvent('dive.finished').completes(),
    onObjective(/depth measured/).says('No hat is active, and I have nothing to do.'),
  ],

  saboteurs: {
    'no prompt contains the notes': {
      target: 'drop-scratchpad',
      kills: ['told', 'depth', 'toldOnly'],
      failure: 'PromptIneffective',
    },
    'all hats share one scratchpad': {
      config: changingHat('diver', { scratchpad: undefined }),
      kills: ['scratchpadDiver', 'toldOnly'],
      failure: 'PromptIneffective',
      why: 'Shows that notes stay separate only if the hat has its own scratchpad.',
    },
    'the depth is not written down': { agent: withoutWriting('depth.txt'), kills: ['depth'] },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
