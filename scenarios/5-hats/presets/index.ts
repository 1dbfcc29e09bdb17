import {
  completed,
  endedAtOnce,
  errandAnswered,
  eventEmitted,
  eventsInOrder,
  hatSequence,
  loop,
  onAnyPrompt,
  onEvent,
  pendingEvents,
  promptContained,
  type Scenario,
  scenario,
  terminatedBecause,
} from '../../../src/authoring.js';
import { withoutEmitting } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { neverCompletes } from '../../support/saboteurs.js';
import { hatFolders } from './folders.js';
import { type Leg, PRESETS, type Preset, UNLISTED } from './walks.js';

/*
 * The hat collections that Ralph carries, each along its happy path and along its detours. The agent only plays the
 * events: whether a model does the work that the hats ask for is not Ralph's promise, so they run offline only.
 */

const COMMON = {
  priority: 'must',
  ...MECHANICS,
  beyondStandIn: 'the hat collections in the ralph binary',
} as const;

/** What `ralph init --list-presets` prints: a line for each collection, and no other. */
const LISTED = new RegExp(
  `collections:\\n\\n${Object.keys(PRESETS)
    .filter((name) => !UNLISTED.includes(name))
    .map((name) => `  ${name} +\\S.*\\n`)
    .join('')}\\n`,
);

const ASKED = [
  'init --list-presets',
  'hats list-presets --format json',
  '-H builtin:nobody hats list',
] as const;

const WORD = /The word of the day is (\w+)\./;

/** Runs through a collection: each event brings the hat that the collection has for it. */
function walk(name: string, preset: Preset, way: string, steps: readonly Leg[]): Scenario {
  const topics = steps.slice(0, -1).map(([, topic]) => topic);
  const last = topics.at(-1);
  const id = way === 'happy' ? `preset-${name}` : `preset-${name}-${way}`;
  const arranged = {
    config: loop({ maxIterations: steps.length + 2 }),
    args: ['-H', `builtin:${name}`],
  };
  return scenario({
    ...COMMON,
    id,
    phase: way === 'happy' ? 'green' : 'red',
    description:
      way === 'happy'
        ? `The collection ${name} goes through its hats and completes`
        : `The collection ${name} takes its detour "${way}" and completes`,
    covers: ['FR15', 'FR16'],
    expectedIterations: steps.length,

    arrange: ({ nonce }) => ({
      ...arranged,
      prompt: `Follow the instructions of the hat that is active. The word of the day is ${nonce}.`,
    }),

    expect: ({ nonce }) => ({
      ends: completed(),
      ended: endedAtOnce(),
      hats: hatSequence(...steps.map(([hat]) => hat)),
      ...(last === undefined
        ? {}
        : {
            starts: pendingEvents([preset.starts], { iteration: 1 }),
            events: eventsInOrder(...topics),
            told: promptContained(`Event: ${last} - ${nonce.toUpperCase()}`, { iteration: steps.length }),
          }),
    }),

    agent: steps.map(([, topic], at) => {
      const rule = at === 0 ? onAnyPrompt() : onEvent(steps[at - 1]?.[1] ?? '');
      return rule.once().reads(WORD).emits(topic, '{{upper 1}}');
    }),

    ...(last === undefined ? { notApplicable: { 'claims-success': 'it is what this agent does' } } : {}),

    saboteurs: {
      'the last hat does not publish the promise': {
        agent: withoutEmitting(preset.promise),
        kills: ['ends'],
        failure: 'UnexpectedTermination',
      },
      ...(last === undefined
        ? {}
        : {
            'the last event is lost': { agent: withoutEmitting(last), kills: ['told', 'events'] },
          }),
    },
  });
}

/** The first hat says the promise at once: the loop must not complete without the events that the collection requires. */
function required(name: string, { promise, requires }: Preset): Scenario {
  return scenario({
    ...COMMON,
    id: `preset-${name}-required`,
    phase: 'red',
    description: `The collection ${name} does not complete before its required events`,
    covers: ['FR15'],
    expectedIterations: 2,

    arrange: () => ({
      config: loop({ maxIterations: 2 }),
      args: ['-H', `builtin:${name}`],
      prompt: 'Follow the instructions of the hat that is active.',
    }),

    expect: () => ({
      goesOn: terminatedBecause('max_iterations', 2),
      tried: eventEmitted(promise),
      named: promptContained(requires[0] ?? '', { iteration: 2 }),
    }),

    agent: [onAnyPrompt().emits(promise, 'all done')],
    notApplicable: { 'claims-success': 'it is what this agent does' },

    knownIssue: {
      upTo: '2.10.1',
      reason:
        '`-H builtin:<preset>` drops required_events: only the promises and the starting event of a collection count',
      link: 'docs/ralph-behavior.md',
      breaks: {
        goesOn: /exit code 0, termination reason "completed"/,
        named: 'Ralph logged no such prompt',
      },
    },

    saboteurs: {
      'the first hat does not say the promise': { agent: withoutEmitting(promise), kills: ['tried'] },
    },
  });
}

const MINE = `hats:
  worker: { name: Worker, description: Works, triggers: [work.start], publishes: [work.done], instructions: Work. }
`;

/** Asks Ralph for its collections: a new one needs a way through it above. */
const listed = scenario({
  ...COMMON,
  id: 'presets-listed',
  description:
    'Ralph lists exactly the collections that have a scenario, finds those of the project, and refuses unknown ones',
  covers: ['FR15'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 2 }),
    files: { [`presets/${nonce}.yml`]: MINE },
    prompt: 'Declare the objective complete.',
    after: ASKED.map((words) => ({ ralph: words.split(' ') })),
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    all: errandAnswered(ASKED[0], { stdout: LISTED }),
    found: errandAnswered(ASKED[1], {
      stdout: new RegExp(
        `^\\[\\s*\\{\\s*"name": "${nonce}",\\s*"path": "presets/${nonce}\\.yml",[^}]*\\}\\s*\\]`,
      ),
    }),
    unknown: errandAnswered(ASKED[2], {
      exitCode: 1,
      stderr: /Unknown hat collection 'nobody'. Available builtins: autoresearch, code-assist, /,
    }),
  }),

  agent: [onAnyPrompt().completes()],
  notApplicable: { 'claims-success': 'it is what this agent does' },

  saboteurs: {
    'never completes': neverCompletes('ends'),
  },
});

export const presetScenarios: readonly Scenario[] = [
  listed,
  ...hatFolders,
  ...Object.entries(PRESETS).flatMap(([name, preset]: [string, Preset]) => [
    walk(name, preset, 'happy', preset.happy),
    ...Object.entries(preset.detours).map(([way, steps]) => walk(name, preset, way, steps)),
    ...(preset.requires.length > 0 ? [required(name, preset)] : []),
  ]),
];
