import {
  allOf,
  completed,
  errandAnswered,
  fileContains,
  fileEquals,
  hatSequence,
  hats,
  loop,
  onEvent,
  onHat,
  onObjective,
  promptContained,
  promptLacked,
  type Scenario,
  scenario,
  toldOnlyTo,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { MECHANICS } from '../support/commands.js';
import { asking } from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

const NAMES = 'tools skill list --format quiet';
const JSON_LIST = 'tools skill list --format json';
const TABLE = 'tools skill list';
const LOAD = 'tools skill load paint-work';
const LOAD_UNKNOWN = 'tools skill load no-such-skill';

const skill = (fields: readonly string[], text: string) => ['---', ...fields, '---', '', text, ''].join('\n');

const files = (nonce: string, [a, b, c]: readonly [number, number, number]) => ({
  'skills/paint.md': skill(
    ['name: paint-work', `description: Paints ${nonce}`, 'tags: [color]'],
    `Use brush ${a}.`,
  ),
  'skills/saw/SKILL.md': `Use saw ${b}.\n`,
  // Not a skill, whatever it says.
  'skills/notes.txt': skill(['name: notes', 'description: Only notes'], 'Use nothing.'),
  'more-skills/robot-interaction.md': skill(
    ['name: robot-interaction', `description: Calls ${nonce}`],
    'Call them.',
  ),
  'more-skills/always.md': skill(['description: Always there', 'tags: [old]'], `Always look at ${c}.`),
  'more-skills/also.md': skill(['description: Also there'], `Also look at ${a}.`),
  'more-skills/hidden.md': skill(['description: Never there'], 'Never look.'),
  'more-skills/for-kiro.md': skill(['description: For another one', 'backends: [kiro]'], 'Only Kiro.'),
  'more-skills/for-two.md': skill(['description: For two', 'backends: [kiro, claude]'], 'Not for all.'),
  'more-skills/moved.md': skill(['description: Moved over', 'backends: [kiro]'], 'Now for Claude.'),
});

/** Skills of the project: found, described, filtered, replaced, injected, listed and loaded. */
const offered = scenario({
  ...MECHANICS,
  id: 'skills-offered',
  description:
    'The skills of a project are in the prompt and in the commands, as files and configuration say',
  covers: ['FR4'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers }) => ({
    config: loop({
      maxIterations: 3,
      more: {
        skills: {
          enabled: true,
          dirs: ['skills', 'no-such-folder', 'more-skills'],
          overrides: {
            always: { auto_inject: true, tags: ['new'] },
            also: { auto_inject: true },
            hidden: { enabled: false },
            moved: { backends: ['kiro', 'claude'] },
          },
        },
      },
    }),
    files: files(nonce, numbers),
    prompt:
      'Load the skill paint-work with the command that your prompt lists, and write its text to brush.txt.',
    after: [NAMES, JSON_LIST, TABLE, LOAD, LOAD_UNKNOWN].map(asking),
  }),

  expect: ({ nonce, numbers: [a, , c] }) => ({
    ends: completed(),
    index: allOf(
      'the prompt lists the skills, from front matter or by their files',
      promptContained(`\n| paint-work | Paints ${nonce} | \`ralph tools skill load paint-work\` |\n`),
      promptContained('\n| saw |  | `ralph tools skill load saw` |\n'),
      promptContained('\n| always | Always there | `ralph tools skill load always` |\n'),
    ),
    replaced: promptContained(`\n| robot-interaction | Calls ${nonce} | `),
    overridden: promptContained('\n| moved | Moved over | '),
    forTwo: promptContained('\n| for-two | For two | '),
    hidden: promptLacked('| hidden |'),
    filtered: promptLacked('| for-kiro |'),
    features: allOf(
      'tasks and memories are off, and so are their skills',
      promptContained('\n| ralph-tools | '),
      promptLacked('| ralph-tools-tasks |'),
      promptLacked('| ralph-tools-memories |'),
    ),
    injected: allOf(
      'the prompt has the text of every skill that is always there',
      promptContained(`<always-skill>\nAlways look at ${c}.\n</always-skill>`),
      promptContained(`<also-skill>\nAlso look at ${a}.\n</also-skill>`),
      promptContained(/^<\w+-skill>\n[\s\S]*\n<\/\w+-skill>\n\n<\w+-skill>\n/),
    ),
    notInjected: promptLacked(`Use brush ${a}.`),
    names: errandAnswered(NAMES, {
      stdout:
        /^also\nalways\nfor-two\nmoved\npaint-work\nralph-tools\nralph-tools-memories\nralph-tools-tasks\nrobot-interaction\nsaw$/m,
    }),
    fields: errandAnswered(JSON_LIST, {
      stdout:
        /"name": "always",\s+"description": "Always there",\s+"source": "file",\s+"path": "[^"]*more-skills\/always\.md",\s+"hats": \[\],\s+"backends": \[\],\s+"tags": \[\s+"new"\s+\],\s+"auto_inject": true/,
    }),
    ownFields: errandAnswered(JSON_LIST, {
      stdout: new RegExp(
        `"name": "paint-work",\\s+"description": "Paints ${nonce}",\\s+"source": "file",\\s+"path": "[^"]*skills/paint\\.md",\\s+"hats": \\[\\],\\s+"backends": \\[\\],\\s+"tags": \\[\\s+"color"\\s+\\],\\s+"auto_inject": false`,
      ),
    }),
    builtIn: errandAnswered(JSON_LIST, {
      stdout: /"name": "ralph-tools",\s+"description": "[^"]+",\s+"source": "built-in",\s+"path": null/,
    }),
    table: errandAnswered(TABLE, { stdout: new RegExp(`^paint-work +\\S+ +Paints ${nonce} *$`, 'm') }),
    loaded: errandAnswered(LOAD, {
      stdout: new RegExp(`^<paint-work-skill>\\s+Use brush ${a}\\.\\s+</paint-work-skill>\\s*$`, 'm'),
    }),
    unknown: errandAnswered(LOAD_UNKNOWN, {
      exitCode: 1,
      stderr:
        /skill 'no-such-skill' not found\s+Available skills: also, always, for-two, moved, paint-work, /,
    }),
    file: fileContains('brush.txt', `Use brush ${a}.`),
  }),

  agent: [
    onObjective(/Load the skill/)
      .reads(/^\| paint-work \| .* \| `(ralph tools skill load [\w-]+)` \|$/m)
      .runs('{{1}} > brush.txt')
      .completes(),
    onObjective(/Load the skill/)
      .says('There is no such skill.')
      .completes(),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends'),
  },
});

const QUIET_ELSEWHERE = 'tools skill list --format quiet --root elsewhere';
const LOAD_PLAN = 'tools skill load plan';
const BUILT_IN = ['ralph-tools', 'ralph-tools-memories', 'ralph-tools-tasks', 'robot-interaction'];
const listed = (...names: readonly string[]) => [...BUILT_IN, ...names].sort().join('\n');

/** Skills that the project has for Claude anyway. */
const ofClaude = scenario({
  ...MECHANICS,
  id: 'skills-by-default',
  description:
    'Without folders in the configuration, the skill commands use .claude/skills, from every folder of the project',
  covers: ['FR4'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a] }) => ({
    config: loop({ maxIterations: 3 }),
    files: {
      '.claude/skills/plan/SKILL.md': `Plan for ${nonce} and ${a}.\n`,
      '.claude/skills/measure.md': skill(['description: Measures'], 'Measure twice.'),
      // Closer to the folder in which the agent works, but not the project's own.
      'parts/.claude/skills/nearer.md': 'Nearer.\n',
      'parts/small/note.txt': 'small\n',
      // A project of its own, with the other ending of YAML files, and folders in it and above it.
      'elsewhere/ralph.yaml': 'skills: {dirs: [own, shared]}\n',
      'elsewhere/own/glue.md': 'Glue.\n',
      'elsewhere/.claude/skills/unused.md': 'Unused.\n',
      'shared/nail.md': 'Nail.\n',
    },
    prompt: 'In parts/small: write the names of all skills to names.txt, and the skill plan to plan.txt.',
    after: [NAMES, LOAD_PLAN, QUIET_ELSEWHERE].map(asking),
  }),

  expect: ({ nonce, numbers: [a] }) => ({
    ends: completed(),
    names: errandAnswered(NAMES, { stdout: new RegExp(`^${listed('measure', 'plan')}\\n$`) }),
    loaded: errandAnswered(LOAD_PLAN, {
      stdout: new RegExp(`^<plan-skill>\\s+Plan for ${nonce} and ${a}\\.\\s+</plan-skill>\\s*$`),
    }),
    below: fileEquals('parts/small/names.txt', listed('measure', 'plan')),
    loadedBelow: fileContains('parts/small/plan.txt', `Plan for ${nonce} and ${a}.`),
    configured: errandAnswered(QUIET_ELSEWHERE, { stdout: new RegExp(`^${listed('glue', 'nail')}\\n$`) }),
  }),

  agent: [
    onObjective(/write the names of all skills/)
      .runs('(cd parts/small && ralph tools skill list --format quiet > names.txt)')
      .runs('(cd parts/small && ralph tools skill load plan > plan.txt)')
      .completes(),
  ],

  saboteurs: {
    'works in the wrong folder': {
      agent: replacing('cd parts/small && ', ''),
      kills: ['below', 'loadedBelow'],
    },
    'never completes': neverCompletes('ends'),
  },
});

/** Both the front matter and the override of a skill have hats: "Restrict skill to specific hats." */
const forOneHat = scenario({
  ...MECHANICS,
  id: 'skill-for-one-hat',
  description: 'A skill for certain hats is offered only to those',
  covers: ['FR15'],
  expectedIterations: 3,

  knownIssue: {
    upTo: '2.10.1',
    reason: 'Ralph lists the skills once, for no hat in particular, so that every hat gets all of them',
    link: 'docs/ralph-behavior.md',
    breaks: { painterOnly: 'also found in iterations 2, 3', injectedOnly: 'also found in iterations 2, 3' },
  },

  arrange: ({ nonce }) => ({
    config: hats(
      {
        painter: { triggers: ['paint.request'], publishes: ['paint.finished'], instructions: 'Paint.' },
        hanger: { triggers: ['paint.finished'], publishes: ['sign.hung'], instructions: 'Hang.' },
      },
      {
        maxIterations: 5,
        more: {
          skills: {
            enabled: true,
            dirs: ['skills'],
            overrides: { mix: { hats: ['painter'], auto_inject: true } },
          },
        },
      },
    ).startingWith('paint.request'),
    files: {
      'skills/brush.md': skill([`description: For ${nonce}`, 'hats: [painter]'], 'Use a brush.'),
      'skills/mix.md': skill(['description: Mixes'], 'Mix it.'),
    },
    prompt: 'Have a sign painted and hung.',
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    hats: hatSequence('painter', 'hanger', 'ralph'),
    offered: promptContained(`\n| brush | For ${nonce} | `, { iteration: 1 }),
    injected: promptContained('<mix-skill>\nMix it.\n</mix-skill>', { iteration: 1 }),
    painterOnly: toldOnlyTo('painter', '| brush |'),
    injectedOnly: toldOnlyTo('painter', '<mix-skill>'),
  }),

  agent: [
    onHat('Painter').emits('paint.finished', 'red'),
    onHat('Hanger').emits('sign.hung', 'up'),
    onEvent('sign.hung').completes(),
  ],
});

export const skills: readonly Scenario[] = [offered, ofClaude, forOneHat];
