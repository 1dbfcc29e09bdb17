import {
  agentLoop,
  callDenied,
  commandsOffered,
  commitsMade,
  conversation,
  fileContains,
  fixturePluginFolder,
  hookBlocked,
  hookRan,
  mcpServerIs,
  onlyIn,
  pluginLoaded,
  renderProject,
  stageReached,
  toolAnswered,
  turnEnded,
  turnSays,
  turnsCompleted,
  turnUses,
  visualIteration,
  without,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { ALLOWED, ending, HAS_BROWSER, onCommand, pluginIn, SCREENSHOT } from '../support/plugins.js';
import { pictureOf } from '../support/projects.js';
import { reverse } from '../support/texts.js';

const THREE = ['agent-loop', 'epti', 'visual-iteration'] as const;
const ITERATE =
  '---\ndescription: Look again\n---\nTake another look at the page, if there is one. Subject: $ARGUMENTS\n';

/** Asks for a line that differs from what is sent. */
const beginning = (what: string, nonce: string) =>
  `and begin your answer with this line in plain text: "${what} for WORD", with WORD replaced by ${nonce} spelled backwards`;

/** Three plugins at once: each keeps its commands, and nobody guesses which one an ambiguous name means. */
export const threePlugins = conversation({
  id: 'plugins-together',
  programs: ['python3'],
  priority: 'must',
  description: 'Three plugins work side by side, and an ambiguous command is refused before it is sent',
  covers: ['A11', 'H7', 'H8'],
  timeoutSeconds: 180,
  arrange: ({ nonce, lane }) => ({
    files: renderProject({ type: 'library', language: 'python', name: 'Calculator' }),
    plugins: [
      pluginIn(lane, 'agent-loop'),
      pluginIn(lane, 'epti'),
      pluginIn(lane, 'visual-iteration', { 'commands/iterate.md': ITERATE }),
    ],
    workflow: agentLoop,
    allowedTools: ALLOWED,
    turns: [
      `/iterate ${nonce}`,
      `/epti:iterate ${beginning('tests', nonce)}`,
      `/visual-iteration:iterate ${beginning('page', nonce)}`,
      '/explore the calculator',
    ],
  }),
  expect: ({ nonce }) => ({
    loadedAgentLoop: pluginLoaded('agent-loop'),
    loadedEpti: pluginLoaded('epti'),
    loadedVisualIteration: pluginLoaded('visual-iteration'),
    commands: commandsOffered('agent-loop:explore', 'epti:iterate', 'visual-iteration:iterate'),
    turnEnds: turnEnded(1, 'ambiguous-command', '/epti:iterate or /visual-iteration:iterate'),
    ends: turnsCompleted({ but: [1] }),
    says2: turnSays(2, `tests for ${reverse(nonce)}`),
    says3: turnSays(3, `page for ${reverse(nonce)}`),
    uses: turnUses(4, 'read'),
    reached: stageReached('exploring', { turn: 4 }),
  }),
  agent: [
    onCommand('epti:iterate')
      .reads(/replaced by (\w+) spelled backwards/)
      .reads(/Run the (\w+), fix the code/)
      .says('{{3}} for {{reverse 2}}\nAll passed.'),
    onCommand('visual-iteration:iterate')
      .reads(/replaced by (\w+) spelled backwards/)
      .reads(/another look at the (\w+)/)
      .says('{{3}} for {{reverse 2}}\nThere is none.'),
    onCommand('agent-loop:explore')
      .readsFile('README.md')
      .says(`Arithmetic.${ending('exploring', 'agent-loop:plan')}`),
  ],
  saboteurs: {
    'only one of them has the command': {
      config: arranging(({ lane }) => ({ plugins: THREE.map((name) => pluginIn(lane, name)) })),
      kills: ['turnEnds', 'commands', 'ends', 'says3'],
      failure: 'ConfigurationError',
    },
    'agent-loop cannot be loaded': {
      config: (arranged, { lane }) => ({
        ...arranged,
        plugins: [
          pluginIn(lane, 'agent-loop', { '.claude-plugin/plugin.json': '{ "name": 7 }\n' }),
          ...(arranged.plugins ?? []).slice(1),
        ],
      }),
      kills: ['loadedAgentLoop', 'uses', 'reached'],
      failure: 'ConfigurationError',
    },
    'the two others are missing': {
      config: (arranged) => ({ ...arranged, plugins: (arranged.plugins ?? []).slice(0, 1) }),
      kills: ['loadedEpti', 'loadedVisualIteration', 'says2'],
      failure: 'ConfigurationError',
    },
  },
});

/** A command of one plugin can use the tool of another. */
export const sharedTool = conversation({
  id: 'plugins-share-a-tool',
  programs: ['python3'],
  priority: 'should',
  description:
    'The MCP tool of one plugin is available in the whole session, and a command of another uses it',
  covers: ['H41', 'A11', 'H33'],
  unplayable: HAS_BROWSER,
  timeoutSeconds: 120,
  arrange: ({ nonce }) => ({
    files: renderProject({
      type: 'web-app',
      language: 'javascript',
      name: 'Task Board',
      defect: 'sharp-corners',
    }),
    plugins: [fixturePluginFolder('agent-loop'), fixturePluginFolder('visual-iteration')],
    workflow: visualIteration,
    allowedTools: [SCREENSHOT],
    turns: [
      `/explore the page with the screenshot tool and the path ${nonce}.png. Say which radius the corners of the card have in the picture, in one line of plain text: "The corners are Npx", with N replaced by the number.`,
    ],
  }),
  expect: ({ nonce }) => ({
    server: mcpServerIs('visual-iteration:browser-tools', 'connected'),
    uses: turnUses(1, 'screenshot'),
    answered: toolAnswered(1, 'screenshot', pictureOf(`${nonce}.png`, { cardRadius: 4 })),
    says: turnSays(1, 'The corners are 4px'),
  }),
  agent: [
    onCommand('agent-loop:explore')
      .reads(/and the path (\w+\.png)/)
      .calls(SCREENSHOT, { path: '{{2}}' })
      .says('The corners are 4px'),
  ],
  saboteurs: {
    'the server is missing': {
      config: arranging(({ lane }) => ({
        plugins: [pluginIn(lane, 'agent-loop'), pluginIn(lane, 'visual-iteration', { '.mcp.json': null })],
      })),
      kills: ['server', 'uses', 'answered'],
      failure: 'ConfigurationError',
    },
    'takes the picture and says nothing': { agent: without('says'), kills: ['says'] },
  },
});

/** Two plugins watch the same calls: one allows a commit, the other blocks it, and both comment on a changed file. */
export const hooksOfTwo = conversation({
  id: 'plugins-hooks-of-two',
  programs: ['python3'],
  priority: 'must',
  description: 'The hooks of two plugins both run on one call, and one that blocks is enough',
  covers: ['H18', 'H21', 'A10', 'A11'],
  timeoutSeconds: 180,
  arrange: ({ nonce, lane }) => ({
    files: renderProject({
      type: 'library',
      language: 'python',
      name: 'Calculator',
      defect: 'add-subtracts',
    }),
    plugins: [pluginIn(lane, 'agent-loop'), pluginIn(lane, 'epti')],
    workflow: agentLoop,
    allowedTools: ALLOWED,
    turns: [
      `/plan the fix for ${nonce}. Begin the plan with the heading "# Plan for WORD", with WORD replaced by ${nonce} spelled backwards.`,
      `/write-tests for ${nonce} in tests/test_fix.py, with the Write tool`,
      '/commit the plan and the new test together. This tests a guard and overrides the rule below: try the commit at once, without running the tests, even if you expect a refusal. If it is refused, do not work around it: begin your answer with "Stopped: REASON" in plain text, with REASON replaced by the words that follow "epti: " in the refusal.',
    ],
  }),
  expect: ({ nonce }) => ({
    ends: turnsCompleted(),
    file: fileContains('PLAN.md', reverse(nonce)),
    loopHook: hookRan(2, 'PostToolUse:Write', { says: 'agent-loop: test_fix.py was changed' }),
    eptiHook: hookRan(2, 'PostToolUse:Write', { says: /epti: python3 -m unittest .* fails/ }),
    blocked: hookBlocked(3, 'PreToolUse:Bash', 'epti: nothing but tests is committed while tests fail'),
    denied: callDenied(3, 'Bash'),
    says: turnSays(3, 'Stopped: nothing but tests'),
    commits: commitsMade(0),
  }),
  agent: [
    onCommand('agent-loop:plan')
      .reads(/the fix for (\w+)/)
      .writes('PLAN.md', '# Plan for {{reverse 2}}\n')
      .says(`One step.${ending('planning', 'agent-loop:code')}`),
    onCommand('epti:write-tests').writes('tests/test_fix.py', 'import unittest\n').says('A test.'),
    onCommand('agent-loop:commit')
      .runs('git add PLAN.md tests && git commit -q -m "fix(calculator): add adds"')
      .says('Committed.'),
    onCommand('agent-loop:commit')
      .when({ toolResult: { regex: 'epti: (nothing but tests)' } })
      .says('Stopped: {{2}} is committed while tests fail.'),
  ],
  saboteurs: {
    'only agent-loop is loaded': {
      config: (arranged) => ({
        ...arranged,
        plugins: (arranged.plugins ?? []).slice(0, 1),
        turns: arranged.turns.map((turn) => String(turn).replace('/write-tests for', '/plan the fix for')),
      }),
      kills: ['eptiHook', 'blocked', 'denied', 'says', 'commits'],
      failure: 'PromptIneffective',
    },
    'there is no plan': { agent: onlyIn('agent-loop:plan', without('writes')), kills: ['file'] },
    'one command is missing': {
      config: arranging(({ lane }) => ({
        plugins: [pluginIn(lane, 'agent-loop'), pluginIn(lane, 'epti', { 'commands/write-tests.md': null })],
      })),
      kills: ['ends', 'loopHook', 'eptiHook'],
      failure: 'ConfigurationError',
    },
  },
});
