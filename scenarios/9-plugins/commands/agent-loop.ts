import {
  commitIs,
  commitsMade,
  fileContains,
  fileUntouched,
  hookRan,
  renderProject,
  stageReached,
  turnUses,
} from '../../../src/authoring.js';
import { arrives } from '../../support/plugins.js';
import { reverse } from '../../support/texts.js';
import { type CommandSetup, commandScenario } from './command-scenario.js';

const CODE = 'calculator/operations.py';
const PLAN = '# Plan\n\n1. In calculator/operations.py, let add return a + b.\n';
const PROJECT = { type: 'cli', language: 'python', name: 'Calculator App' } as const;
const SETUP = {
  plugin: 'agent-loop',
  project: { ...PROJECT, defect: 'add-subtracts' },
} as const satisfies CommandSetup;
/** The code without the defect. */
const FIXED = renderProject(PROJECT)[CODE] ?? '';

const FIX = {
  do: 'edit',
  path: CODE,
  old: 'def add(a, b):\n    return a - b',
  new: 'def add(a, b):\n    return a + b',
} as const;

/** The four commands of agent-loop, each with the promise that only it makes. */
export const agentLoopCommands = [
  commandScenario(SETUP, {
    command: 'explore',
    promise: 'code is read and not changed',
    covers: ['C18', 'C19'],
    stage: 'exploring',
    nextCommand: 'plan',
    argument: () => 'how add works.',
    asks: /read the code, its tests and its documents until you understand them/,
    agentDoes: (rule) => rule.readsFile(CODE).readsFile('README.md'),
    agentSays: 'add subtracts.',
    expect: () => ({
      uses: turnUses(1, 'read'),
      reached: stageReached('exploring', { turn: 1 }),
      untouched: fileUntouched(CODE),
    }),
    withoutText: { kills: ['uses', 'reached'] },
    forbidden: { steps: [FIX], kills: ['untouched'] },
  }),
  commandScenario(SETUP, {
    command: 'plan',
    promise: 'the plan is written where the command says, and nothing else is changed',
    covers: ['C20', 'C21'],
    stage: 'planning',
    nextCommand: 'code',
    argument: (nonce) =>
      `the fix of add. Begin the plan with the heading "# Plan for WORD", with WORD replaced by ${nonce} spelled backwards.`,
    asks: /Write the implementation strategy to (\S+) and touch nothing else/,
    agentDoes: (rule) => rule.writes('{{3}}', '# Plan for {{reverse 2}}\n\n1. Let add return a + b.\n'),
    agentSays: 'one step.',
    expect: (nonce) => ({
      file: fileContains('PLAN.md', `# Plan for ${reverse(nonce)}`),
      reached: stageReached('planning', { turn: 1 }),
      untouched: fileUntouched(CODE),
    }),
    withoutText: { kills: ['file', 'reached'] },
    forbidden: { steps: [FIX], kills: ['untouched'] },
  }),
  commandScenario(SETUP, {
    command: 'code',
    promise: 'the plan is read and followed, and a hook reminds the agent of the tests',
    covers: ['C22'],
    stage: 'coding',
    nextCommand: 'commit',
    argument: () => 'all steps, with the Edit tool. Leave the plan as it is.',
    asks: /Read (\S+) and implement its steps in order/,
    agentDoes: (rule) => rule.readsFile('{{3}}').readsFile(CODE).edits(CODE, FIX.old, FIX.new),
    agentSays: 'add adds.',
    files: { 'PLAN.md': PLAN },
    expect: () => ({
      file: fileContains(CODE, 'return a + b'),
      reached: stageReached('coding', { turn: 1 }),
      hook: hookRan(1, 'PostToolUse:Edit', { says: 'operations.py was changed. Run the tests' }),
      untouched: fileUntouched('PLAN.md'),
    }),
    withoutText: { kills: ['file', 'reached', 'hook'] },
    forbidden: {
      steps: [{ do: 'write', path: 'PLAN.md', text: '# Another plan\n' }],
      kills: ['untouched'],
    },
  }),
  commandScenario(SETUP, {
    command: 'commit',
    promise: 'the files of the change are committed, with a message in the form that the command gives',
    covers: ['C23', 'C24', 'C49'],
    stage: 'committing',
    nextCommand: 'explore',
    argument: (nonce) =>
      `the fix of add, in one commit. The file notes.txt is not part of it. Use the type and the scope of the message below, and name ${nonce} in its first line.`,
    asks: /with a message such as `(\w+)\((\w+)\): /,
    agentDoes: (rule) =>
      rule.runs('git add calculator && git commit -q -m "{{3}}({{4}}): add adds, for {{2}}"'),
    agentSays: 'the commit is made, the work is complete.',
    files: { 'PLAN.md': PLAN },
    before: [arrives(CODE, FIXED), arrives('notes.txt', 'Mine.\n')],
    expect: (nonce) => ({
      commits: commitsMade(1),
      commit: commitIs(1, { message: new RegExp(`^fix\\(calculator\\): .*${nonce}`), only: 'calculator/**' }),
      reached: stageReached('complete', { turn: 1 }),
    }),
    withoutText: { kills: ['commits', 'commit', 'reached'] },
    forbidden: { steps: [{ do: 'run', command: 'git add notes.txt' }], kills: ['commit'] },
  }),
];
