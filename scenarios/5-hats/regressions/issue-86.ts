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
  toldOnlyTo,
} from '../../../src/authoring.js';
import { emitting } from '../../support/agent-changes.js';
import { changingHat, configuring } from '../../support/arrangement-changes.js';
import { ignoresCompletion } from '../../support/saboteurs.js';

/** https://github.com/mikeyobrien/ralph-orchestrator/issues/86, second bug: such events were logged and then lost. */
export const issue86Orphans = scenario({
  id: 'issue-86-orphaned-events',
  description: 'An event that triggers no hat goes to Ralph, with its payload',
  covers: ['FR17'],
  expectedIterations: 2,

  arrange: ({ numbers: [a, b, c] }) => ({
    config: hats({
      builder: {
        triggers: ['build.request'],
        publishes: ['build.odd'],
        instructions: `Work out ${a} + ${b} and run \`ralph emit build.odd "<sum>"\`, with the sum as plain digits without commas.`,
      },
      tester: {
        triggers: ['test.request'],
        publishes: ['test.finished'],
        instructions:
          'Write only the word tested to tested.txt. Then run `ralph emit test.finished "tested"`',
      },
    }).startingWith('build.request'),
    prompt: [
      'Find out what the builder has to say. If a hat is active, follow only its instructions. Otherwise:',
      `1. If build.odd is pending: add ${c} to its payload and write only the sum to odd.txt, as plain digits without commas. In this test Ralph writes that one file itself, although the guide says to delegate.`,
      '2. Declare the objective complete in the same iteration.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b, c] }) => ({
    ends: completed(),
    hats: hatSequence('builder', 'ralph'),
    published: eventEmitted('build.odd', `${a + b}`),
    told: promptContained(`Event: build.odd - ${a + b}`, { iteration: 2 }),
    file: fileEquals('odd.txt', `${a + b + c}`),
  }),

  agent: [
    onHat('Builder')
      .reads(/Work out (\d+) \+ (\d+)/)
      .emits('build.odd', '{{add 1 2}}'),
    onHat('Tester').writes('tested.txt', 'tested\n').emits('test.finished', 'tested'),
    onEvent('build.odd')
      .reads(/^Event: build\.odd - (\d+)$/m)
      .reads(/add (\d+) to its payload/)
      .writes('odd.txt', '{{add 1 2}}\n')
      .completes(),
    onObjective(/has to say/)
      .says('The builder had nothing to say.')
      .completes(),
  ],

  saboteurs: {
    'ralph loses orphaned events': { target: 'drop-orphans', kills: ['told', 'file'] },
    'a hat is triggered by it after all': {
      config: changingHat('tester', { triggers: ['build.odd'] }),
      kills: ['hats', 'file'],
      why: 'An event is orphaned only as long as no hat has it among its triggers.',
    },
    'the sum is wrong': {
      agent: emitting('build.odd', { payload: '{{1}}' }),
      kills: ['published', 'told', 'file'],
      failure: 'EventMalformed',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});

/** Same issue, first bug: every prompt said to publish the starting event, so agents started over. */
export const issue86StartingEvent = scenario({
  id: 'issue-86-starting-event-repeated',
  description:
    'Only Ralph learns how the workflow starts; a hat in the middle of it is not sent back to the start',
  covers: ['FR16', 'FR17'],
  expectedIterations: 3,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats(
      {
        author: {
          triggers: ['spec.request'],
          publishes: ['spec.ready'],
          instructions: `Write only ${nonce} in uppercase to spec.txt. Then run \`ralph emit spec.ready "written"\``,
        },
        critic: {
          triggers: ['spec.ready'],
          publishes: ['spec.approved'],
          instructions: `Work out ${a} + ${b} and write only the sum to marks.txt, as plain digits without commas. Then run \`ralph emit spec.approved "solid"\``,
        },
      },
      { maxIterations: 6 },
    ).startingWith('spec.request'),
    prompt: [
      'Have a specification written and reviewed. If a hat is active, follow only its instructions.',
      'If no hat is active and spec.approved is pending, declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('author', 'critic', 'ralph'),
    toldOnly: toldOnlyTo('ralph', 'publish `spec.request` to start the workflow'),
    spec: fileEquals('spec.txt', nonce.toUpperCase()),
    marks: fileEquals('marks.txt', `${a + b}`),
  }),

  agent: [
    // What agents did when the prompt said both: they followed the more forceful instruction.
    onHat('Critic').reads('publish `spec.request` to start the workflow').emits('spec.request', 'again'),
    onHat('Author')
      .reads(/Write only (\w+) in uppercase/)
      .writes('spec.txt', '{{upper 1}}\n')
      .emits('spec.ready', 'written'),
    onHat('Critic')
      .reads(/Work out (\d+) \+ (\d+)/)
      .writes('marks.txt', '{{add 1 2}}\n')
      .emits('spec.approved', 'solid'),
    onEvent('spec.approved').completes(),
    onObjective(/written and reviewed/).says('No hat is active, and I have nothing to do.'),
  ],

  saboteurs: {
    'every hat is told to start': {
      target: 'repeat-starting-event',
      kills: ['toldOnly', 'hats', 'marks', 'ends'],
      failure: 'PromptIneffective',
    },
    'Ralph is not told how to start': {
      target: 'no-topology',
      kills: ['toldOnly'],
      failure: 'PromptIneffective',
    },
    'no starting event': {
      config: configuring('event_loop', { starting_event: undefined }),
      kills: ['hats', 'toldOnly', 'spec', 'marks'],
      why: 'Without a starting event, Ralph has to delegate, and nothing tells it how.',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
