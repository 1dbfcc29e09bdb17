import {
  agentLoop,
  conversation,
  fileContains,
  fileEquals,
  fixturePluginFolder,
  onlyIn,
  onPrompt,
  stageNotReached,
  turnEnded,
  turnSays,
  turnsCompleted,
  turnUses,
  without,
} from '../../../src/authoring.js';
import { anotherWord, arranging } from '../../support/arrangement-changes.js';
import { ALLOWED, onCommand } from '../../support/plugins.js';
import {
  ADD_POWER,
  CODE,
  LIBRARY,
  LIBRARY_WITH_COMMITTED_TESTS,
  POWER_TESTS,
  POWER_TESTS_FILE,
} from '../../support/projects.js';
import { modelGivesOut } from '../../support/saboteurs.js';
import { reverse } from '../../support/texts.js';

const wish = (nonce: string) =>
  `/implement power(a, b) in calculator/operations.py, and begin your answer with ${nonce} in uppercase`;

/** The blocked command is sent again, word for word, once its condition is met. */
const resumedAfterBlock = conversation({
  id: 'flow-resumed-after-block',
  programs: ['python3'],
  priority: 'must',
  description: 'The session continues after a blocked command, and later the same command passes',
  covers: ['C7', 'C13', 'H37', 'H74'],
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    files: LIBRARY,
    plugins: [fixturePluginFolder('epti')],
    allowedTools: ALLOWED,
    turns: [
      wish(nonce),
      '/write-tests for power(a, b) in calculator/operations.py, which does not exist yet',
      '/commit-tests',
      wish(nonce),
    ],
  }),

  expect: ({ nonce }) => ({
    turnEnds: turnEnded(1, 'blocked', /commit the tests first/),
    ends: turnsCompleted({ but: [1] }),
    says: turnSays(4, nonce.toUpperCase()),
    file: fileContains(CODE, 'def power'),
  }),

  agent: [
    onCommand('epti:write-tests').writes(POWER_TESTS_FILE, POWER_TESTS).says('Two tests.'),
    onCommand('epti:commit-tests')
      .runs('git add tests && git commit -q -m "test: powers"')
      .says('Committed.'),
    onCommand('epti:implement')
      .reads(/begin your answer with (\w+) in uppercase/)
      .readsFile(CODE)
      .edits(...ADD_POWER)
      .says('{{upper 2}}: implemented.'),
  ],

  saboteurs: {
    'the tests are committed already': {
      config: arranging({ ...LIBRARY_WITH_COMMITTED_TESTS }),
      kills: ['turnEnds'],
      failure: 'UnexpectedTermination',
    },
    'commits no tests': {
      agent: onlyIn('epti:commit-tests', without('runs')),
      kills: ['ends', 'says', 'file'],
    },
  },
});

/** The user cancels in the middle of a tool call: the canceled turn does not count, and the session continues. */
const cancelledAndResumed = conversation({
  id: 'flow-cancelled-and-resumed',
  programs: ['python3'],
  priority: 'must',
  description: 'A canceled turn moves no stage, and the next one is answered',
  covers: ['C7', 'C8', 'C13', 'A13', 'H74'],
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    files: { 'README.md': 'Totals are rounded.\n' },
    plugins: [fixturePluginFolder('agent-loop')],
    workflow: agentLoop,
    turns: [
      { prompt: '/explore everything', cancelled: 'at-first-call' },
      `Read only README.md, again if you did already: what is rounded? Answer in one line of plain text: what is rounded, in lowercase, then a space and ${nonce} in uppercase.`,
    ],
  }),

  expect: ({ nonce }) => ({
    turnEnds: turnEnded(1, 'cancelled'),
    notReached: stageNotReached('exploring'),
    uses: turnUses(2, 'read'),
    says: turnSays(2, new RegExp(`totals.*${nonce.toUpperCase()}`, 's')),
    ends: turnsCompleted({ but: [1] }),
  }),

  agent: [
    onCommand('agent-loop:explore').readsFile('README.md').hangs(),
    onPrompt(/Read only README\.md[\s\S]*a space and (\w+) in uppercase/)
      .readsFile('README.md')
      .says('totals {{upper 1}}'),
  ],

  saboteurs: {
    'says nothing': { agent: without('says'), kills: ['says'] },
    'is done before the user can cancel': {
      agent: onlyIn('agent-loop:explore', without('readsFile', 'hangs')),
      kills: ['turnEnds', 'notReached'],
    },
    'answers without reading': { agent: onlyIn('Read only README', without('readsFile')), kills: ['uses'] },
    'the model fails': modelGivesOut('Read only README', 'ends'),
  },
});

/** The third prompt does not repeat the name: the model knows it only from the first. */
const contextKept = conversation({
  id: 'flow-context-kept',
  programs: ['python3'],
  priority: 'must',
  description: 'A fact from the first turn is used in the third',
  covers: ['C2', 'C14', 'H12', 'H52', 'H74'],
  backends: ['claude', 'opencode'],
  // OpenCode takes seconds to start, and it starts for each turn.
  timeoutSeconds: 240,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    turns: [
      `The release is called ${nonce}. Remember it.`,
      `How much is ${a} + ${b}? Reply with only the digits.`,
      'Write only the name of the release, backwards, to RELEASE.txt.',
    ],
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: turnsCompleted(),
    says: turnSays(2, String(a + b)),
    file: fileEquals('RELEASE.txt', reverse(nonce)),
  }),

  agent: [
    onPrompt('Remember it').says('I will.'),
    onPrompt(/How much is (\d+) \+ (\d+)/).says('{{add 1 2}}'),
    onPrompt('the name of the release, backwards')
      .when({ earlier: { regex: 'release is called (\\w+)' } })
      .writes('RELEASE.txt', '{{reverse 1}}\n')
      .says('Written.'),
    onPrompt('the name of the release, backwards').says('Which release?'),
  ],

  saboteurs: {
    'says nothing': { agent: without('says'), kills: ['says'] },
    'the model fails in the second turn': modelGivesOut('How much', 'ends'),
    'the user says another name': { config: anotherWord, kills: ['file'], failure: 'PromptIneffective' },
  },
});

/** Conversations that continue after an interruption or build on an earlier turn. */
export const flowsResumed = [resumedAfterBlock, cancelledAndResumed, contextKept] as const;
