import {
  completed,
  errandAnswered,
  fileEquals,
  hatNeverActive,
  hatSequence,
  hats,
  onAnyPrompt,
  onEvent,
  onHat,
  pendingEvents,
  promptContained,
  promptLacked,
  RALPH_TOPICS,
  scenario,
  terminatedBecause,
  toldTimes,
  toldToNobody,
} from '../../src/authoring.js';
import { doingFirst, emitting } from '../support/agent-changes.js';
import { arranging, changingHat } from '../support/arrangement-changes.js';
import { MECHANICS } from '../support/commands.js';
import { EVENTS_BY_HAND, ignoresCompletion, neverStops } from '../support/saboteurs.js';

/* Which prompt gets which event. */

/** Two events for one hat, one without a hat, and one that would start everything again. */
const publish = (nonce: string, sum: number) =>
  [
    `ralph emit build.part "first ${nonce}`,
    'second line"',
    `ralph emit build.other --json '{"sum": ${sum}}'`,
    'ralph emit odd.news',
    'ralph emit more.start again',
    '',
  ].join('\n');
const TAGGED = 'events --topic test.wanted --format json';

/** Publishes more in one iteration than one hat can take: everything must be in the next prompt. */
const allPending = scenario({
  id: 'hat-all-pending',
  ...MECHANICS,
  description:
    'All events of an iteration are in the next prompt, once, for every hat that they activate; a start event gives way to them',
  covers: ['FR6', 'FR17'],
  expectedIterations: 3,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats(
      {
        builder: {
          triggers: ['build.*'],
          publishes: ['all.finished'],
          instructions: 'Build it with BRICKS.',
        },
        planner: {
          triggers: ['plan.request', 'more.start'],
          publishes: ['build.part', 'build.other', 'test.wanted'],
          instructions: 'Run `sh publish.sh` and say what else you want.',
        },
        tester: {
          triggers: ['test.wanted'],
          publishes: ['all.finished'],
          instructions: 'Test it with CARE.',
        },
      },
      { maxIterations: 5 },
    ).startingWith('plan.request'),
    files: { 'publish.sh': publish(nonce, a + b) },
    prompt: `Have ${nonce} built and tested. Write it in uppercase to final.txt at the end.`,
    after: [{ ralph: TAGGED.split(' ') }],
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('planner', 'builder', 'ralph'),
    start: promptContained(`Event: plan.request - Have ${nonce} built`, { iteration: 1 }),
    // Hat by hat in the order of their ids, and what has no hat under `ralph`.
    pending: pendingEvents(
      ['build.part', 'build.other', 'odd.news', RALPH_TOPICS.orphaned, 'odd.tag', 'test.wanted'],
      { iteration: 2 },
    ),
    lines: promptContained(`Event: build.part - first ${nonce}\nsecond line\n`, { iteration: 2 }),
    json: promptContained(`Event: build.other - {"sum":${a + b}}\n`, { iteration: 2 }),
    tagLines: promptContained(`Event: test.wanted - now\nand ${nonce}\n`, { iteration: 2 }),
    empty: promptContained('Event: odd.news - \n', { iteration: 2 }),
    orphaned: promptContained(/- Event 'odd\.tag' has no subscriber hat\..*"test\.wanted"/, { iteration: 2 }),
    builder: promptContained('Build it with BRICKS.', { iteration: 2 }),
    tester: promptContained('Test it with CARE.', { iteration: 2 }),
    once: toldTimes(1, 'Event: odd.news'),
    lost: promptLacked('Event: more.start'),
    planner: promptLacked('say what else you want', { iteration: 2 }),
    // Ralph writes these records since 2.10.0: on an older one, this says nothing.
    summary: toldToNobody(RALPH_TOPICS.summary),
    record: errandAnswered(TAGGED, { stdout: /"triggered": ?"tester"/ }),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [
    onHat('Planner')
      .reads(/Have (\w+) built/)
      .runs('sh publish.sh')
      .emits('test.wanted', 'now\nand {{1}}', 'tag')
      .emits('odd.tag', 'by the way', 'tag'),
    onHat('Builder').emits('all.finished', 'built and tested'),
    onEvent('all.finished')
      .reads(/Have (\w+) built/)
      .writes('final.txt', '{{upper 1}}\n')
      .completes(),
    onAnyPrompt().says('I have nothing to do.').completes(),
  ],

  saboteurs: {
    'only the first event of a hat arrives': {
      target: 'one-pending-event',
      kills: ['pending', 'json', 'orphaned'],
      why: 'The others are gone: nothing delivers them again.',
    },
    'Ralph loses what triggers no hat': {
      target: 'drop-orphans',
      kills: ['pending', 'empty', 'orphaned', 'once'],
    },
    'Ralph ignores tags': {
      target: 'ignore-event-tags',
      kills: ['pending', 'tagLines', 'orphaned', 'tester', 'record'],
      failure: 'EventMissing',
    },
    'Ralph passes no event on': {
      target: 'drop-pending-events',
      kills: ['start', 'pending', 'lines', 'json', 'empty', 'once'],
    },
    'the hats have no instructions': {
      target: 'drop-hat-instructions',
      kills: ['builder', 'tester'],
      failure: 'PromptIneffective',
    },
    'events activate the wrong hat': { target: 'route-to-wrong-hat', kills: ['hats'] },
    'the builder starts everything again': {
      agent: emitting('all.finished', { topic: 'more.start' }),
      kills: ['lost'],
    },
    'the builder passes on what it found in a file': {
      agent: emitting('all.finished', { payload: RALPH_TOPICS.summary }),
      kills: ['summary'],
    },
    'the planner is asked for more': {
      config: changingHat('planner', { triggers: ['plan.request', 'odd.news'] }),
      kills: ['planner'],
    },
    'the news comes twice': {
      agent: doingFirst({ do: 'emit', topic: 'odd.news', by: 'command' }),
      kills: ['once', 'pending'],
    },
    'another objective': {
      config: arranging({ prompt: 'Have nothing built.' }),
      kills: ['start', 'file'],
      failure: 'PromptIneffective',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },

  notApplicable: EVENTS_BY_HAND,
});

/** The watch takes what nobody else wants. Two hats want the same part: the first by its id gets it. */
const catchAll = scenario({
  id: 'hat-catch-all',
  ...MECHANICS,
  description:
    'A hat with the trigger * gets what triggers no other hat, and of several hats that match, the first by id is active',
  covers: ['FR17'],
  expectedIterations: 5,

  arrange: ({ nonce }) => ({
    config: hats(
      {
        fitter: {
          triggers: ['parts.*', 'human.response'],
          publishes: ['tools.wanted'],
          instructions: 'Fit the parts.',
        },
        joiner: { triggers: ['parts.wanted'], publishes: ['tools.wanted'], instructions: 'Join the parts.' },
        watch: { triggers: ['*'], publishes: ['parts.wanted'], instructions: 'Watch everything else.' },
      },
      { maxIterations: 7 },
    ).coordinated(),
    prompt: `Have parts fitted. Write ${nonce} in uppercase to final.txt at the end.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    // A longer topic and another first word are not parts.*, and an answer has its own trigger.
    hats: hatSequence('watch', 'fitter', 'watch', 'watch', 'fitter'),
    // Once for each of the two hats that want it, and not for the watch or for Ralph.
    pending: pendingEvents(['parts.wanted', 'parts.wanted'], { iteration: 2 }),
    neverActive: hatNeverActive('joiner'),
    answer: promptContained('Event: human.response - all is well', { iteration: 5 }),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [
    onEvent('human.response')
      .reads(/Write (\w+) in uppercase/)
      .writes('final.txt', '{{upper 1}}\n')
      .emits('LOOP_COMPLETE', 'done', 'tag'),
    onEvent('parts.wanted.soon').emits('human.response', 'all is well'),
    onEvent('tools.wanted').emits('parts.wanted.soon', 'please'),
    onEvent('parts.wanted').emits('tools.wanted', 'a hammer'),
    onAnyPrompt().emits('parts.wanted', 'two'),
  ],

  saboteurs: {
    'the hat for everything takes everything': { target: 'catch-all-first', kills: ['hats'] },
    'events activate the wrong hat': { target: 'route-to-wrong-hat', kills: ['hats'] },
    'the fitter wants other parts': {
      config: changingHat('fitter', { triggers: ['pieces.*', 'human.response'] }),
      kills: ['hats', 'pending', 'neverActive'],
    },
    'nobody answers': {
      agent: emitting('human.response', { topic: 'LOOP_COMPLETE' }),
      kills: ['answer', 'file'],
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },

  notApplicable: EVENTS_BY_HAND,
});

const closes = onHat('Closer')
  .reads(/closed\.txt: (\w+) in uppercase/)
  .once()
  .appends('closed.txt', '{{upper 1}}\n');

/** Never publishes, although only its completion is missing. */
const silentCloser = scenario({
  id: 'hat-silent-until-stale',
  ...MECHANICS,
  phase: 'red',
  description:
    'A hat that should complete the loop and stays silent is asked again, until the loop counts as stale',
  covers: ['FR9', 'FR17'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: hats(
      {
        closer: {
          triggers: ['close.task'],
          publishes: ['LOOP_COMPLETE'],
          defaultPublishes: 'LOOP_COMPLETE',
          instructions: `In every iteration, append one line to closed.txt: ${nonce} in uppercase. Publish nothing.`,
        },
      },
      { maxIterations: 6 },
    ).startingWith('close.task'),
    prompt: 'Close the books.',
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('loop_stale', 1),
    hats: hatSequence('closer', 'closer', 'closer'),
    asked: toldTimes(2, 'Event: task.resume - <top-level-prompt>\nRecovery: hat `closer` produced no events'),
    file: fileEquals('closed.txt', Array(3).fill(nonce.toUpperCase()).join('\n')),
  }),

  agent: [closes, closes, closes, onAnyPrompt().completes()],

  saboteurs: {
    'Ralph ignores staleness': neverStops('ends', 'hats'),
    'Ralph forgets the default too': { target: 'drop-default-publishes', kills: ['ends', 'hats', 'asked'] },
  },

  notApplicable: { 'acts-silently': 'the agent says nothing: that is what the scenario is about' },
});

export const pendingForHats = [allPending, catchAll, silentCloser];
