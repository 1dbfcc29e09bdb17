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
  RALPH_TOPICS,
  scenario,
} from '../../../src/authoring.js';
import { emitting } from '../../support/agent-changes.js';
import { configuring } from '../../support/arrangement-changes.js';
import { ignoresCompletion } from '../../support/saboteurs.js';

/** https://github.com/mikeyobrien/ralph-orchestrator/issues/193: an agent skipped steps of a workflow. */
export const issue193 = scenario({
  id: 'issue-193-hat-scope',
  description:
    'With an enforced scope, ralph does not publish an event that the hat did not declare, and Ralph learns of the attempt',
  covers: ['FR17'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats(
      {
        builder: {
          triggers: ['build.request'],
          publishes: ['build.finished'],
          instructions: `Work out ${a} + ${b} and run \`ralph emit deploy.request "<sum>"\`, with the sum as plain digits without commas. This tests that ralph blocks an event that you may not publish, so it overrides the Event Publishing Guide below.`,
        },
        deployer: {
          triggers: ['deploy.request'],
          publishes: ['deploy.finished'],
          instructions: `Write only ${nonce} to deployed.txt. Then run \`ralph emit deploy.finished "up"\``,
        },
      },
      { maxIterations: 5, enforceHatScope: true },
    ).startingWith('build.request'),
    prompt: [
      'Find out whether a builder can deploy. If a hat is active, follow only its instructions. Otherwise:',
      '1. If builder.scope_violation is pending: write only the number in it to refused.txt and declare the objective complete. In this test Ralph writes that one file itself, although the guide says to delegate.',
      '2. If deploy.finished is pending: declare the objective complete.',
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
      .reads(/Write only (\w+) to deployed\.txt/)
      .writes('deployed.txt', '{{1}}\n')
      .emits('deploy.finished', 'up'),
    onEvent('builder.scope_violation')
      .reads(/Attempted to publish 'deploy\.request': (\d+)/)
      .writes('refused.txt', '{{1}}\n')
      .completes(),
    onEvent('deploy.finished').completes(),
    onObjective(/can deploy/).says('No hat is active, and I have nothing to do.'),
  ],

  saboteurs: {
    'ralph does not enforce the scope': {
      target: 'ignore-hat-scope',
      kills: ['hats', 'neverActive', 'byRalph', 'told', 'file'],
    },
    'the configuration does not enforce the scope': {
      config: configuring('event_loop', { enforce_hat_scope: false }),
      kills: ['hats', 'neverActive', 'byRalph', 'told', 'file'],
      why: 'By default, a hat may publish anything: this is the failure that people reported.',
    },
    'the sum is wrong': {
      agent: emitting('deploy.request', { payload: '{{1}}' }),
      kills: ['published', 'told', 'file'],
      failure: 'EventMalformed',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});

/** https://github.com/mikeyobrien/ralph-orchestrator/pull/195: a workflow must not end before all its phases are done. */
export const issue195 = scenario({
  id: 'issue-195-required-events',
  description:
    'Completion is refused until every required event has been published, and Ralph learns which one is missing',
  covers: ['FR10', 'FR16'],
  expectedIterations: 5,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats(
      {
        builder: {
          triggers: ['build.request'],
          publishes: ['build.finished'],
          instructions: `Write only ${nonce} in uppercase to built.txt. Then run \`ralph emit build.finished "built"\``,
        },
        reviewer: {
          triggers: ['review.request'],
          publishes: ['verdict.given'],
          instructions: `Work out ${a} + ${b} and write only the sum to reviewed.txt, as plain digits without commas. Then run \`ralph emit verdict.given "good"\``,
        },
      },
      { maxIterations: 8, requiredEvents: ['build.finished', 'verdict.given'] },
    ).startingWith('build.request'),
    prompt: [
      'Have something built. If a hat is active, follow only its instructions. Otherwise:',
      '1. If build.finished or verdict.given is pending: declare the objective complete with `ralph emit LOOP_COMPLETE "done"`.',
      '   This tests that ralph refuses completion while a required event is missing, so the first time is too early on purpose.',
      '2. If task.resume is pending and names a missing event: run `ralph emit review.request "please"`',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('builder', 'ralph', 'ralph', 'reviewer', 'ralph'),
    built: fileEquals('built.txt', nonce.toUpperCase()),
    byRalph: publishedByRalph(RALPH_TOPICS.resume, { iteration: 3 }),
    told: promptContained(/missing required events: \["verdict\.given"\]/, { iteration: 3 }),
    reviewed: fileEquals('reviewed.txt', `${a + b}`),
    order: eventsInOrder('LOOP_COMPLETE', 'verdict.given', 'LOOP_COMPLETE'),
  }),

  agent: [
    onHat('Builder')
      .reads(/Write only (\w+) in uppercase/)
      .writes('built.txt', '{{upper 1}}\n')
      .emits('build.finished', 'built'),
    onHat('Reviewer')
      .reads(/Work out (\d+) \+ (\d+)/)
      .writes('reviewed.txt', '{{add 1 2}}\n')
      .emits('verdict.given', 'good'),
    onEvent('build.finished').completes(),
    onEvent('verdict.given').completes(),
    onEvent(RALPH_TOPICS.resume)
      .reads(/missing required events/)
      .emits('review.request', 'please'),
    onObjective(/Have something built/).says('No hat is active, and I have nothing to do.'),
  ],

  saboteurs: {
    'ralph grants completion at once': {
      target: 'ignore-required-events',
      kills: ['hats', 'byRalph', 'told', 'reviewed', 'order'],
      failure: 'UnexpectedTermination',
    },
    'ralph needs only the first one': {
      target: 'first-required-event-only',
      kills: ['hats', 'byRalph', 'told', 'reviewed', 'order'],
      failure: 'UnexpectedTermination',
      why: 'The builder has published its event: only the second one is missing.',
    },
    'no event is required': {
      config: configuring('event_loop', { required_events: [] }),
      kills: ['hats', 'byRalph', 'told', 'reviewed', 'order'],
      failure: 'UnexpectedTermination',
      why: 'Shows that an agent in a hurry completes without the review unless it is required.',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
