import {
  commitIs,
  conversation,
  errandAnswered,
  fileContains,
  onlyIn,
  onPrompt,
  renderProject,
  turnAvoids,
  turnSays,
  turnsCompleted,
  turnUses,
  without,
} from '../../../src/authoring.js';
import { ALLOWED } from '../../support/plugins.js';
import { modelGivesOut } from '../../support/saboteurs.js';

const CODE = 'calculator/operations.py';
const TESTS = ['python3', '-m', 'unittest'] as const;
const project = (defect?: 'add-subtracts') =>
  renderProject({
    type: 'cli',
    language: 'python',
    name: 'Calculator App',
    ...(defect === undefined ? {} : { defect }),
  });

/** Each turn is a process of its own that continues the session: it knows earlier turns only from there. */
const bugFixedInSteps = conversation({
  id: 'flow-bug-fixed-in-steps',
  programs: ['python3'],
  priority: 'must',
  description:
    'One process per turn: a bug is found, fixed, and committed with the ticket that only the first turn names',
  covers: ['C2', 'C14', 'H52', 'H74'],
  backends: ['claude', 'opencode'],
  // OpenCode takes seconds to start, and it starts for each turn.
  timeoutSeconds: 240,

  arrange: ({ nonce }) => ({
    form: 'turn-by-turn',
    files: project('add-subtracts'),
    allowedTools: ALLOWED,
    turns: [
      `This is about ticket ${nonce}. One test fails. Read calculator/operations.py and say which function has the bug. Do not change any file yet.`,
      'Fix the bug.',
      'Commit the fix, and name the ticket in the commit message.',
    ],
    after: [{ run: TESTS }],
  }),

  expect: ({ nonce }) => ({
    ends: turnsCompleted(),
    uses: turnUses(1, 'read'),
    avoids: turnAvoids(1, 'write'),
    says: turnSays(1, /\badd\b/),
    file: fileContains(CODE, 'return a + b'),
    answered: errandAnswered('python3 -m unittest', { exitCode: 0 }),
    commit: commitIs(1, { message: new RegExp(`${nonce}`), touches: 'calculator/**' }),
  }),

  agent: [
    onPrompt('say which function has the bug').readsFile(CODE).says('The function add: it subtracts.'),
    onPrompt('Fix the bug')
      .readsFile(CODE)
      .edits(CODE, 'def add(a, b):\n    return a - b', 'def add(a, b):\n    return a + b')
      .says('Fixed.'),
    onPrompt('Commit the fix')
      .when({ earlier: { regex: 'about ticket (\\w+)' } })
      .runs('git add calculator && git commit -q -m "fix: add adds, for {{1}}"')
      .says('Committed.'),
    onPrompt('Commit the fix').says('Which ticket?'),
  ],

  saboteurs: {
    'says nothing': { agent: without('says'), kills: ['says'] },
    'reads nothing': { agent: onlyIn('which function', without('readsFile')), kills: ['uses'] },
    'fixes the bug in the first turn': {
      agent: (script) => {
        const [look, fix, ...rest] = script.rules;
        return look === undefined || fix === undefined
          ? script
          : { ...script, rules: [{ ...fix, when: look.when }, fix, ...rest] };
      },
      kills: ['avoids'],
    },
    'claims the fix and leaves the bug': {
      agent: onlyIn('Fix the bug', without('edits')),
      kills: ['file', 'answered', 'commit'],
    },
    'the model fails in the second turn': modelGivesOut('Fix the bug', 'ends'),
  },
});

/** Conversations in which every turn is a process of its own. */
export const flowsTurnByTurn = [bugFixedInSteps] as const;
