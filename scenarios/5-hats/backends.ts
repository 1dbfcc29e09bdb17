import {
  completed,
  eventEmitted,
  fileEquals,
  hatCalledWith,
  hatCalledWithout,
  hatRanOn,
  hatSequence,
  hats,
  onEvent,
  onHat,
  onObjective,
  scenario,
} from '../../src/authoring.js';
import { emitting, withoutEmitting } from '../support/agent-changes.js';
import { changingHat, configuring } from '../support/arrangement-changes.js';
import { ignoresCompletion } from '../support/saboteurs.js';

/** Runs two different CLIs in one loop and checks which one answered. The same CLI twice would prove nothing. */
export const backendOverride = scenario({
  id: 'hat-backend-override',
  companions: ({ second }) => [second],
  priority: 'must',
  description: "A hat with its own backend runs on it; all others run on the loop's backend",
  covers: ['FR18'],
  expectedIterations: 3,

  arrange: ({ second, nonce, numbers: [a, b] }) => ({
    config: hats({
      builder: {
        triggers: ['build.request'],
        publishes: ['build.finished'],
        instructions: `Write only ${nonce} in uppercase to built.txt. Then run \`ralph emit build.finished "built"\``,
      },
      reviewer: {
        triggers: ['build.finished'],
        publishes: ['verdict.given'],
        backend: second,
        instructions: `Work out ${a} + ${b} and write only the sum to reviewed.txt, as plain digits without commas. Then run \`ralph emit verdict.given "good"\``,
      },
    }).startingWith('build.request'),
    prompt: [
      'Have something built and reviewed. If a hat is active, follow only its instructions.',
      'If no hat is active and verdict.given is pending, declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ backend, second, nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('builder', 'reviewer', 'ralph'),
    ranOnBuilder: hatRanOn('builder', backend),
    ranOnReviewer: hatRanOn('reviewer', second),
    ranOnRalph: hatRanOn('ralph', backend),
    built: fileEquals('built.txt', nonce.toUpperCase()),
    reviewed: fileEquals('reviewed.txt', `${a + b}`),
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
    onEvent('verdict.given').completes(),
    onObjective(/built and reviewed/).says('No hat is active, and I have nothing to do.'),
  ],

  saboteurs: {
    "ralph ignores the hat's backend": { target: 'wrong-backend-for-hat', kills: ['ranOnReviewer'] },
    'the hat has no backend of its own': {
      config: changingHat('reviewer', { backend: undefined }),
      kills: ['ranOnReviewer'],
      why: 'Shows that the check can tell the two backends apart.',
    },
    'the whole loop runs on the other backend': {
      config: (arrangement, { second }) => configuring('cli', { backend: second })(arrangement),
      kills: ['ranOnBuilder', 'ranOnRalph'],
      why: "One hat's override must not affect the others.",
    },
    'the reviewer publishes nothing': {
      agent: withoutEmitting('verdict.given'),
      kills: ['ends', 'hats'],
      failure: 'UnexpectedTermination',
    },
  },
});

/** Runs only in the sim lane: only our stand-in reports the arguments that it was called with. */
export const backendArgs = scenario({
  id: 'hat-backend-args',
  lanes: ['sim'],
  backends: ['claude'],
  description: "A hat's arguments are in its own calls, after Ralph's, and in no others",
  covers: ['FR18'],
  expectedIterations: 4,

  arrange: ({ nonce, numbers: [a] }) => ({
    config: changingHat('guide', { args: ['--max-turns', `${a}`] })({
      prompt: '',
      config: hats({
        scout: {
          triggers: ['scout.request'],
          publishes: ['guide.request'],
          backendArgs: ['--model', `model-${nonce}`],
          instructions: 'Run `ralph emit guide.request "found"`',
        },
        guide: {
          triggers: ['guide.request'],
          publishes: ['stray.request'],
          backend: { type: 'claude', args: ['--append-system-prompt', nonce] },
          instructions: 'Run `ralph emit stray.request "lost"`',
        },
        stray: {
          triggers: ['stray.request'],
          publishes: ['stray.found'],
          backend: `no-such-cli-${nonce}`,
          instructions: 'Run `ralph emit stray.found "here"`',
        },
      }).startingWith('scout.request'),
    }).config,
    prompt: 'Find the stray. If no hat is active and stray.found is pending, declare the objective complete.',
  }),

  expect: ({ nonce, numbers: [a] }) => ({
    ends: completed(),
    hats: hatSequence('scout', 'guide', 'stray', 'ralph'),
    scout: hatCalledWith('scout', TOOLS_OFF, '--model', `model-${nonce}`),
    guide: hatCalledWith('guide', TOOLS_OFF, '--append-system-prompt', nonce, '--max-turns', `${a}`),
    stray: hatRanOn('stray', 'claude'),
    strayArgs: hatCalledWithout('stray', `model-${nonce}`),
    guideArgs: hatCalledWithout('guide', `model-${nonce}`),
    ralphArgs: hatCalledWithout('ralph', '--max-turns'),
  }),

  agent: [
    onHat('Scout').emits('guide.request', 'found'),
    onHat('Guide').emits('stray.request', 'lost'),
    onHat('Stray').emits('stray.found', 'here'),
    onEvent('stray.found').completes(),
  ],

  saboteurs: {
    'the arguments of hats are ignored': { target: 'drop-hat-arguments', kills: ['scout', 'guide'] },
    'every hat has the arguments of the scout': {
      config: (arrangement, { nonce }) =>
        configuring('cli', { args: ['--model', `model-${nonce}`, '--max-turns', '9'] })(arrangement),
      kills: ['strayArgs', 'ralphArgs'],
      why: 'Shows that the checks see arguments in the calls of other hats.',
    },
    'the scout publishes nothing': {
      agent: withoutEmitting('guide.request'),
      kills: ['hats', 'ends'],
      failure: 'EventMissing',
    },
  },
});

/** The last of the arguments that Ralph passes to Claude Code: it keeps the agent from tools of its own for tasks. */
const TOOLS_OFF = '--disallowedTools=TodoWrite,TaskCreate,TaskUpdate,TaskList,TaskGet';

/** Runs only in the sim lane: only our stand-in reports the arguments that it was called with. */
export const kiroAgent = scenario({
  id: 'hat-backend-kiro-agent',
  lanes: ['sim'],
  companions: () => ['kiro'],
  description: 'A hat with its own Kiro agent calls Kiro with that agent',
  covers: ['FR2', 'FR18'],
  expectedIterations: 3,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats({
      planner: {
        triggers: ['plan.request'],
        publishes: ['plan.finished'],
        instructions: `Work out ${a} + ${b} and run \`ralph emit plan.finished "<sum>"\`, with the sum as plain digits without commas.`,
      },
      builder: {
        triggers: ['plan.finished'],
        publishes: ['build.finished'],
        backend: { type: 'kiro', agent: `builder-${nonce}` },
        instructions:
          'Write only the payload of the pending plan.finished event to built.txt. Then run `ralph emit build.finished "built"`',
      },
    }).startingWith('plan.request'),
    prompt: [
      'Have something planned and built. If a hat is active, follow only its instructions.',
      'If no hat is active and build.finished is pending, declare the objective complete.',
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
    onObjective(/planned and built/).says('No hat is active, and I have nothing to do.'),
  ],

  saboteurs: {
    'Kiro without an agent': {
      config: changingHat('builder', { backend: 'kiro' }),
      kills: ['calledWith'],
      why: 'The short form of a backend names no agent, so the long form must make a difference.',
    },
    'the sum is wrong': {
      agent: emitting('plan.finished', { payload: '{{1}}' }),
      kills: ['published', 'file'],
      failure: 'EventMalformed',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
