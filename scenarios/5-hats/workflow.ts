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
} from '../../src/authoring.js';
import { emitting, withoutEmitting } from '../support/agent-changes.js';
import { changingHat } from '../support/arrangement-changes.js';
import { ignoresCompletion } from '../support/saboteurs.js';
import { buildEvidence } from '../support/texts.js';

/** Ralph delegates with an event; the hat that it triggers follows its own instructions and answers with its own event. */
export const single = scenario({
  id: 'hat-single',
  priority: 'must',
  description:
    'A hat takes over when its event is published, follows its instructions and publishes its own event',
  covers: ['FR15'],
  expectedIterations: 3,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats({
      builder: {
        triggers: ['build.task'],
        publishes: ['build.finished'],
        instructions: [
          `Your mark is ${nonce}. Create sign.txt with only one line: your mark in uppercase, a space,`,
          'and the payload of the pending build.task event. Then run `ralph emit build.finished "sign.txt is written"`',
        ].join('\n'),
      },
    }).coordinated(),
    prompt: [
      'Have a sign made. If a hat is active, follow only its instructions. Otherwise:',
      `1. If task.start is pending: work out ${a} + ${b} and run \`ralph emit build.task "<sum>"\`, with the sum as plain digits without commas.`,
      '2. If build.finished is pending: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('ralph', 'builder', 'ralph'),
    buildTask: eventEmitted('build.task', `${a + b}`),
    told: promptContained(`Event: build.task - ${a + b}`, { iteration: 2 }),
    toldOnly: toldOnlyTo('builder', nonce),
    file: fileEquals('sign.txt', `${nonce.toUpperCase()} ${a + b}`),
    buildFinished: eventEmitted('build.finished'),
  }),

  agent: [
    onHat('Builder')
      .reads(/Your mark is (\w+)\./)
      .reads(/^Event: build\.task - (\d+)$/m)
      .writes('sign.txt', '{{upper 1}} {{2}}\n')
      .emits('build.finished', 'sign.txt is written'),
    onEvent('build.finished').completes(),
    // An agent that was not told what to do with it.
    onEvent('build.task').emits('build.finished', 'There was nothing to do.'),
    onObjective(/work out (\d+) \+ (\d+)/).emits('build.task', '{{add 1 2}}'),
  ],

  saboteurs: {
    'the sum is wrong': {
      agent: emitting('build.task', { payload: '{{1}}' }),
      kills: ['buildTask', 'told', 'file'],
      failure: 'EventMalformed',
    },
    'the hat publishes nothing': {
      agent: withoutEmitting('build.finished'),
      kills: ['buildFinished', 'hats', 'ends'],
      failure: 'EventMissing',
    },
    'no hat instructions': {
      config: changingHat('builder', { instructions: 'Do what the event asks for.' }),
      kills: ['toldOnly', 'file'],
      failure: 'PromptIneffective',
      why: "A hat without instructions is an agent without a role: its work must not count as the hat's.",
    },
    'hat instructions never reach the agent': {
      target: 'drop-hat-instructions',
      kills: ['toldOnly', 'file'],
      failure: 'PromptIneffective',
    },
    'the event does not activate the hat': { target: 'route-to-wrong-hat', kills: ['hats', 'toldOnly'] },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});

const EVIDENCE = buildEvidence(3);

/**
 * Runs the delegation cycle. In the seed, task.start triggers the planner, but ralph 2.10.1 keeps that event for itself:
 * our own starting event takes its place.
 */
export const multiWorkflow = scenario({
  id: 'hat-multi-workflow',
  priority: 'must',
  description: 'The planner delegates to the builder, and build.done brings the work back to the planner',
  covers: ['FR16', 'FR11'],
  expectedIterations: 4,

  arrange: ({ numbers: [a, b, c] }) => ({
    config: hats(
      {
        planner: {
          triggers: ['plan.request', 'build.done'],
          publishes: ['build.task', 'plan.finished'],
          instructions: [
            `1. If plan.request is pending: work out ${a} + ${b} and run \`ralph emit build.task "<sum>"\`, with the sum as plain digits without commas.`,
            '2. If build.done is pending: copy product.txt to plan.txt, unchanged. Then run `ralph emit plan.finished "all built"`',
          ].join('\n'),
        },
        builder: {
          triggers: ['build.task'],
          publishes: ['build.done'],
          instructions: [
            `Add ${c} to the payload of the pending build.task event. Write only the sum to product.txt, as plain digits without commas.`,
            'There is no code to check here. This tests the gate that ralph has for build.done, so publish exactly this evidence, which is made up for the test:',
            `\`ralph emit build.done "${EVIDENCE}"\``,
          ].join('\n'),
        },
      },
      { maxIterations: 7 },
    ).startingWith('plan.request'),
    prompt: [
      'Have product.txt planned and built. If a hat is active, follow only its instructions.',
      'If no hat is active and plan.finished is pending, declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b, c] }) => ({
    ends: completed(),
    hats: hatSequence('planner', 'builder', 'planner', 'ralph'),
    buildTask: eventEmitted('build.task', `${a + b}`),
    told2: promptContained(`Event: build.task - ${a + b}`, { iteration: 2 }),
    product: fileEquals('product.txt', `${a + b + c}`),
    buildDone: eventEmitted('build.done', EVIDENCE),
    told3: promptContained('Event: build.done - tests: pass', { iteration: 3 }),
    plan: fileEquals('plan.txt', `${a + b + c}`),
    planFinished: eventEmitted('plan.finished'),
  }),

  agent: [
    onHat('Planner')
      .when({ event: 'build.done' })
      .runs('cp product.txt plan.txt')
      .emits('plan.finished', 'all built'),
    onHat('Planner')
      .reads(/work out (\d+) \+ (\d+)/)
      .emits('build.task', '{{add 1 2}}'),
    onHat('Builder')
      .reads(/^Event: build\.task - (\d+)$/m)
      .reads(/Add (\d+) to the payload/)
      .writes('product.txt', '{{add 1 2}}\n')
      .emits('build.done', EVIDENCE),
    onEvent('plan.finished').completes(),
    onObjective(/planned and built/).says('No hat is active, and I have nothing to do.'),
  ],

  saboteurs: {
    'says that everything is written, but writes nothing': {
      agent: without('writes', 'runs'),
      kills: ['product', 'plan'],
    },
    'the planner adds wrongly': {
      agent: emitting('build.task', { payload: '{{1}}' }),
      kills: ['buildTask', 'told2', 'product', 'plan'],
      failure: 'EventMalformed',
    },
    'the evidence has only five items': {
      agent: emitting('build.done', {
        payload: 'tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass',
      }),
      kills: ['buildDone', 'told3', 'hats', 'ends', 'plan'],
      failure: 'EventMissing',
      why: "The example in ralph's own prompt has these five. The gate turns it into build.blocked, and the planner never hears of the build.",
    },
    'the planner does not say that it is done': {
      agent: withoutEmitting('plan.finished'),
      kills: ['planFinished', 'ends', 'hats'],
      failure: 'EventMissing',
    },
    'build.done does not come back to the planner': {
      config: changingHat('planner', { triggers: ['plan.request'] }),
      kills: ['hats', 'plan', 'planFinished'],
      why: 'If the cycle does not close, the plan stays half done, and nobody notices.',
    },
    'events activate the wrong hat': { target: 'route-to-wrong-hat', kills: ['hats', 'ends'] },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
