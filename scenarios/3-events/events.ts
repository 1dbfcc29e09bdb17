import {
  completed,
  endedAtOnce,
  eventEmitted,
  fileEquals,
  loop,
  onEvent,
  onObjective,
  pendingEvents,
  promptContained,
  type Step,
  scenario,
  toolUsed,
  without,
} from '../../src/authoring.js';
import { changingEach } from '../support/agent-changes.js';
import { NEVER_COMPLETES } from '../support/saboteurs.js';
import { buildEvidence, reverse } from '../support/texts.js';

/** Publishes in both ways, each with text and with JSON; the next iteration gets all four events and uses them. */
const events = scenario({
  id: 'claude-events',
  backend: 'claude',
  description:
    'Events published by command and by tag, with text and with JSON, are recorded and reach the next iteration',
  covers: ['FR1', 'FR6'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a, b, c] }) => ({
    config: loop({ maxIterations: 4 }),
    prompt: [
      'Do exactly one of these two steps per iteration, then stop. The pending events tell you which.',
      '1. If no event named count.text is pending, publish four events. This tests both ways to publish, so it overrides the',
      '   guide below, which knows only `ralph emit` and wants you to stop after one event.',
      '   First say these two lines as plain text, without a code block:',
      '   <event topic="tag.text">UPPERCASE</event>',
      '   <event topic="tag.json">{"word": "BACKWARDS"}</event>',
      `   The word is ${nonce}. Replace UPPERCASE with the word in uppercase, and BACKWARDS with the word spelled backwards.`,
      '   Change nothing else in them. Then run these two commands in one shell call, and stop:',
      `   ralph emit count.text "<the result of ${a} + ${b}>"`,
      `   ralph emit count.json --json '{"total": <the result of ${b} + ${c}>}'`,
      '2. If count.text is pending, write exactly two lines to events.txt:',
      '   line 1: the sum of the count.text payload and the total in count.json',
      '   line 2: the tag.text payload immediately followed by the word in tag.json, with no space between them',
      '   Then declare the objective complete.',
      'Write numbers as plain digits, without commas.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b, c] }) => ({
    ends: completed(),
    iterations: endedAtOnce(),
    ran: toolUsed('Bash', { input: 'ralph emit count' }),
    countText: eventEmitted('count.text', new RegExp(`^${a + b}$`)),
    countJson: eventEmitted('count.json', new RegExp(`^\\{"total":${b + c}\\}$`)),
    tagText: eventEmitted('tag.text', new RegExp(`^${nonce.toUpperCase()}$`)),
    tagJson: eventEmitted('tag.json', new RegExp(`^\\{"word": "${reverse(nonce)}"\\}$`)),
    heardCountText: promptContained(`Event: count.text - ${a + b}\n`),
    heardCountJson: promptContained(`Event: count.json - {"total":${b + c}}\n`),
    heardTagText: promptContained(`Event: tag.text - ${nonce.toUpperCase()}\n`),
    heardTagJson: promptContained(`Event: tag.json - {"word": "${reverse(nonce)}"}\n`),
    file: fileEquals('events.txt', `${a + b + b + c}\n${nonce.toUpperCase()}${reverse(nonce)}`),
  }),

  agent: [
    onEvent('count.text')
      .reads(/^Event: count\.text - (\d+)$/m)
      .reads(/^Event: count\.json - \{"total":(\d+)\}$/m)
      .reads(/^Event: tag\.text - (\w+)$/m)
      .reads(/^Event: tag\.json - \{"word": "(\w+)"\}$/m)
      .writes('events.txt', '{{add 1 2}}\n{{3}}{{4}}\n')
      .completes(),
    onObjective(/The word is (\w+)\./)
      .reads(/result of (\d+) \+ (\d+)>"/)
      .reads(/result of (\d+) \+ (\d+)>\}/)
      .emits('tag.text', '{{upper 1}}', 'tag')
      .emits('tag.json', '{"word": "{{reverse 1}}"}', 'tag')
      .runs(`ralph emit count.text {{add 2 3}} && ralph emit count.json --json '{"total": {{add 4 5}}}'`),
  ],

  saboteurs: {
    'talks about its tags instead of writing them': {
      agent: changingEach('emit', (step) => ({
        do: 'say',
        text: `I publish ${step.topic}: ${step.payload}`,
      })),
      kills: ['tagText', 'tagJson', 'heardTagText', 'heardTagJson'],
      failure: 'EventMissing',
    },
    'describes its commands instead of running them': {
      agent: changingEach('run', () => ({ do: 'say', text: 'Both are published.' })),
      kills: ['ran', 'countText', 'countJson', 'heardCountText', 'heardCountJson'],
      failure: 'EventMissing',
    },
    'does not write down what it got': { agent: without('writes'), kills: ['file'] },
    'never declares completion': { ...NEVER_COMPLETES, kills: ['ends', 'iterations'] },
    'ralph ignores tags': {
      target: 'ignore-event-tags',
      kills: ['tagText', 'tagJson'],
      failure: 'EventMissing',
      why: 'The agent printed its tags: only the events file shows that they were lost.',
    },
    'ralph writes truncated lines': {
      target: 'corrupt-events',
      kills: ['countText', 'countJson', 'tagText', 'tagJson'],
      failure: 'EventMalformed',
    },
    'ralph passes no event on': {
      target: 'drop-pending-events',
      kills: ['heardCountText', 'heardCountJson', 'heardTagText', 'heardTagJson', 'ends'],
    },
  },
});

const EVIDENCE = buildEvidence(7);

/** Claims a build without evidence, which ralph refuses and says so, and then with evidence, which passes. */
const backpressure = scenario({
  id: 'claude-backpressure',
  backend: 'claude',
  description:
    'build.done without evidence comes back as build.blocked; with all the evidence, it is accepted',
  covers: ['FR1', 'FR6', 'FR11'],
  expectedIterations: 3,

  arrange: ({ numbers: [a, b, c] }) => ({
    config: loop({ maxIterations: 5 }),
    prompt: [
      'This tests the gate that ralph has for build.done. There is no real build: the claims below are made up for the test, and',
      'nobody relies on them. Do exactly one of these three steps per iteration, then stop. The pending events tell you which.',
      `1. If no build event is pending: work out ${a} + ${b} and run \`ralph emit build.done "build <sum> is ready"\``,
      `2. If build.blocked is pending: work out ${a} + ${b} + ${c} and run exactly this command, with that sum in place of <new sum>:`,
      `   \`ralph emit build.done "${EVIDENCE}, build <new sum>"\``,
      '3. If build.done is pending: write only the number of its build to built.txt, then declare the objective complete.',
      'Write numbers as plain digits, without commas.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b, c] }) => ({
    ends: completed(),
    iterations: endedAtOnce(),
    claimed: eventEmitted('build.done', `build ${a + b} is ready`),
    pending2: pendingEvents(['build.blocked']),
    told2: promptContained('Event: build.blocked - Missing backpressure evidence.'),
    proved: eventEmitted('build.done', `${EVIDENCE}, build ${a + b + c}`),
    pending3: pendingEvents(['build.done']),
    told3: promptContained(`Event: build.done - ${EVIDENCE}, build ${a + b + c}\n`),
    file: fileEquals('built.txt', `${a + b + c}`),
  }),

  agent: [
    onEvent('build.done')
      .reads(/^Event: build\.done - .*duplication: pass, build (\d+)$/m)
      .writes('built.txt', '{{1}}\n')
      .completes(),
    onEvent('build.blocked')
      .reads(/work out (\d+) \+ (\d+) \+ (\d+)/)
      .emits('build.done', `${EVIDENCE}, build {{add 1 2 3}}`),
    onObjective(/work out (\d+) \+ (\d+)/).emits('build.done', 'build {{add 1 2}} is ready'),
  ],

  saboteurs: {
    'claims with evidence from the start': {
      agent: changingEach('emit', (step) =>
        isFirstClaim(step) ? { ...step, payload: `${EVIDENCE}, build {{add 1 2}}` } : step,
      ),
      kills: ['claimed', 'pending2', 'told2'],
    },
    'leaves out one item of evidence when it is asked for all': {
      agent: changingEach('emit', (step) =>
        isFirstClaim(step) ? step : { ...step, payload: step.payload?.replace('coverage: pass, ', '') ?? '' },
      ),
      kills: ['pending3', 'told3', 'proved', 'ends'],
      failure: 'EventMissing',
    },
    'never writes down what was built': { agent: without('writes'), kills: ['file'] },
    'never declares completion': { ...NEVER_COMPLETES, kills: ['ends', 'iterations'] },
    'ralph believes any claim': {
      target: 'accept-any-build-done',
      kills: ['pending2', 'told2'],
      why: 'Without backpressure, a build is done as soon as the agent says so.',
    },
  },
});

function isFirstClaim({ payload = '' }: Extract<Step, { do: 'emit' }>): boolean {
  return payload.endsWith('is ready');
}

export const eventSystem = [events, backpressure];
