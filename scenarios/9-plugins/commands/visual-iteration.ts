import {
  commitIs,
  commitsMade,
  fileContains,
  fileUntouched,
  stageReached,
  toolAnswered,
  turnAvoids,
  turnIsSpecific,
  turnMentions,
  turnUses,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { arrives, HAS_BROWSER, SCREENSHOT } from '../../support/plugins.js';
import { pictureOf, STYLE } from '../../support/projects.js';
import { type CommandSetup, commandScenario } from './command-scenario.js';

const SETUP = {
  plugin: 'visual-iteration',
  project: {
    type: 'web-app',
    language: 'javascript',
    name: 'Task Board',
    defect: ['wide-padding', 'small-heading'],
  },
} as const satisfies CommandSetup;

const TO_24 = { do: 'edit', path: STYLE, old: 'padding: 32px', new: 'padding: 24px' } as const;

/** The six commands of visual-iteration, each with the promise that only it makes. */
export const visualCommands = [
  commandScenario(SETUP, {
    command: 'load-mock',
    promise: 'the design is read and reported in values, and nothing is changed',
    covers: ['C36'],
    nextCommand: 'implement-design',
    argument: () => 'design.md.',
    asks: /Read the design\. List its layout, colors \((\w+)\), font sizes and spacing \((\w+)\)/,
    agentDoes: (rule) => rule.readsFile('design.md').readsFile(STYLE),
    agentSays:
      'the design, lengths in {{4}}:\n- card width: 320px\n- card padding: 24px\n- heading color: #222244',
    expect: () => ({
      uses: turnUses(1, 'read'),
      specific: turnIsSpecific(1, 3),
      untouched: fileUntouched(STYLE),
    }),
    withoutText: { kills: ['uses', 'specific'] },
    forbidden: { steps: [{ do: 'read', path: STYLE }, TO_24], kills: ['untouched'] },
  }),
  commandScenario(SETUP, {
    command: 'implement-design',
    promise: 'a first page is written, and no picture is taken of it',
    covers: ['C37'],
    nextCommand: 'screenshot',
    argument: () => 'an about page in public/about.html. Its main element has `class="card"`.',
    asks: /Write a first version of the page that works\. It need not be exact yet\. Take no (\w+)/,
    agentDoes: (rule) =>
      rule.writes(
        'public/about.html',
        '<!doctype html>\n<title>{{reverse 2}}</title>\n<main class="card"></main>\n',
      ),
    agentSays: 'a first version, without a {{3}}.',
    expect: () => ({
      file: fileContains('public/about.html', 'class="card"'),
      avoids: turnAvoids(1, 'screenshot'),
    }),
    withoutText: { kills: ['file'] },
    forbidden: {
      steps: [{ do: 'tool', name: SCREENSHOT, input: {}, result: 'A picture.' }],
      kills: ['avoids'],
    },
  }),
  commandScenario(SETUP, {
    command: 'screenshot',
    promise: 'the browser tool takes a picture of the page as it is',
    covers: ['C34', 'H41'],
    unplayable: HAS_BROWSER,
    stage: 'capturing',
    nextCommand: 'feedback',
    argument: () => 'of the page, without choosing a path.',
    asks: /Call the screenshot tool of the MCP server browser-tools/,
    agentDoes: (rule) => rule.calls(SCREENSHOT, {}),
    agentSays: 'the picture is screenshots/1.png.',
    expect: () => ({
      tool: toolAnswered(1, 'screenshot', pictureOf('screenshots/1.png', { cardPadding: 32 })),
      reached: stageReached('capturing', { turn: 1 }),
      untouched: fileUntouched(STYLE),
    }),
    withoutText: { kills: ['tool', 'reached'] },
    forbidden: {
      steps: [{ do: 'read', path: STYLE }, TO_24],
      kills: ['untouched', 'tool'],
    },
  }),
  commandScenario(SETUP, {
    command: 'feedback',
    promise: 'each difference is reported with its values, and none is fixed yet',
    covers: ['C35'],
    stage: 'analyzing',
    nextCommand: 'refine',
    argument: () =>
      'on public/style.css against design.md. There is no picture yet: take the values from these two files.',
    asks: /one line for each difference, such as: `\.card padding is (\w+), should be (\w+)/,
    agentDoes: (rule) => rule.readsFile(STYLE).readsFile('design.md'),
    agentSays:
      'two differences.\n- .card padding is {{3}}, should be {{4}} (-8px)\n- .card h1 font-size is 20px, should be 28px (+8px)',
    expect: () => ({
      specific: turnIsSpecific(1, 2),
      values: turnMentions(1, ['32px', '24px', '20px', '28px'], { all: true }),
      untouched: fileUntouched(STYLE),
    }),
    withoutText: { kills: ['specific', 'values'] },
    saboteurs: {
      'gives other values': { agent: replacing('28px', '30px'), kills: ['values'] },
    },
    forbidden: { steps: [{ do: 'read', path: STYLE }, TO_24], kills: ['untouched'] },
  }),
  commandScenario(SETUP, {
    command: 'refine',
    promise: 'the style sheet is changed, the page is not',
    covers: ['C37'],
    stage: 'refining',
    nextCommand: 'screenshot',
    argument: () => 'the card. The feedback is: .card padding is 32px, should be 24px.',
    asks: /Change the style sheet as the feedback lists it, value by value\. Change nothing else/,
    agentDoes: (rule) => rule.readsFile(STYLE).edits(STYLE, TO_24.old, TO_24.new),
    agentSays: 'the padding was 32px and is 24px now.',
    expect: () => ({
      file: fileContains(STYLE, 'padding: 24px'),
      reached: stageReached('refining', { turn: 1 }),
      untouched: fileUntouched('public/index.html'),
    }),
    withoutText: { kills: ['file', 'reached'] },
    forbidden: {
      steps: [
        { do: 'read', path: 'public/index.html' },
        { do: 'edit', path: 'public/index.html', old: 'Add task', new: 'Add' },
      ],
      kills: ['untouched'],
    },
  }),
  commandScenario(SETUP, {
    command: 'commit-visual',
    promise: 'the page is committed without its pictures',
    covers: ['C41', 'C49'],
    stage: 'committing',
    nextCommand: 'screenshot',
    argument: (nonce) => `in one commit, and name ${nonce} in the first line of the message.`,
    asks: /Commit the files of the page, not the pictures, with a message such as `(\w+): /,
    agentDoes: (rule) =>
      rule.runs('git add public && git commit -q -m "{{3}}: the card as designed, for {{2}}"'),
    agentSays: 'one round: the padding was changed.',
    before: [arrives(STYLE, '.card { padding: 24px; }\n'), arrives('picture.png', 'no picture')],
    expect: (nonce) => ({
      commits: commitsMade(1),
      commit: commitIs(1, { message: new RegExp(`^visual: .*${nonce}`), only: 'public/**' }),
      reached: stageReached('complete', { turn: 1 }),
    }),
    withoutText: { kills: ['commits', 'commit', 'reached'] },
    forbidden: { steps: [{ do: 'run', command: 'git add picture.png' }], kills: ['commit'] },
  }),
];
