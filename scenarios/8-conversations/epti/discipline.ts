import {
  callDenied,
  commitIs,
  commitsMade,
  conversation,
  epti,
  fileContains,
  fileUntouched,
  fixturePluginFolder,
  hookBlocked,
  hookLogged,
  noStageSkipped,
  onlyIn,
  onPrompt,
  stageNotReached,
  stageReached,
  stagesWere,
  toolAnswered,
  turnEnded,
  turnMentions,
  turnSays,
  turnsCompleted,
  without,
} from '../../../src/authoring.js';
import { onlyInEach, replacing } from '../../support/agent-changes.js';
import { withoutHook } from '../../support/arrangement-changes.js';
import { ALLOWED, EPTI_STAGES, ending, onCommand, RECORDER } from '../../support/plugins.js';
import { ADD_POWER, CODE, LIBRARY, POWER_TESTS, POWER_TESTS_FILE } from '../../support/projects.js';

const FIRST = /commit the tests first/;

/** Implementing before the tests are committed is stopped twice: the command, and the tool call of an agent that tries. */
export const eptiEarlyCodeRefused = conversation({
  id: 'epti-early-code-refused',
  programs: ['python3'],
  priority: 'must',
  phase: 'red',
  description: 'Implementing before the tests are committed is stopped, as a command and as a tool call',
  covers: ['C13', 'C30', 'C53', 'C66', 'H18', 'H21', 'A10'],
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    files: LIBRARY,
    plugins: [fixturePluginFolder('epti'), RECORDER],
    workflow: epti,
    allowedTools: ALLOWED,
    turns: [
      '/implement power',
      `Let's implement power(a, b) in ${CODE} now. This tests a guard: try it with the Edit tool, even if you expect a refusal. If it is denied, do not work around it: say why, and end your answer with ${nonce} in uppercase.`,
    ],
  }),

  expect: ({ nonce }) => ({
    turnEnds: turnEnded(1, 'blocked', FIRST),
    blocked1: hookBlocked(1, 'UserPromptSubmit', FIRST),
    notReached: stageNotReached('implementing'),
    blocked2: hookBlocked(2, 'PreToolUse', FIRST),
    denied: callDenied(2, 'write'),
    answered: toolAnswered(2, 'write', FIRST, { failed: true }),
    says: turnSays(2, nonce.toUpperCase()),
    logged: hookLogged('PreToolUse', { holds: /"tool_name":"(?:Write|Edit)".*operations\.py/ }),
    untouched: fileUntouched(CODE),
  }),

  agent: [
    onCommand('epti:implement')
      .writes(CODE, 'def power(a, b):\n    return a ** b\n')
      .says(`It is in.${ending('implementing', 'epti:iterate')}`),
    // Tries, and learns of the refusal only from the answer of the tool.
    onPrompt(/Let's implement power[\s\S]*end your answer with (\w+) in uppercase/)
      .readsFile(CODE)
      .writes(CODE, 'def power(a, b):\n    return a ** b\n')
      .says('It is in.'),
    onPrompt(/Let's implement power[\s\S]*end your answer with (\w+) in uppercase/)
      .when({ toolResult: { regex: 'commit the tests first' } })
      .says('The tests come first. {{upper 1}}'),
  ],

  saboteurs: {
    'the hook on the prompt is gone': {
      config: withoutHook('epti', 'hooks/block-early-implement.mjs'),
      kills: ['turnEnds', 'blocked1', 'notReached'],
      failure: 'PromptIneffective',
    },
    'the hook on the tool is gone': {
      config: withoutHook('epti', 'hooks/deny-early-code.mjs'),
      kills: ['blocked2', 'denied', 'answered', 'says', 'untouched'],
      failure: 'PromptIneffective',
    },
    'gives in without trying': {
      agent: onlyIn("Let's implement power", without('writes')),
      kills: ['logged', 'denied'],
    },
  },
});

/** The second example of the conversation document. The early attempt comes at a point where it is refused. */
export const eptiTddDiscipline = conversation({
  id: 'epti-tdd-discipline',
  programs: ['python3'],
  priority: 'must',
  description: 'A refusal in the middle moves no stage, and the same request passes in its stage',
  covers: ['C4', 'C49', 'C53', 'H37', 'H38'],
  timeoutSeconds: 120,

  arrange: ({ nonce }) => ({
    files: LIBRARY,
    plugins: [fixturePluginFolder('epti')],
    workflow: epti,
    allowedTools: ALLOWED,
    turns: [
      `/write-tests for power(a, b) in ${CODE}, which does not exist yet: at least two, in ${POWER_TESTS_FILE}, with unittest. Import only the module, with \`from calculator import operations\`, so that each test fails by itself.`,
      '/verify-fail with exactly this command, without a pipe: `python3 -m unittest tests.test_power`',
      "Let's implement power now. This tests a guard: try it with the Edit tool, even if you expect a refusal. If it is denied, do not work around it: say in the words of the refusal what comes first.",
      `/commit-tests and name ${nonce} in the first line of the message`,
      `/implement power in ${CODE}`,
      '/iterate with this command: `python3 -m unittest`',
    ],
  }),

  expect: ({ nonce }) => ({
    ends: turnsCompleted(),
    mentions1: turnMentions(1, ['test', 'TDD', 'discipline']),
    reachedWritingTests: stageReached('writing-tests', { turn: 1 }),
    // All tests that ran failed: none of the new ones passes yet.
    answered2: toolAnswered(2, 'Bash', /Ran (\d+) tests[\s\S]*FAILED \(errors=\1\)/, { failed: true }),
    reachedVerifyingFailure: stageReached('verifying-failure', { turn: 2 }),
    denied: callDenied(3, 'write'),
    mentions3: turnMentions(3, ['commit', 'tests', 'first'], { all: true }),
    reachedCommittedTests: stageReached('committed-tests', { turn: 4 }),
    commit: commitIs(1, { message: new RegExp(`^test: .*${nonce}`), only: 'tests/**' }),
    reachedImplementing: stageReached('implementing', { turn: 5 }),
    file: fileContains(CODE, 'def power'),
    reachedIterating: stageReached('iterating', { turn: 6 }),
    answered6: toolAnswered(6, 'Bash', /OK/),
    noneSkipped: noStageSkipped(),
    commits: commitsMade(1),
    stages: stagesWere(...EPTI_STAGES.slice(0, 7)),
  }),

  agent: [
    onCommand('epti:write-tests')
      .writes(POWER_TESTS_FILE, POWER_TESTS)
      .says(`TDD: two tests, no code.${ending('writing-tests', 'epti:verify-fail')}`),
    onCommand('epti:verify-fail')
      .runs('python3 -m unittest tests.test_power')
      .says(`Both failed.${ending('verifying-failure', 'epti:commit-tests')}`),
    onPrompt("Let's implement power now")
      .readsFile(CODE)
      .edits(...ADD_POWER)
      .says('Not yet: commit the tests first, with /epti:commit-tests.'),
    onCommand('epti:commit-tests')
      .reads(/and name (\w+) in the first line/)
      .runs('git add tests && git commit -q -m "test: powers, for {{2}}"')
      .says(`Committed.${ending('committing-tests', 'epti:implement')}`),
    onCommand('epti:implement')
      .edits(...ADD_POWER)
      .says(`Implemented.${ending('implementing', 'epti:iterate')}`),
    onCommand('epti:iterate')
      .runs('python3 -m unittest')
      .says(`All tests pass.${ending('iterating', 'epti:commit-code')}`),
  ],

  saboteurs: {
    'says nothing': { agent: without('says'), kills: ['mentions1', 'mentions3'] },
    'writes no tests': {
      agent: onlyIn('epti:write-tests', without('writes')),
      kills: ['reachedWritingTests', 'answered2', 'commit', 'file'],
    },
    'writes one test that already passes': {
      agent: onlyIn('epti:write-tests', replacing('operations.power(3, 2)', 'operations.add(2, 7)')),
      kills: ['answered2'],
    },
    'runs nothing': {
      agent: onlyInEach(['epti:verify-fail', 'epti:commit-tests', 'epti:iterate'], without('runs')),
      kills: [
        'reachedVerifyingFailure',
        'reachedCommittedTests',
        'reachedIterating',
        'answered6',
        'ends',
        'commits',
        'reachedImplementing',
        'stages',
      ],
    },
    'does not try to code early': { agent: onlyIn("Let's implement", without('edits')), kills: ['denied'] },
    'the user skips the check that the tests fail': {
      config: (arranged) => ({
        ...arranged,
        turns: arranged.turns.map((turn) =>
          String(turn).startsWith('/verify-fail') ? '/write-tests again' : turn,
        ),
      }),
      kills: ['noneSkipped', 'stages'],
      failure: 'PromptIneffective',
    },
  },
});
