import {
  allOf,
  completed,
  errandAnswered,
  hatSequence,
  hats,
  loop,
  onEvent,
  onHat,
  onObjective,
  promptContained,
  type Scenario,
  scenario,
} from '../../src/authoring.js';
import { withoutEmitting } from '../support/agent-changes.js';
import { MECHANICS } from '../support/commands.js';
import { asking } from '../support/memory.js';

const MASON = (nonce: string) =>
  [
    'name: Mason',
    'description: Builds walls',
    'triggers: [wall.task]',
    'publishes: [wall.finished]',
    `instructions: Lay brick ${nonce}.`,
    '',
  ].join('\n');

const importing = (file: string) => `hats:\n  mason:\n    import: ${file}\n`;

/** Configurations whose import is wrong, and the reason that Ralph gives. */
const WRONG = {
  missing: {
    config: importing('hats/gone.yml'),
    why: /imports \.\/hats\/gone\.yml[\s\S]*cause: file not found/,
  },
  list: { config: importing('hats/list.yml'), why: /cause: imported hat file must be a YAML mapping/ },
  chain: {
    config: importing('hats/chain.yml'),
    why: /imports \.\/hats\/chain\.yml[\s\S]*transitive imports are not supported/,
  },
  events: {
    config: importing('hats/events.yml'),
    why: /imports \.\/hats\/events\.yml[\s\S]*cannot contain 'events:'/,
  },
  number: { config: importing('5'), why: /'import' must be a string file path/ },
} as const;
type Wrong = keyof typeof WRONG;

const wrongList = (name: Wrong) => `hats list -c ${name}.yml`;
const wrongRun = (name: Wrong) => `run --dry-run --no-tui -p x -c ${name}.yml`;
const refused = (name: Wrong) => errandAnswered(wrongList(name), { exitCode: 1, stderr: WRONG[name].why });
const notRun = (name: Wrong) =>
  errandAnswered(wrongRun(name), {
    exitCode: 1,
    stderr: new RegExp(`failed to resolve hat import[\\s\\S]*hat 'mason'[\\s\\S]*${WRONG[name].why.source}`),
  });

const LIST = 'hats list';
const OF_THE_TEAM = 'hats show roofer -H teams/team.yml';
const JSON_LIST = 'hats list --format json';
const SHOW = 'hats show mason';
const SHOW_BY_NAME = 'hats show Mason';
const SHOW_UNKNOWN = 'hats show nobody';
const MERMAID = 'hats graph --format mermaid';
const COMPACT = 'hats graph --format compact';
const VALIDATE = 'hats validate';
const VALIDATE_BAD = 'hats validate -c nobody.yml';

const WALL = [
  onHat('Mason').emits('wall.finished', 'up'),
  onEvent('wall.finished').completes(),
  onObjective(/Have a wall built/).says('I have nothing to do.'),
];

const mason = (nonce: string, wall: number) => ({
  name: 'Mason',
  description: `Builds wall ${wall}`,
  triggers: ['wall.task'],
  publishes: ['wall.finished'],
  instructions: `Lay brick ${nonce}.`,
});
const ANOTHER = `hats: ${JSON.stringify({ mason: mason('one', 1) })}\n`;

/** Hats in files of their own. */
const imports = scenario({
  id: 'hat-import',
  ...MECHANICS,
  description: 'A hat can come from a file, its own keys win, and a file that is no hat is refused',
  covers: ['FR15'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a] }) => ({
    config: {
      ...loop({ maxIterations: 4 }),
      event_loop: { max_iterations: 4, completion_promise: 'LOOP_COMPLETE', starting_event: 'wall.task' },
      hats: { mason: { import: 'hats/mason.yml', description: `Builds wall ${a}` } },
    },
    files: {
      'hats/mason.yml': MASON(nonce),
      'hats/list.yml': '- a\n- b\n',
      'hats/chain.yml': 'import: mason.yml\n',
      'hats/events.yml': `${MASON(nonce)}events: {}\n`,
      // The path is relative to the collection.
      'teams/team.yml': 'hats:\n  roofer:\n    import: hats/roofer.yml\n    name: Local Roofer\n',
      'teams/hats/roofer.yml': MASON(nonce).replace('Mason', 'Roofer').replace('brick', 'tile'),
      ...Object.fromEntries(Object.entries(WRONG).map(([name, { config }]) => [`${name}.yml`, config])),
    },
    prompt: 'Have a wall built.',
    after: [
      ...[LIST, OF_THE_TEAM],
      ...(['missing', 'list', 'chain', 'events', 'number'] as const).map(wrongList),
      ...(['missing', 'chain', 'events'] as const).map(wrongRun),
    ].map(asking),
  }),

  expect: ({ nonce, numbers: [a] }) => ({
    ends: completed(),
    hats: hatSequence('mason', 'ralph'),
    imported: promptContained(`\n### Mason Instructions\n\nLay brick ${nonce}.\n`, { iteration: 1 }),
    ownWins: promptContained(`\n| Mason | wall.task | wall.finished | Builds wall ${a} |\n`, {
      iteration: 2,
    }),
    list: errandAnswered(LIST, { stdout: new RegExp(`^Mason +Builds wall ${a}$`, 'm') }),
    ofTheTeam: errandAnswered(OF_THE_TEAM, {
      stdout: new RegExp(
        `^Local Roofer\\nBuilds walls\\n[\\s\\S]*wall\\.task[\\s\\S]*wall\\.finished[\\s\\S]*Lay tile ${nonce}\\.`,
        'm',
      ),
    }),
    missing: refused('missing'),
    notMapping: refused('list'),
    chain: refused('chain'),
    events: refused('events'),
    number: refused('number'),
    missingRun: notRun('missing'),
    chainRun: notRun('chain'),
    eventsRun: notRun('events'),
  }),

  agent: WALL,

  saboteurs: {
    'the mason publishes nothing': {
      agent: withoutEmitting('wall.finished'),
      kills: ['ends', 'hats'],
      failure: 'EventMissing',
    },
  },
});

/** The hats of a configuration, shown and checked. */
const commands = scenario({
  id: 'hats-commands',
  ...MECHANICS,
  description: '`ralph hats` lists, shows, draws and checks the hats that Ralph will use',
  covers: ['FR15'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a] }) => ({
    config: hats({ mason: mason(nonce, a) }, { maxIterations: 4 }).startingWith('wall.task'),
    files: { 'nobody.yml': `event_loop: {starting_event: roof.task}\n${ANOTHER}` },
    prompt: 'Have a wall built.',
    after: [
      ...[LIST, JSON_LIST, SHOW, SHOW_BY_NAME, SHOW_UNKNOWN, MERMAID, COMPACT, VALIDATE, VALIDATE_BAD],
    ].map(asking),
  }),

  expect: ({ nonce, numbers: [a] }) => ({
    ends: completed(),
    hats: hatSequence('mason', 'ralph'),
    list: errandAnswered(LIST, { stdout: new RegExp(`^Mason +Builds wall ${a}$`, 'm') }),
    json: errandAnswered(JSON_LIST, {
      stdout: new RegExp(`"description": "Builds wall ${a}"[\\s\\S]*"wall\\.task"`),
    }),
    show: allOf(
      'a hat is shown by id and by name',
      errandAnswered(SHOW, { stdout: `Lay brick ${nonce}.` }),
      errandAnswered(SHOW_BY_NAME, { stdout: /ID: mason[\s\S]*wall\.task[\s\S]*wall\.finished/ }),
    ),
    unknown: errandAnswered(SHOW_UNKNOWN, { exitCode: 1, stderr: "'nobody' not found" }),
    graph: allOf(
      'the graphs have the hat and its events',
      errandAnswered(MERMAID, {
        stdout: /^ {4}Ralph -->\|wall\.task\| Mason\n {4}Mason -->\|wall\.finished\| Ralph$/m,
      }),
      errandAnswered(COMPACT, {
        stdout: /^ {2}Ralph -> Mason\n {4}Mason => wall\.finished\n {4}Mason <= wall\.task$/m,
      }),
    ),
    valid: errandAnswered(VALIDATE, { stdout: /^Result: Valid/m }),
    invalid: errandAnswered(VALIDATE_BAD, { exitCode: 1, stdout: /roof\.task' has no subscribers/ }),
  }),

  agent: WALL,

  saboteurs: {
    'the mason publishes nothing': {
      agent: withoutEmitting('wall.finished'),
      kills: ['ends', 'hats'],
      failure: 'EventMissing',
    },
  },
});

export const hatCommands: readonly Scenario[] = [imports, commands];
