import {
  agentSaid,
  changingSteps,
  completed,
  eventEmitted,
  fileEquals,
  hatActive,
  hats,
  iterationCount,
  loop,
  onEvent,
  onHat,
  onObjective,
  scenario,
  without,
} from '../../src/authoring.js';
import { deafToCompletion, leavingOut, neverDeclaring } from '../support/saboteurs.js';

/** Bugs of ralph in how completion is recognised, each scenario named after its issue. */

const PROMISE = 'ALL_WORK_FINISHED';
const summary = onObjective(/result of (\d+) \+ (\d+)/).says(
  `## Summary\n\nThe sum is {{add 1 2}}. The task has reached **${PROMISE}** status.\nNo further action is needed.`,
);

/** #47: the promise stood in the answer, after a summary that names it too, and the loop went on for ever. */
const issue47 = scenario({
  id: 'issue-47-completion-string-not-detected',
  tier: 2,
  priority: 'should',
  phase: 'green',
  description:
    'A promise of its own wording counts after a long summary, with blanks and empty lines around it',
  covers: ['FR10'],
  expectedIterations: 1,

  arrange: ({ numbers: [a, b] }) => ({
    config: loop({ maxIterations: 4, promise: PROMISE }),
    prompt: [
      'Answer with a summary in one message:',
      `- a line that says: The sum is, and the result of ${a} + ${b}`,
      `- a line that says: The task has reached **${PROMISE}** status.`,
      '- a line that says: No further action is needed.',
      'Then an empty line, and then declare the objective complete as you are told below.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(1),
    saidTheSumIs: agentSaid(`The sum is ${a + b}`),
    saidStatus: agentSaid(`**${PROMISE}** status`),
  }),

  agent: [summary.says(`\n   ${PROMISE}  \n\n`)],

  saboteurs: {
    'only mentions the promise': {
      agent: [summary],
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
    'completes without a summary': {
      agent: [onObjective('summary').says(PROMISE)],
      kills: ['saidTheSumIs', 'saidStatus'],
      failure: 'PromptIneffective',
    },
    'the promise is not heard': deafToCompletion('ends', 'iterations'),
  },
});

/** #139: a hat that spoke of the promise and emitted its own event ended the loop; the next hat never ran. */
const navigator = onHat('Navigator')
  .reads(/heading "(\w+)"/)
  .says('I choose direction.set and not LOOP_COMPLETE.')
  .emits('direction.set', '{{upper 1}}');

const issue139 = scenario({
  id: 'issue-139-completion-after-first-event',
  tier: 5,
  priority: 'should',
  phase: 'green',
  description: 'A hat that emits its event and only speaks of the promise hands over; the loop goes on',
  covers: ['FR10', 'FR16', 'FR17'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: hats(
      {
        navigator: {
          triggers: ['route.wanted'],
          publishes: ['direction.set'],
          instructions: [
            'Choose exactly one of direction.set and LOOP_COMPLETE: here it is direction.set.',
            'First say: I choose direction.set and not LOOP_COMPLETE.',
            `Then run ralph emit direction.set with the heading "${nonce}" in capital letters as payload, and stop.`,
          ].join('\n'),
        },
        driver: {
          triggers: ['direction.set'],
          publishes: ['drive.finished'],
          instructions:
            'Write the payload of direction.set, nothing else, into driven.txt. Then run: ralph emit drive.finished "arrived"',
        },
      },
      { maxIterations: 6 },
    ).startingWith('route.wanted'),
    prompt:
      'Drive where the navigator says. When drive.finished is pending, the objective is complete: declare it.',
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(3),
    said: agentSaid('not LOOP_COMPLETE', { iteration: 1 }),
    published: eventEmitted('direction.set', nonce.toUpperCase()),
    hat: hatActive('driver', { iteration: 2 }),
    file: fileEquals('driven.txt', nonce.toUpperCase()),
  }),

  agent: [
    navigator,
    onHat('Driver')
      .reads(/^Event: direction\.set - (\w+)$/m)
      .writes('driven.txt', '{{1}}\n')
      .emits('drive.finished', 'arrived'),
    onEvent('drive.finished').completes(),
  ],

  saboteurs: {
    'hands over without a word': leavingOut('says', 'said'),
    'drives and writes nothing down': leavingOut('writes', 'file'),
    'never completes': neverDeclaring('ends', 'iterations'),
    'the loop ends with the first event': {
      target: 'complete-too-early',
      kills: ['ends', 'iterations', 'hat', 'file'],
      failure: 'UnexpectedTermination',
      why: 'This is the bug as it was reported.',
    },
    'the event is lost': {
      target: 'lose-events',
      kills: ['ends', 'published', 'hat', 'file'],
      failure: 'EventMissing',
    },
  },
});

const builders = (nonce: string) =>
  hats(
    {
      builder: {
        triggers: ['build.wanted'],
        publishes: ['build.ready'],
        instructions: `Write ${nonce} in capital letters into built.txt. Then run: ralph emit build.ready "built"`,
      },
    },
    { maxIterations: 5 },
  );

/** #290: Kiro said the promise as plain text while hats were configured, and emitted no event: it was not heard. */
const issue290 = scenario({
  id: 'issue-290-kiro-text-completion',
  backend: 'kiro',
  tier: 5,
  priority: 'should',
  phase: 'green',
  description:
    'With hats configured, the promise as the last line of plain text completes as well as its event',
  covers: ['FR2', 'FR10'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: builders(nonce).startingWith('build.wanted'),
    prompt: [
      'Have the builder do its work.',
      'When build.ready is pending, do not emit any event: end your reply with LOOP_COMPLETE alone on the last line.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(2),
    hat: hatActive('builder', { iteration: 1 }),
    published: eventEmitted('build.ready', 'built'),
    said: agentSaid(/^LOOP_COMPLETE$/m, { iteration: 2 }),
    file: fileEquals('built.txt', nonce.toUpperCase()),
  }),

  agent: [
    onHat('Builder')
      .reads(/Write (\w+) in capital letters/)
      .writes('built.txt', '{{upper 1}}\n')
      .emits('build.ready', 'built'),
    onEvent('build.ready').says('Everything is built.').says('LOOP_COMPLETE'),
    // Only where no event wakes the builder first.
    onObjective('Have the builder do its work').emits('build.wanted', 'please'),
  ],

  saboteurs: {
    'emits, does not build': leavingOut('writes', 'file'),
    'says nothing at the end': {
      agent: without('says'),
      kills: ['ends', 'iterations', 'said'],
      failure: 'UnexpectedTermination',
    },
    'the text is not heard': deafToCompletion('ends', 'iterations'),
    'reports another state': {
      agent: changingSteps((step) => [step.do === 'emit' ? { ...step, payload: 'half' } : step]),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'Ralph coordinates before the builder': {
      config: (arrangement, context) => ({
        ...arrangement,
        config: builders(context.nonce).coordinated(),
      }),
      kills: ['hat', 'iterations', 'said'],
      failure: 'AssertionMismatch',
      why: 'Without a starting event the first iteration is for Ralph to hand on the work.',
    },
  },
});

export const completionRegressions = [issue47, issue139, issue290];
