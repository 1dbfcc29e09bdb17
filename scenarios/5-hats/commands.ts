import {
  allOf,
  completed,
  errandAnswered,
  hatSequence,
  loop,
  onEvent,
  onHat,
  onObjective,
  promptContained,
  type Scenario,
  scenario,
} from '../../src/authoring.js';
import { withoutEmitting } from '../support/agent-changes.js';
import { configuring } from '../support/arrangement-changes.js';
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
  chain: { config: importing('hats/chain.yml'), why: /transitive imports are not supported/ },
  events: { config: importing('hats/events.yml'), why: /cannot contain 'events:'/ },
  number: { config: importing('5'), why: /'import' must be a string file path/ },
} as const;
type Wrong = keyof typeof WRONG;

const wrongList = (name: Wrong) => `hats list -c ${name}.yml`;
const refused = (name: Wrong) => errandAnswered(wrongList(name), { exitCode: 1, stderr: WRONG[name].why });

const LIST = 'hats list';
const JSON_LIST = 'hats list --format json';
const SHOW = 'hats show mason';
const SHOW_BY_NAME = 'hats show Mason';
const SHOW_UNKNOWN = 'hats show nobody';
const MERMAID = 'hats graph --format mermaid';
const COMPACT = 'hats graph --format compact';
const VALIDATE = 'hats validate';
const VALIDATE_BAD = 'hats validate -c nobody.yml';

/** Hats in files of their own, and the commands that show hats. */
const imports = scenario({
  id: 'hat-import',
  ...MECHANICS,
  tier: 5,
  priority: 'should',
  phase: 'green',
  description:
    'A hat can come from a file, its own keys win, and `ralph hats` shows and checks what Ralph will use',
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
      'nobody.yml': `event_loop: {starting_event: roof.task}\n${importing('hats/mason.yml')}`,
      ...Object.fromEntries(Object.entries(WRONG).map(([name, { config }]) => [`${name}.yml`, config])),
    },
    prompt: 'Have a wall built.',
    after: [
      ...[LIST, JSON_LIST, SHOW, SHOW_BY_NAME, SHOW_UNKNOWN, MERMAID, COMPACT, VALIDATE, VALIDATE_BAD],
      ...(['missing', 'list', 'chain', 'events', 'number'] as const).map(wrongList),
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
    missing: refused('missing'),
    notMapping: refused('list'),
    chain: refused('chain'),
    events: refused('events'),
    number: refused('number'),
  }),

  agent: [
    onHat('Mason').emits('wall.finished', 'up'),
    onEvent('wall.finished').completes(),
    onObjective(/Have a wall built/).says('I have nothing to do.'),
  ],

  saboteurs: {
    'the file has another hat': {
      config: ({ files, ...arrangement }) => ({
        ...arrangement,
        files: { ...files, 'hats/mason.yml': MASON('nothing').replaceAll('Mason', 'Roofer') },
      }),
      kills: ['imported', 'ownWins', 'list', 'show', 'graph'],
      failure: 'AssertionMismatch',
    },
    'the hat says nothing of its own': {
      config: ({ config, ...arrangement }) => ({
        ...arrangement,
        config: { ...config, hats: { mason: { import: 'hats/mason.yml' } } },
      }),
      kills: ['ownWins', 'list', 'json'],
      failure: 'AssertionMismatch',
    },
    'every import is right': {
      config: ({ files, ...arrangement }, { nonce }) => ({
        ...arrangement,
        files: {
          ...files,
          ...Object.fromEntries(
            Object.keys(WRONG).map((name) => [`${name}.yml`, importing('hats/mason.yml')]),
          ),
          'nobody.yml': `event_loop: {starting_event: wall.task}\nhats:\n  nobody:\n    import: hats/mason.yml\n`,
          'hats/mason.yml': MASON(nonce),
        },
      }),
      kills: ['missing', 'notMapping', 'chain', 'events', 'number', 'invalid'],
      failure: 'AssertionMismatch',
    },
    'the hat is called nobody': {
      config: ({ config, ...arrangement }, { numbers: [a] }) => ({
        ...arrangement,
        config: {
          ...config,
          hats: { nobody: { import: 'hats/mason.yml', description: `Builds wall ${a}` } },
        },
      }),
      kills: ['hats', 'show', 'unknown'],
      failure: 'AssertionMismatch',
    },
    'nobody waits for the starting event': {
      config: configuring('event_loop', { starting_event: 'roof.task' }),
      kills: ['valid', 'hats'],
      failure: 'AssertionMismatch',
    },
    'the mason publishes nothing': {
      agent: withoutEmitting('wall.finished'),
      kills: ['ends', 'hats'],
      failure: 'EventMissing',
    },
  },
});

export const hatCommands: readonly Scenario[] = [imports];
