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
  without,
} from '../../../src/authoring.js';
import { emitting } from '../../support/agent-changes.js';
import { changingHat, configuring } from '../../support/arrangement-changes.js';
import { ignoresCompletion } from '../../support/saboteurs.js';

/** https://github.com/mikeyobrien/ralph-orchestrator/issues/86, its second bug: such events were logged and lost. */
export const issue86Orphans = scenario({
  id: 'issue-86-orphaned-events',
  tier: 5,
  priority: 'should',
  phase: 'green',
  description: 'An event that no hat waits for goes to Ralph, with its payload',
  covers: ['FR17'],
  expectedIterations: 2,

  arrange: ({ numbers: [a, b, c] }) => ({
    config: hats({
      builder: {
        triggers: ['build.request'],
        publishes: ['build.odd'],
        instructions: `Work out ${a} + ${b} and run: ralph emit build.odd "<the bare sum>"`,
      },
      tester: {
        triggers: ['test.request'],
        publishes: ['test.finished'],
        instructions: 'Write "tested" into tested.txt and run: ralph emit test.finished "tested"',
      },
    }).startingWith('build.request'),
    prompt: [
      'See what the builder has to say. A hat that is active follows its own instructions.',
      `When no hat is active: if build.odd is pending, add ${c} to its payload and write the bare sum into odd.txt. Then declare the objective complete.`,
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
    'orphans are lost': { target: 'drop-orphans', kills: ['told', 'file'] },
    'somebody waits for it after all': {
      config: changingHat('tester', { triggers: ['build.odd'] }),
      kills: ['hats', 'file'],
      failure: 'AssertionMismatch',
      why: 'An event is an orphan only as long as no hat has it among its triggers.',
    },
    'the sum is wrong': {
      agent: emitting('build.odd', { payload: '{{1}}' }),
      kills: ['published', 'told', 'file'],
      failure: 'EventMalformed',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});

/** The same issue, its first bug: every prompt told to publish the starting event, and agents began anew with it. */
export const issue86StartingEvent = scenario({
  id: 'issue-86-starting-event-repeated',
  tier: 5,
  priority: 'should',
  phase: 'green',
  description:
    'Only Ralph is told how the workflow starts; a hat in the middle of it is not sent back to its beginning',
  covers: ['FR16', 'FR17'],
  expectedIterations: 3,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats(
      {
        author: {
          triggers: ['spec.request'],
          publishes: ['spec.ready'],
          instructions: `Write ${nonce} in capital letters into spec.txt and run: ralph emit spec.ready "written"`,
        },
        critic: {
          triggers: ['spec.ready'],
          publishes: ['spec.approved'],
          instructions: `Work out ${a} + ${b}, write the bare sum into marks.txt and run: ralph emit spec.approved "solid"`,
        },
      },
      { maxIterations: 6 },
    ).startingWith('spec.request'),
    prompt: [
      'Have a specification written and criticised. A hat that is active follows its own instructions.',
      'When spec.approved is pending and no hat is active, declare the objective complete.',
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
    // What agents did when they were told both: they followed the louder voice.
    onHat('Critic').reads('publish `spec.request` to start the workflow').emits('spec.request', 'again'),
    onHat('Author')
      .reads(/Write (\w+) in capital letters/)
      .writes('spec.txt', '{{upper 1}}\n')
      .emits('spec.ready', 'written'),
    onHat('Critic')
      .reads(/Work out (\d+) \+ (\d+)/)
      .writes('marks.txt', '{{add 1 2}}\n')
      .emits('spec.approved', 'solid'),
    onEvent('spec.approved').completes(),
    onObjective(/written and criticised/).says('No hat has the work, and none of it is mine to do.'),
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
      failure: 'AssertionMismatch',
      why: 'Without a starting event Ralph has to delegate, and here nobody tells him how.',
    },
    'says that all is written, and writes nothing': { agent: without('writes'), kills: ['spec', 'marks'] },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
