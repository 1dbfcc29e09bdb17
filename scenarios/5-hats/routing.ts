import {
  completed,
  eventEmitted,
  fileEquals,
  hatNeverActive,
  hatSequence,
  hats,
  onEvent,
  onHat,
  onObjective,
  promptContained,
  scenario,
  toldOnlyTo,
  toldToNobody,
} from '../../src/authoring.js';
import { emitting, withoutEmitting } from '../support/agent-changes.js';
import { changingHat } from '../support/arrangement-changes.js';
import { ignoresCompletion } from '../support/saboteurs.js';

/** Sends one event to three hats. The deployer would come first in every order except the right one. */
export const eventRouting = scenario({
  id: 'hat-event-routing',
  priority: 'must',
  description: 'An event activates the hat that is triggered by it, and no other',
  covers: ['FR17'],
  expectedIterations: 3,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats({
      deployer: {
        triggers: ['deploy.request'],
        publishes: ['deploy.finished'],
        instructions: `Deploy to the server xx${nonce}: write only its name to deployed.txt. Then run \`ralph emit deploy.finished "up"\``,
      },
      tester: {
        triggers: ['test.request'],
        publishes: ['test.finished'],
        instructions: [
          `Your bench is ${nonce}yy. Write only one line to tested.txt: its name in uppercase, a space,`,
          'and the payload of the pending test.request event. Then run `ralph emit test.finished "tested"`',
        ].join('\n'),
      },
      watcher: {
        triggers: ['watch.request'],
        publishes: ['watch.finished'],
        instructions:
          'Write only the word watched to watched.txt. Then run `ralph emit watch.finished "seen"`',
      },
    }).coordinated(),
    prompt: [
      'Have something tested, and nothing else. If a hat is active, follow only its instructions. Otherwise:',
      `1. If task.start is pending: work out ${a} + ${b} and run \`ralph emit test.request "<sum>"\`, with the sum as plain digits without commas.`,
      '2. If an event whose name ends in .finished is pending: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('ralph', 'tester', 'ralph'),
    neverActive: hatNeverActive('deployer'),
    toldOnly: toldOnlyTo('tester', `${nonce}yy`),
    toldNobody: toldToNobody(`xx${nonce}`),
    told: promptContained(`Event: test.request - ${a + b}`, { iteration: 2 }),
    file: fileEquals('tested.txt', `${nonce.toUpperCase()}YY ${a + b}`),
    published: eventEmitted('test.finished'),
  }),

  agent: [
    onHat('Tester')
      .reads(/Your bench is (\w+)\./)
      .reads(/^Event: test\.request - (\d+)$/m)
      .writes('tested.txt', '{{upper 1}} {{2}}\n')
      .emits('test.finished', 'tested'),
    // What the others would do if something activated them.
    onHat('Deployer')
      .reads(/to the server (\w+):/)
      .writes('deployed.txt', '{{1}}\n')
      .emits('deploy.finished', 'up'),
    onHat('Watcher').writes('watched.txt', 'watched\n').emits('watch.finished', 'seen'),
    onObjective(/nothing else/)
      .reads(/^Event: \w+\.finished - /m)
      .completes(),
    onEvent('test.request').says('There is no hat for this.').emits('test.finished', 'not tested'),
    onObjective(/work out (\d+) \+ (\d+)/).emits('test.request', '{{add 1 2}}'),
  ],

  saboteurs: {
    'events activate the wrong hat': {
      target: 'route-to-wrong-hat',
      kills: ['hats', 'neverActive', 'toldOnly', 'toldNobody', 'file', 'published'],
    },
    'the sum is wrong': {
      agent: emitting('test.request', { payload: '{{1}}' }),
      kills: ['told', 'file'],
      failure: 'EventMalformed',
    },
    'two hats have swapped their triggers': {
      config: (arrangement) =>
        changingHat('deployer', { triggers: ['test.request'] })(
          changingHat('tester', { triggers: ['deploy.request'] })(arrangement),
        ),
      kills: ['hats', 'neverActive', 'toldNobody'],
      why: 'Only the triggers decide which hat gets an event, so a mistake there must show.',
    },
    'the hat publishes nothing': {
      agent: withoutEmitting('test.finished'),
      kills: ['published', 'ends', 'hats'],
      failure: 'EventMissing',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});

/** Matches `audit.*` and `*.error`: a star matches exactly one segment, wherever it is. */
export const wildcardTriggers = scenario({
  id: 'hat-wildcard-triggers',
  description: 'Wildcard triggers activate their hats for any one segment, but not for longer topics',
  covers: ['FR17'],
  expectedIterations: 4,

  arrange: ({ numbers: [a, b] }) => ({
    config: hats(
      {
        auditor: {
          triggers: ['audit.*'],
          publishes: ['disk.error'],
          instructions:
            'The pending event is named audit.<number>. Write only that number to audited.txt. Then run `ralph emit disk.error "worn out"`',
        },
        medic: {
          triggers: ['*.error'],
          publishes: ['audit.is.over'],
          instructions:
            'Write only the word replaced to mended.txt. Then run `ralph emit audit.is.over "mended"`',
        },
      },
      { maxIterations: 6 },
    ).coordinated(),
    prompt: [
      'Have something audited. If a hat is active, follow only its instructions. Otherwise:',
      `1. If task.start is pending: work out ${a} + ${b} and run \`ralph emit audit.<sum> "please"\`, with the sum as plain digits without commas.`,
      '2. If audit.is.over is pending: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('ralph', 'auditor', 'medic', 'ralph'),
    told2: promptContained(`Event: audit.${a + b} - please`, { iteration: 2 }),
    audited: fileEquals('audited.txt', `${a + b}`),
    told3: promptContained('Event: disk.error - worn out', { iteration: 3 }),
    mended: fileEquals('mended.txt', 'replaced'),
    told4: promptContained('Event: audit.is.over - mended', { iteration: 4 }),
  }),

  agent: [
    onHat('Auditor')
      .reads(/^Event: audit\.(\d+) - /m)
      .writes('audited.txt', '{{1}}\n')
      .emits('disk.error', 'worn out'),
    onHat('Medic').writes('mended.txt', 'replaced\n').emits('audit.is.over', 'mended'),
    onEvent('audit.is.over').completes(),
    onEvent('disk.error').emits('audit.is.over', 'not mended'),
    onObjective(/audited/)
      .reads(/^Event: audit\./m)
      .emits('disk.error', 'not audited'),
    onObjective(/work out (\d+) \+ (\d+)/).emits('audit.{{add 1 2}}', 'please'),
  ],

  saboteurs: {
    'ralph takes triggers literally': {
      target: 'literal-triggers',
      kills: ['hats', 'audited', 'mended', 'told3', 'told4'],
    },
    "the medic's trigger has no star": {
      config: changingHat('medic', { triggers: ['net.error'] }),
      kills: ['hats', 'mended'],
      why: 'Without the wildcard, disk.error triggers no hat.',
    },
    'the sum is wrong': {
      agent: emitting('audit.{{add 1 2}}', { topic: 'audit.{{1}}' }),
      kills: ['told2', 'audited'],
      failure: 'EventMissing',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
