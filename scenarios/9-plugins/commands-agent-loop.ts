import {
  commitIs,
  commitsMade,
  fileContains,
  fileUntouched,
  hookRan,
  stageReached,
  turnUses,
} from '../../src/authoring.js';
import { type CommandPack, commandScenario } from './command-case.js';
import { arrives, reverse } from './parts.js';

const CODE = 'calculator/operations.py';
const PLAN = '# Plan\n\n1. Make add add.\n';
const PACK = {
  plugin: 'agent-loop',
  project: { type: 'cli', language: 'python', name: 'Calculator App', defect: 'add-subtracts' },
} as const satisfies CommandPack;

const FIX = {
  do: 'edit',
  path: CODE,
  old: 'def add(a, b):\n    return a - b',
  new: 'def add(a, b):\n    return a + b',
} as const;

/** The four commands of agent-loop, each for what only it promises. */
export const agentLoopCommands = [
  commandScenario(PACK, {
    command: 'explore',
    promise: 'code is read, and none is changed',
    covers: ['C18', 'C19'],
    stage: 'exploring',
    next: 'plan',
    body: /read the code, its tests and its documents until you understand them/,
    does: (rule) => rule.readsFile(CODE).readsFile('README.md'),
    says: 'add takes one number from the other.',
    expect: () => ({
      uses: turnUses(1, 'read'),
      reached: stageReached('exploring', { turn: 1 }),
      untouched: fileUntouched(CODE),
    }),
    untold: ['uses', 'reached'],
    oversteps: { steps: [FIX], kills: ['untouched'] },
  }),
  commandScenario(PACK, {
    command: 'plan',
    promise: 'the plan is written where the command says, and nothing else',
    covers: ['C20', 'C21'],
    stage: 'planning',
    next: 'code',
    body: /Write the implementation strategy to (\S+) and touch nothing else/,
    does: (rule) => rule.writes('{{3}}', '# Plan for {{reverse 2}}\n\n1. Make add add.\n'),
    says: 'one step.',
    expect: (nonce) => ({
      file: fileContains('PLAN.md', `# Plan for ${reverse(nonce)}`),
      reached: stageReached('planning', { turn: 1 }),
      untouched: fileUntouched(CODE),
    }),
    untold: ['file', 'reached'],
    oversteps: { steps: [FIX], kills: ['untouched'] },
  }),
  commandScenario(PACK, {
    command: 'code',
    promise: 'the plan is read and followed, and a hook reminds of the tests',
    covers: ['C22'],
    stage: 'coding',
    next: 'commit',
    body: /Read (\S+) and implement its steps in their order/,
    does: (rule) => rule.readsFile('{{3}}').readsFile(CODE).edits(CODE, FIX.old, FIX.new),
    says: 'add adds.',
    files: { 'PLAN.md': PLAN },
    expect: () => ({
      file: fileContains(CODE, 'return a + b'),
      reached: stageReached('coding', { turn: 1 }),
      hook: hookRan(1, 'PostToolUse:Edit', { says: 'operations.py was changed. Run the tests' }),
      untouched: fileUntouched('PLAN.md'),
    }),
    untold: ['file', 'reached', 'hook'],
    oversteps: {
      steps: [{ do: 'write', path: 'PLAN.md', text: '# Another plan\n' }],
      kills: ['untouched'],
    },
  }),
  commandScenario(PACK, {
    command: 'commit',
    promise: 'what belongs to the change is committed, in the form that the command gives',
    covers: ['C23', 'C24'],
    stage: 'committing',
    next: 'explore',
    body: /with a message such as `(\w+)\((\w+)\): /,
    does: (rule) => rule.runs('git add calculator && git commit -q -m "{{3}}({{4}}): add adds, for {{2}}"'),
    says: 'the commit is made, the work is complete.',
    files: { 'PLAN.md': PLAN },
    before: [arrives(CODE, 'def add(a, b):\n    return a + b\n'), arrives('notes.txt', 'Mine.\n')],
    expect: (nonce) => ({
      commits: commitsMade(1),
      commit: commitIs(1, { message: new RegExp(`^fix\\(calculator\\): .*${nonce}`), only: 'calculator/**' }),
      reached: stageReached('complete', { turn: 1 }),
    }),
    untold: ['commits', 'commit', 'reached'],
    oversteps: { steps: [{ do: 'run', command: 'git add notes.txt' }], kills: ['commit'] },
  }),
];
