import {
  type BackendId,
  completed,
  eventEmitted,
  fileEquals,
  hatCalledWith,
  hatRanOn,
  hatSequence,
  hats,
  onEvent,
  onHat,
  onObjective,
  type ScenarioContext,
  scenario,
  without,
} from '../../src/authoring.js';
import { emitting, withoutEmitting } from '../support/agent-changes.js';
import { changingHat, configuring } from '../support/arrangement-changes.js';
import { ignoresCompletion } from '../support/saboteurs.js';

/** Claude and Kiro, as the design has it; where our model server takes part, OpenCode, because Kiro cannot ask it. */
export function findPartner({ backend, lane }: Pick<ScenarioContext, 'backend' | 'lane'>): BackendId {
  if (backend !== 'claude') return 'claude';
  return lane === 'scripted' ? 'opencode' : 'kiro';
}

/** Two different CLIs in one loop, and a witness of which one answered. The same one twice would prove nothing. */
export const backendOverride = scenario({
  id: 'hat-backend-override',
  companions: (run) => [findPartner(run)],
  tier: 5,
  priority: 'must',
  phase: 'green',
  description: 'A hat with a backend of its own runs on it, all others on the backend of the loop',
  covers: ['FR18'],
  expectedIterations: 3,

  arrange: ({ nonce, numbers: [a, b], ...run }) => ({
    config: hats({
      builder: {
        triggers: ['build.request'],
        publishes: ['build.finished'],
        instructions: `Write ${nonce} in capital letters into built.txt and run: ralph emit build.finished "built"`,
      },
      reviewer: {
        triggers: ['build.finished'],
        publishes: ['verdict.given'],
        backend: findPartner(run),
        instructions: `Work out ${a} + ${b}, write the bare sum into reviewed.txt and run: ralph emit verdict.given "good"`,
      },
    }).startingWith('build.request'),
    prompt: [
      'Have something built and reviewed. A hat that is active follows its own instructions.',
      'When verdict.given is pending and no hat is active, declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b], ...run }) => ({
    ends: completed(),
    hats: hatSequence('builder', 'reviewer', 'ralph'),
    ranOnBuilder: hatRanOn('builder', run.backend),
    ranOnReviewer: hatRanOn('reviewer', findPartner(run)),
    ranOnRalph: hatRanOn('ralph', run.backend),
    built: fileEquals('built.txt', nonce.toUpperCase()),
    reviewed: fileEquals('reviewed.txt', `${a + b}`),
  }),

  agent: [
    onHat('Builder')
      .reads(/Write (\w+) in capital letters/)
      .writes('built.txt', '{{upper 1}}\n')
      .emits('build.finished', 'built'),
    onHat('Reviewer')
      .reads(/Work out (\d+) \+ (\d+)/)
      .writes('reviewed.txt', '{{add 1 2}}\n')
      .emits('verdict.given', 'good'),
    onEvent('verdict.given').completes(),
    onObjective(/built and reviewed/).says('No hat has the work, and none of it is mine to do.'),
  ],

  saboteurs: {
    'the backend of the hat is ignored': { target: 'wrong-backend-for-hat', kills: ['ranOnReviewer'] },
    'no backend of its own': {
      config: changingHat('reviewer', { backend: undefined }),
      kills: ['ranOnReviewer'],
      failure: 'AssertionMismatch',
      why: 'Shows that the witness tells one backend from the other.',
    },
    'the whole loop runs on the other backend': {
      config: (arrangement, context) => configuring('cli', { backend: findPartner(context) })(arrangement),
      kills: ['ranOnBuilder', 'ranOnRalph'],
      failure: 'AssertionMismatch',
      why: 'An override of one hat must not spread to the others.',
    },
    'says that all is written, and writes nothing': {
      agent: without('writes'),
      kills: ['built', 'reviewed'],
    },
    'the reviewer publishes nothing': {
      agent: withoutEmitting('verdict.given'),
      kills: ['ends', 'hats'],
      failure: 'UnexpectedTermination',
    },
  },
});

/** Only our stand-in tells with which arguments it was called, and only the sim lane has it. */
export const kiroAgent = scenario({
  id: 'hat-backend-kiro-agent',
  lanes: ['sim'],
  companions: () => ['kiro'],
  tier: 5,
  priority: 'should',
  phase: 'green',
  description: 'A hat with a Kiro agent of its own calls Kiro with that agent',
  covers: ['FR2', 'FR18'],
  expectedIterations: 3,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats({
      planner: {
        triggers: ['plan.request'],
        publishes: ['plan.finished'],
        instructions: `Work out ${a} + ${b} and run: ralph emit plan.finished "<the bare sum>"`,
      },
      builder: {
        triggers: ['plan.finished'],
        publishes: ['build.finished'],
        backend: { type: 'kiro', agent: `builder-${nonce}` },
        instructions:
          'Write the payload of the pending plan.finished into built.txt and run: ralph emit build.finished "built"',
      },
    }).startingWith('plan.request'),
    prompt: [
      'Have something planned and built. A hat that is active follows its own instructions.',
      'When build.finished is pending and no hat is active, declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ backend, nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('planner', 'builder', 'ralph'),
    ranOnPlanner: hatRanOn('planner', backend),
    ranOnBuilder: hatRanOn('builder', 'kiro'),
    calledWith: hatCalledWith(
      'builder',
      'chat',
      '--no-interactive',
      '--trust-all-tools',
      '--agent',
      `builder-${nonce}`,
    ),
    published: eventEmitted('plan.finished', `${a + b}`),
    file: fileEquals('built.txt', `${a + b}`),
  }),

  agent: [
    onHat('Planner')
      .reads(/Work out (\d+) \+ (\d+)/)
      .emits('plan.finished', '{{add 1 2}}'),
    onHat('Builder')
      .reads(/^Event: plan\.finished - (\d+)$/m)
      .writes('built.txt', '{{1}}\n')
      .emits('build.finished', 'built'),
    onEvent('build.finished').completes(),
    onObjective(/planned and built/).says('No hat has the work, and none of it is mine to do.'),
  ],

  saboteurs: {
    'Kiro without an agent': {
      config: changingHat('builder', { backend: 'kiro' }),
      kills: ['calledWith'],
      failure: 'AssertionMismatch',
      why: 'The short form of a backend has no agent: the long one must make a difference.',
    },
    'the backend of the hat is another': {
      config: (arrangement, { backend }) =>
        changingHat('builder', { backend: backend === 'kiro' ? 'claude' : backend })(arrangement),
      kills: ['ranOnBuilder', 'calledWith'],
      failure: 'AssertionMismatch',
    },
    'the whole loop runs on another backend': {
      config: (arrangement, { backend }) =>
        configuring('cli', { backend: backend === 'claude' ? 'kiro' : 'claude' })(arrangement),
      kills: ['ranOnPlanner'],
      failure: 'AssertionMismatch',
    },
    'the sum is wrong': {
      agent: emitting('plan.finished', { payload: '{{1}}' }),
      kills: ['published', 'file'],
      failure: 'EventMalformed',
    },
    'says that it has built, and has not': { agent: without('writes'), kills: ['file'] },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
