import {
  completed,
  eventEmitted,
  eventsInOrder,
  fileEquals,
  hatNeverActive,
  hatSequence,
  hats,
  onEvent,
  onHat,
  onObjective,
  promptContained,
  publishedByRalph,
  scenario,
  without,
} from '../../../src/authoring.js';
import { emitting } from '../../support/agent-changes.js';
import { configuring } from '../../support/arrangement-changes.js';
import { ignoresCompletion } from '../../support/saboteurs.js';

/** https://github.com/mikeyobrien/ralph-orchestrator/issues/193: an agent skipped the steps of a workflow. */
export const issue193 = scenario({
  id: 'issue-193-hat-scope',
  tier: 5,
  priority: 'should',
  phase: 'green',
  description:
    'With an enforced scope, what a hat did not declare is not published, and Ralph learns of the attempt',
  covers: ['FR17'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats(
      {
        builder: {
          triggers: ['build.request'],
          publishes: ['build.finished'],
          instructions: `Work out ${a} + ${b} and run exactly this: ralph emit deploy.request "<the bare sum>"`,
        },
        deployer: {
          triggers: ['deploy.request'],
          publishes: ['deploy.finished'],
          instructions: `Write ${nonce} into deployed.txt and run: ralph emit deploy.finished "up"`,
        },
      },
      { maxIterations: 5, enforceHatScope: true },
    ).startingWith('build.request'),
    prompt: [
      'We try whether a builder can deploy. A hat that is active follows its own instructions. This is what Ralph does:',
      '1. builder.scope_violation is pending: write the number in it into refused.txt and declare the objective complete.',
      '2. deploy.finished is pending: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('builder', 'ralph'),
    published: eventEmitted('deploy.request', `${a + b}`),
    neverActive: hatNeverActive('deployer'),
    byRalph: publishedByRalph('builder.scope_violation', { iteration: 2 }),
    told: promptContained(`Attempted to publish 'deploy.request': ${a + b}`, { iteration: 2 }),
    file: fileEquals('refused.txt', `${a + b}`),
  }),

  agent: [
    onHat('Builder')
      .reads(/Work out (\d+) \+ (\d+)/)
      .emits('deploy.request', '{{add 1 2}}'),
    onHat('Deployer')
      .reads(/Write (\w+) into deployed\.txt/)
      .writes('deployed.txt', '{{1}}\n')
      .emits('deploy.finished', 'up'),
    onEvent('builder.scope_violation')
      .reads(/Attempted to publish 'deploy\.request': (\d+)/)
      .writes('refused.txt', '{{1}}\n')
      .completes(),
    onEvent('deploy.finished').completes(),
    onObjective(/can deploy/).says('No hat has the work, and none of it is mine to do.'),
  ],

  saboteurs: {
    'the scope is not enforced': {
      target: 'ignore-hat-scope',
      kills: ['hats', 'neverActive', 'byRalph', 'told', 'file'],
    },
    'nobody asks for the scope': {
      config: configuring('event_loop', { enforce_hat_scope: false }),
      kills: ['hats', 'neverActive', 'byRalph', 'told', 'file'],
      failure: 'AssertionMismatch',
      why: 'By default a hat may publish anything: this is the failure that people reported.',
    },
    'the sum is wrong': {
      agent: emitting('deploy.request', { payload: '{{1}}' }),
      kills: ['published', 'told', 'file'],
      failure: 'EventMalformed',
    },
    'does not write what was refused': { agent: without('writes'), kills: ['file'] },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});

/** https://github.com/mikeyobrien/ralph-orchestrator/pull/195: a workflow must not end before all its phases were there. */
export const issue195 = scenario({
  id: 'issue-195-required-events',
  tier: 5,
  priority: 'should',
  phase: 'green',
  description:
    'Completion is refused until every required event was published, and Ralph is told which one is missing',
  covers: ['FR10', 'FR16'],
  expectedIterations: 5,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats(
      {
        builder: {
          triggers: ['build.request'],
          publishes: ['build.finished'],
          instructions: `Write ${nonce} in capital letters into built.txt and run: ralph emit build.finished "built"`,
        },
        reviewer: {
          triggers: ['review.request'],
          publishes: ['verdict.given'],
          instructions: `Work out ${a} + ${b}, write the bare sum into reviewed.txt and run: ralph emit verdict.given "good"`,
        },
      },
      { maxIterations: 8, requiredEvents: ['verdict.given'] },
    ).startingWith('build.request'),
    prompt: [
      'Have something built. A hat that is active follows its own instructions. This is what Ralph does:',
      '1. build.finished or verdict.given is pending: declare the objective complete.',
      '2. task.resume is pending and names a required event that is missing: run: ralph emit review.request "please"',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('builder', 'ralph', 'ralph', 'reviewer', 'ralph'),
    built: fileEquals('built.txt', nonce.toUpperCase()),
    byRalph: publishedByRalph('task.resume', { iteration: 3 }),
    told: promptContained(/missing required events: \["verdict\.given"\]/, { iteration: 3 }),
    reviewed: fileEquals('reviewed.txt', `${a + b}`),
    order: eventsInOrder('LOOP_COMPLETE', 'verdict.given', 'LOOP_COMPLETE'),
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
    onEvent('build.finished').completes(),
    onEvent('verdict.given').completes(),
    onEvent('task.resume')
      .reads(/missing required events/)
      .emits('review.request', 'please'),
    onObjective(/Have something built/).says('No hat has the work, and none of it is mine to do.'),
  ],

  saboteurs: {
    'completion is granted at once': {
      target: 'ignore-required-events',
      kills: ['hats', 'byRalph', 'told', 'reviewed', 'order'],
      failure: 'UnexpectedTermination',
    },
    'nothing is required': {
      config: configuring('event_loop', { required_events: [] }),
      kills: ['hats', 'byRalph', 'told', 'reviewed', 'order'],
      failure: 'UnexpectedTermination',
      why: 'Shows that an agent in a hurry completes without the review, unless it is required.',
    },
    'says that all is written, and writes nothing': {
      agent: without('writes'),
      kills: ['built', 'reviewed'],
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
