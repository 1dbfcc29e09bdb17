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

const wish = (nonce: string) => `/implement power, and say ${nonce} in capital letters`;

/** The command that was blocked is said again, word for word, once what it waits for is done. */
const resumedAfterBlock = conversation({
  id: 'flow-resumed-after-block',
  tier: 8,
  programs: ['python3'],
  priority: 'must',
  phase: 'green',
  description:
    'A blocked command harms nothing: the session goes on, and later the same command goes through',
  covers: ['C7', 'C13', 'H74'],
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    files: LIBRARY,
    plugins: [fixturePluginFolder('epti')],
    allowedTools: ALLOWED,
    turns: [wish(nonce), '/write-tests for power', '/commit-tests', wish(nonce)],
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
      .reads(/and say (\w+) in capital letters/)
      .readsFile(CODE)
      .edits(...ADD_POWER)
      .says('Implemented. {{upper 2}}'),
  ],

  saboteurs: {
    'never says a word': { agent: without('says'), kills: ['says'] },
    'the tests are committed by somebody else': {
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

/** The user breaks off in the middle of a tool call; what was broken off does not count, and the talk goes on. */
const cancelledAndResumed = conversation({
  id: 'flow-cancelled-and-resumed',
  tier: 8,
  programs: ['python3'],
  priority: 'must',
  phase: 'green',
  description: 'A turn is cancelled in the middle, moves no stage, and the next one is answered',
  covers: ['C7', 'C8', 'C13', 'A13', 'H74'],
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    files: { 'README.md': 'Totals are rounded.\n' },
    plugins: [fixturePluginFolder('agent-loop')],
    workflow: agentLoop,
    turns: [
      { prompt: '/explore everything', cancelled: 'at-first-call' },
      `only the README: what is rounded? Add ${nonce} in capital letters`,
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
    onPrompt(/only the README: what is rounded\? Add (\w+)/)
      .readsFile('README.md')
      .says('The totals. {{upper 1}}'),
  ],

  saboteurs: {
    'never says a word': { agent: without('says'), kills: ['says'] },
    'is done before the user can break it off': {
      agent: onlyIn('agent-loop:explore', without('readsFile', 'hangs')),
      kills: ['turnEnds', 'notReached'],
    },
    'answers by heart': { agent: onlyIn('only the README', without('readsFile')), kills: ['uses'] },
    'the model gives out': modelGivesOut('only the README', 'ends'),
  },
});

/** What is told once is known later: the third prompt names nothing, the model has it from the first. */
const contextKept = conversation({
  id: 'flow-context-kept',
  tier: 8,
  programs: ['python3'],
  priority: 'must',
  phase: 'green',
  description: 'A fact that was told in the first turn is used in the third',
  covers: ['C2', 'C14', 'H12', 'H52', 'H74'],
  backends: ['claude', 'opencode'],
  // OpenCode takes seconds to start, and starts for each turn.
  timeoutSeconds: 240,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    turns: [
      `The release is called ${nonce}. Remember it.`,
      `How much is ${a} + ${b}?`,
      'Write the name of the release, backwards, to RELEASE.txt.',
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
    'never says a word': { agent: without('says'), kills: ['says'] },
    'the model gives out in the second turn': modelGivesOut('How much', 'ends'),
    'the user never tells the name': {
      config: (arranged) => ({ ...arranged, turns: ['Remember it.', ...arranged.turns.slice(1)] }),
      kills: ['file'],
    },
    'the user tells another name': { config: anotherWord, kills: ['file'] },
  },
});

/** How conversations go on, besides the patterns of the plugins. */
export const flowsResumed = [resumedAfterBlock, cancelledAndResumed, contextKept] as const;
