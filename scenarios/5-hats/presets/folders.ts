import {
  type Check,
  errandAnswered,
  eventEmitted,
  fileEquals,
  hatSequence,
  loop,
  onAnyPrompt,
  onEvent,
  onHat,
  onObjective,
  promptContained,
  publishedByRalph,
  scenario,
  terminatedBecause,
} from '../../../src/authoring.js';
import { MECHANICS } from '../../support/commands.js';
import { answersOf, askAll, type Inquiries, linesOf } from '../../support/inquiries.js';
import { neverCompletes } from '../../support/saboteurs.js';

/* A folder with roles and a topology, as the autoloop program has them, is a hat collection too. */

const COMMON = {
  ...MECHANICS,
  beyondStandIn: 'hat collections in the form of a folder',
} as const;

const dryRun = (name: string) => ['run', '--dry-run', '--no-tui', '-p', 'hello', '-H', name];
const LIST = 'hats -H presets/crew list --format json';
const VALIDATE = 'hats -H presets/crew validate';
const STRICT = 'run --no-tui -p hello -c quick.yml -H presets/strict';
const TORN = 'run --dry-run --no-tui -p hello -H presets/torn';

const CREW = (nonce: string) => ({
  'presets/crew/autoloops.toml':
    '[event_loop]\nmax_iterations = 7\ncompletion_event = "NOT_THIS_EITHER"\nrequired_events = ["check.good"]\n',
  'presets/crew/topology.toml': [
    'name = "crew"',
    'completion = "CREW_READY"',
    '[[role]]',
    'id = "builder"',
    'emits = ["work.part", "work.over"]',
    'prompt_file = "roles/builder.md"',
    '[[role]]',
    'id = "checker"',
    'name = "Inspector"',
    'description = "Looks at it"',
    'emits = ["check.good", "check.bad"]',
    'prompt = "Inspect it. Run `ralph emit` with your verdict and stop."',
    'prompt_file = "roles/builder.md"',
    '[handoff]',
    '"loop.start" = ["builder"]',
    '"work.part" = ["checker"]',
    '"work.over" = ["checker"]',
    '"check.bad" = "builder"\n',
  ].join('\n'),
  'presets/crew/roles/builder.md': `Write only ${nonce} in uppercase to built.txt.\n`,
  'presets/crew/harness.md': 'Everybody works with care.\n\n',
});

/** Without a promise in the topology. The agent claims completion each time, but never publishes what is required. */
const STRICT_FILES = {
  'presets/strict/autoloops.toml':
    '[event_loop]\nmax_iterations = "2"\ncompletion_event = "STRICT_READY"\nrequired_events = ["never.comes"]\n',
  'presets/strict/topology.toml':
    '[[role]]\nid = "one"\nemits = ["one.over"]\n[handoff]\n"loop.start" = "one"\n',
  'quick.yml': 'cli: { backend: custom, command: ./claim.sh }\nevent_loop: { max_iterations: 9 }\n',
  'claim.sh': { content: '#!/bin/sh\necho STRICT_READY\n', mode: 0o755 },
};

const HARNESS =
  '## Shared harness rules (imported from autoloop `harness.md`)\n\nEverybody works with care.\n\n---\n\n';

const folder = scenario({
  ...COMMON,
  id: 'hats-folder',
  description:
    'A folder with roles and a topology is a hat collection: its roles, hand-offs, rules, limits and required events',
  covers: ['FR15', 'FR16'],
  expectedIterations: 5,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 9, promise: 'NOT_THIS' }),
    prompt: [
      'Have something built and inspected. If a hat is active, follow only its instructions.',
      'If no hat is active and check.good is pending, declare the objective complete.',
    ].join('\n'),
    files: {
      ...CREW(nonce),
      ...STRICT_FILES,
      'presets/torn/autoloops.toml': 'event_loop = [\n',
      'presets/torn/topology.toml': 'name = "torn"\n',
    },
    before: [LIST, VALIDATE, STRICT, TORN].map((words) => ({
      ralph: words.split(' '),
      env: { RALPH_DIAGNOSTICS: '0' },
    })),
    args: ['-H', 'presets/crew'],
  }),

  expect: ({ nonce }): Readonly<Record<string, Check>> => ({
    ends: terminatedBecause('completed', 0),
    hats: hatSequence('builder', 'checker', 'builder', 'checker', 'ralph'),
    told: promptContained(`${HARNESS}Write only ${nonce} in uppercase`, { iteration: 1 }),
    toldOther: promptContained(`${HARNESS}Inspect it.`, { iteration: 2 }),
    promise: promptContained('`CREW_READY`', { iteration: 5 }),
    byDefault: publishedByRalph('work.part', { iteration: 2 }),
    sentBack: eventEmitted('check.bad', 'not yet'),
    published: eventEmitted('work.over', 'built'),
    built: fileEquals('built.txt', nonce.toUpperCase()),
    listed: errandAnswered(LIST, {
      json: [
        {
          id: 'builder',
          name: 'Builder',
          description: 'Autoloop role `builder` — emits work.part',
          subscriptions: ['check.bad', 'loop.start'],
          publishes: ['work.part', 'work.over'],
        },
        {
          id: 'checker',
          name: 'Inspector',
          description: 'Looks at it',
          subscriptions: ['work.over', 'work.part'],
          publishes: ['check.good', 'check.bad'],
        },
      ],
    }),
    valid: errandAnswered(VALIDATE, {
      stdout: /Hats: 2 configured\nEntry: task\.start -> loop\.start\n[\s\S]*Result: Valid/,
    }),
    strict: errandAnswered(STRICT, {
      exitCode: 2,
      stdout: /ITERATION 1[\s\S]*STRICT_READY[\s\S]*ITERATION 2(?![\s\S]*ITERATION 3)/,
    }),
    torn: errandAnswered(TORN, { exitCode: 1, stderr: /presets\/torn[\s\S]*malformed preset/ }),
  }),

  agent: [
    onHat('Builder')
      .when({ event: 'loop.start' })
      .reads(/Write only (\w+) in uppercase/)
      .writes('built.txt', '{{upper 1}}\n'),
    onHat('Inspector').when({ event: 'work.part' }).emits('check.bad', 'not yet'),
    onHat('Builder').emits('work.over', 'built'),
    onHat('Inspector').emits('check.good', 'fine'),
    onEvent('check.good').completes(),
    onObjective(/Have something built/).says('There is nothing to do.'),
  ],

  notApplicable: { 'all-at-once': 'the hats come from the collection, and each iteration has its own' },
});

/** Where Ralph looks for a collection by its name, the first place first. */
const PLACES = [
  { source: 'project', root: 'presets', promise: 'OF_PROJECT' },
  { source: 'xdg', root: 'xdg/ralph/presets', promise: 'OF_XDG' },
  { source: 'home', root: 'home/.config/ralph/presets', promise: 'OF_HOME' },
  { source: 'autoloop', root: 'home/.config/autoloop/presets', promise: 'OF_AUTOLOOP' },
  { source: 'env', root: 'named', promise: 'OF_VARIABLE' },
  { source: 'env', root: 'old', promise: 'OF_OLD_VARIABLE' },
] as const;
const ENV = {
  XDG_CONFIG_HOME: 'xdg',
  HOME: 'home',
  RALPH_PRESETS_DIR: 'named',
  AUTOLOOP_PRESETS_DIR: 'old',
};

/** A collection for each place, which is also in all later places, with the promise of each. */
const EVERYWHERE = Object.fromEntries(
  PLACES.flatMap((_, first) =>
    PLACES.slice(first).flatMap(({ root, promise }) => [
      [`${root}/crew-${first}/autoloops.toml`, ''] as const,
      [
        `${root}/crew-${first}/topology.toml`,
        `completion = "${promise}"\n[[role]]\nid = "one"\nemits = ["a.b"]\nprompt = "Work."\n[handoff]\n"loop.start" = ["one"]\n`,
      ] as const,
    ]),
  ),
);

const FOUND: Inquiries = {
  ...Object.fromEntries(
    PLACES.map(({ promise }, first) => [
      `crew${first}`,
      {
        args: dryRun(`crew-${first}`),
        env: ENV,
        answer: { stdout: linesOf('Hats: one', `Completion promise: ${promise}`) },
      },
    ]),
  ),
  listed: {
    args: ['hats', 'list-presets', '--format', 'json'],
    env: ENV,
    answer: {
      json: PLACES.map(({ source, root }, first) => ({
        name: `crew-${first}`,
        path: `${root}/crew-${first}`,
        source,
        format: 'toml',
      })),
    },
  },
  nowhere: {
    args: dryRun('nobody'),
    env: ENV,
    answer: { exitCode: 1, stderr: /not found: nobody/ },
  },
  // A folder without a topology is no collection, and neither is one with nothing else.
  halfOne: { args: dryRun('presets/half'), env: ENV, answer: { exitCode: 1, stderr: /presets\/half/ } },
  otherHalf: {
    args: dryRun('presets/other-half'),
    env: ENV,
    answer: { exitCode: 1, stderr: /presets\/other-half/ },
  },
};

const places = scenario({
  ...COMMON,
  id: 'hats-folder-by-name',
  description:
    'A collection is found by its name in the project, then in the places of the user, then where variables point',
  covers: ['FR15'],
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 2 }),
    prompt: 'Declare the objective complete.',
    files: { ...EVERYWHERE, 'presets/half/autoloops.toml': '', 'presets/other-half/topology.toml': '' },
    before: askAll(FOUND),
  }),

  expect: (): Readonly<Record<string, Check>> => ({
    ends: terminatedBecause('completed', 0),
    ...answersOf(FOUND),
  }),

  agent: [onAnyPrompt().completes()],
  notApplicable: { 'claims-success': 'it is what this agent does' },

  saboteurs: {
    'never completes': neverCompletes('ends'),
  },
});

export const hatFolders = [folder, places];
