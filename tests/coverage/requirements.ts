/** Where a requirement is tested, in addition to the scenarios that name it: a file under tests/ and a name in it. */
type Place = readonly [file: string, name: string];

export interface Requirement {
  readonly what: string;
  readonly tests?: readonly Place[];
  /** Why there is nothing to test. */
  readonly not?: string;
}

const TOOLS = 'mcp/support/tool-tests.ts';
const plugins: Place = [TOOLS, 'are installed, listed, looked at and uninstalled'];
const stages: Place = [TOOLS, 'goes through the stages of its workflow, shown by what really happened'];
const hooks: Place = [TOOLS, 'tells what a hook blocked, and in what'];
const polled: Place = [TOOLS, 'can be polled, and outlives a turn that takes too long'];
const unmixed: Place = [TOOLS, 'does not mix with another one'];
const environment: Place = [TOOLS, 'is made, captured and reset'];
const assertions: Place = [TOOLS, 'judge texts and stages'];
const servers: Place = [TOOLS, 'are started, asked and stopped'];
const everyTool: Place = [TOOLS, 'every tool was called'];
const badInput: Place = [
  'mcp/bad-input.test.ts',
  'comes back as a structured error, and the server lives on',
];
const container: Place = [
  'real/isolation-docker.test.ts',
  'a scenario passes in a container %s, and none is left',
];
const ownScenario: Place = [
  'e2e/own-scenarios.test.ts',
  'runs a conversation of the user, and nothing of ours',
];
const states: Place = ['kinds/conversation/session/state-machine.test.ts', 'the states of a conversation'];
const stateLog: Place = [
  'kinds/conversation/session/state-machine.test.ts',
  'records every event, and illegal ones change nothing',
];
const confined: Place = ['isolation/cell.test.ts', 'only the folders of the attempt can be written'];

/** The harness for plugins: its tools, its behavior, its isolation. */
const HARNESS: Readonly<Record<string, Requirement>> = {
  H1: { what: 'install_plugin', tests: [plugins] },
  H2: { what: 'uninstall_plugin', tests: [plugins] },
  H3: { what: 'list_plugins', tests: [plugins] },
  H4: { what: 'get_plugin_status', tests: [plugins] },
  H5: { what: 'execute_command', tests: [stages] },
  H6: { what: 'get_command_output', tests: [polled] },
  H7: { what: 'list_available_commands', tests: [stages] },
  H8: { what: 'verify_command_expansion', tests: [stages] },
  H9: { what: 'start_conversation', tests: [stages] },
  H10: { what: 'send_prompt', tests: [stages] },
  H11: { what: 'get_response', tests: [polled] },
  H12: { what: 'get_conversation_history', tests: [stages] },
  H13: { what: 'end_conversation', tests: [stages] },
  H14: {
    what: 'get_agent_mode',
    tests: [['real/mcp.test.ts', 'an agent of a plugin answers, and what it was told is known']],
  },
  H15: {
    what: 'get_agent_guidance',
    tests: [['real/mcp.test.ts', 'an agent of a plugin answers, and what it was told is known']],
  },
  H16: { what: 'get_workflow_stage', tests: [stages] },
  H17: { what: 'verify_agent_transition', tests: [stages] },
  H18: { what: 'list_active_hooks', tests: [hooks] },
  H19: { what: 'trigger_hook', tests: [hooks] },
  H20: { what: 'get_hook_execution_log', tests: [hooks] },
  H21: { what: 'verify_hook_blocked_action', tests: [hooks] },
  H22: {
    what: 'create_test_project',
    tests: [environment, ['kinds/conversation/projects/test-projects.test.ts', 'passes its own tests']],
  },
  H23: {
    what: 'setup_git_repo',
    tests: [
      environment,
      [
        'kinds/conversation/projects/repo-and-files.test.ts',
        'commits everything but what is ignored, and says what it did',
      ],
    ],
  },
  H24: {
    what: 'create_sample_files',
    tests: [
      environment,
      [
        'kinds/conversation/projects/repo-and-files.test.ts',
        'writes with parent folders, and continues after a file that cannot be written',
      ],
    ],
  },
  H25: { what: 'reset_test_environment', tests: [environment] },
  H26: { what: 'capture_test_artifacts', tests: [environment] },
  H27: { what: 'assert_contains_keywords', tests: [assertions] },
  H28: { what: 'assert_workflow_transition', tests: [assertions] },
  H29: { what: 'assert_command_suggested', tests: [assertions] },
  H30: { what: 'assert_error_handled_gracefully', tests: [assertions] },
  H31: { what: 'start_mcp_server', tests: [servers] },
  H32: { what: 'stop_mcp_server', tests: [servers] },
  H33: { what: 'verify_mcp_communication', tests: [servers] },
  H34: {
    what: 'mock_mcp_tool_response',
    tests: [
      [
        'real/mcp.test.ts',
        'a mocked tool is called and answers what it was told to, also after that changed',
      ],
    ],
  },
  H35: {
    what: 'all tools work over stdio and HTTP; errors are structured results',
    tests: [badInput, ['mcp/http.test.ts', 'a client with the token is served, session after session']],
  },
  H36: { what: 'the tool list is complete: 34 tools, and 4 for runs', tests: [everyTool] },
  H37: { what: 'installation, commands, behavior, flows and workflows of four plugins' },
  H38: { what: 'complete workflows of four and six stages without a person' },
  H39: { what: 'tests are isolated and repeatable', tests: [confined] },
  H40: {
    what: 'assertions check meaning, not exact words',
    tests: [
      [
        'kinds/conversation/strategies/strategies.test.ts',
        'finds words at their beginning, whatever their case',
      ],
    ],
  },
  H41: { what: 'MCP servers of plugins are used' },
  H42: { what: 'the harness is a server', tests: [everyTool] },
  H43: { what: 'containers', tests: [container] },
  H44: { what: 'the same runner runs all scenarios', tests: [ownScenario] },
  H45: { what: 'the environment starts and is ready before the test', tests: [container] },
  H46: { what: 'a plugin is installed, and its status says so', tests: [plugins] },
  H47: { what: 'a session has its own id', tests: [unmixed] },
  H48: { what: 'a command returns its stage, tool calls and text', tests: [stages] },
  H49: { what: 'the answer is judged by its words and its stage', tests: [assertions] },
  H50: {
    what: 'everything is ended and removed afterwards',
    tests: [['mcp/bad-input.test.ts', 'the agent, with the server']],
  },
  H51: { what: 'test state (projects, plugins, artifacts) is removed after the test', tests: [environment] },
  H52: {
    what: 'session state (history, mode, stage, commands, hooks) is separate for each session',
    tests: [unmixed],
  },
  H53: {
    what: 'system state (plugins, servers) is kept until it is reset',
    tests: [environment, servers],
  },
  H54: { what: 'concurrent sessions do not mix', tests: [unmixed] },
  H55: {
    what: 'container images',
    tests: [['isolation/parts.test.ts', 'the archive of the image is one that tar reads']],
  },
  H56: {
    what: 'health is checked before use, within 30 s',
    tests: [
      ['e2e/isolation.test.ts', 'no engine, or one whose containers cannot run our programs, ends it too'],
    ],
  },
  H57: { what: 'plugins are mounted read-only', tests: [confined] },
  H58: { what: 'the project is mounted writable', tests: [container] },
  H59: { what: 'session state is removed with its container', tests: [container] },
  H60: { what: 'artifacts are kept outside', tests: [container] },
  H61: { what: 'the MCP server configuration is read-only', tests: [confined] },
  H62: {
    what: 'a separate network',
    tests: [
      [
        'isolation/cell.test.ts',
        'of the ports of this machine only the bridged one is reachable, under its own number',
      ],
    ],
  },
  H63: {
    what: 'environment variables from an allow list',
    tests: [
      [
        'isolation/cell.test.ts',
        'nothing of the home is there but programs and what must be readable, without the logins in it',
      ],
    ],
  },
  H64: { what: 'one container per suite', tests: [container] },
  H65: { what: 'one container per test', tests: [container] },
  H66: {
    what: 'limits on CPU and memory',
    not: 'optional; the container engine can set them for all containers',
  },
  H67: {
    what: 'alternatives to Docker',
    tests: [
      [
        'real/isolation-bwrap.test.ts',
        'a scenario passes inside, the report says so, and repeating it means the same',
      ],
    ],
  },
  H68: {
    what: 'the content of the image',
    tests: [
      [
        'isolation/parts.test.ts',
        'is the whole installation, but never the home or a folder that programs share',
      ],
    ],
  },
  H69: { what: 'a fixture for the environment, per suite or test', tests: [container] },
  H70: {
    what: 'a fixture for the client',
    not: 'a scenario needs no client; the tools are called by the MCP client of the user',
  },
  H71: { what: 'a fixture for the session: opened and ended by the runner', tests: [ownScenario] },
  H72: {
    what: 'a factory for projects, which are removed after the test',
    tests: [
      [
        'kinds/conversation/projects/test-projects.test.ts',
        'is on disk as reported, with a README and a .gitignore',
      ],
    ],
  },
  H73: { what: 'a factory for installed plugins, which are removed after the test', tests: [ownScenario] },
  H74: { what: 'six areas of tests' },
  H75: { what: 'the same test runs for each plugin' },
  H76: {
    what: 'the whole offline pack in under 5 minutes',
    not: 'a duration is not an assertion; the run prints its own',
  },
  H77: { what: 'installed means listed and loaded', tests: [plugins] },
  H78: {
    what: 'process isolation',
    tests: [
      ['isolation/cell.test.ts', 'a program ends as it would outside, and what it leaves is told and ended'],
    ],
  },
  H79: { what: 'file isolation', tests: [confined] },
  H80: {
    what: 'network isolation',
    tests: [['isolation/cell.test.ts', 'connections are counted although the program hides them']],
  },
  H81: { what: 'cleanup after each test', tests: [environment] },
  H82: {
    what: 'cleanup after the suite',
    tests: [['real/isolation-docker.test.ts', 'what a killed run has left %s is gone after the next one']],
  },
  H83: { what: 'cleanup on demand', tests: [environment] },
  H84: { what: 'the example: a project with a bug and its failing test' },
  H85: { what: 'the example: words, stage and suggestion of /explore' },
  H86: { what: 'the example: explore, plan, code, commit on a calculator' },
  H87: { what: 'artifacts are in a separate folder for each test and time', tests: [environment] },
  H88: { what: 'phases of the roadmap', not: 'a plan, not a property of the program' },
};

/** Conversations: states, persistence, patterns, strategies, context. */
const CONVERSATIONS: Readonly<Record<string, Requirement>> = {
  C1: { what: 'five to twenty turns and more' },
  C2: { what: 'stage, mode and context are tracked' },
  C3: {
    what: 'assertions check meaning',
    tests: [['kinds/conversation/checks/checks.test.ts', 'every check on conversations is among the cases']],
  },
  C4: { what: 'workflows are validated' },
  C5: { what: 'commands are chained' },
  C6: { what: 'state IDLE', tests: [states] },
  C7: { what: 'state USER_PROMPT', tests: [states] },
  C8: { what: 'state AGENT_RESPONDING', tests: [states] },
  C9: { what: 'state COMMAND_EXECUTING', tests: [states] },
  C10: { what: 'state WORKFLOW_TRANSITION', tests: [states] },
  C11: { what: 'the transitions between the states', tests: [states] },
  C12: {
    what: 'illegal transitions and actions are errors and are recorded',
    tests: [
      stateLog,
      [
        'kinds/conversation/session/state-machine.test.ts',
        'refuses an action that the state does not allow, and says which it does',
      ],
    ],
  },
  C13: {
    what: 'abort, timeout, crash and a blocked prompt have transitions',
    tests: [
      [
        'kinds/conversation/session/state-machine.test.ts',
        'return to IDLE from every state, and never wait for a prompt twice',
      ],
    ],
  },
  C14: { what: 'session state', tests: [stages] },
  C15: { what: 'turn state', tests: [polled] },
  C16: { what: 'workflow state', tests: [stages] },
  ...numbered('C', 17, [
    'T2 mentions a systematic look',
    'T2 stage exploring',
    'T4 reads and searches files',
    'T6 stage planning',
    'T6 suggests /code',
    'T10 stage coding',
    'T14 commits',
    'T14 stage complete',
    'the script of pattern 1',
    'T2 tests before code',
    'T6 the tests fail',
    'T8 they fail with the expected errors',
    'T10 the tests may be committed',
    'T14 no implementation before that commit',
    'T18 all tests pass before refactoring',
    'T22 the code is committed',
    'the script of pattern 2',
    'T4 uses the browser',
    'T6 gives exact pixels',
    'T8 gives properties and values',
    'T12 the style sheet changed',
    'T16 takes a second screenshot',
    'T20 says what is left to fix',
    'T24 the result is pixel-perfect',
    'T26 the visual changes are committed',
    'the script of pattern 3',
  ]),
  C43: {
    what: 'strategy: keywords',
    tests: [['kinds/conversation/strategies/strategies.test.ts', 'can require all keywords, and their case']],
  },
  C44: {
    what: 'strategy: transition',
    tests: [['kinds/conversation/strategies/strategies.test.ts', 'a step of the workflow']],
  },
  C45: {
    what: 'strategy: suggested command',
    tests: [
      ['kinds/conversation/strategies/strategies.test.ts', 'takes only the slash when variations are off'],
    ],
  },
  C46: {
    what: 'strategy: tools',
    tests: [['kinds/conversation/strategies/strategies.test.ts', 'tools that were used']],
  },
  C47: {
    what: 'strategy: errors are handled gracefully',
    tests: [
      [
        'kinds/conversation/strategies/strategies.test.ts',
        'need not offer a way to recover if nobody requires one',
      ],
    ],
  },
  C48: {
    what: 'helper: specific feedback',
    tests: [['kinds/conversation/strategies/strategies.test.ts', 'names properties and values']],
  },
  C49: {
    what: 'helper: number of commits',
    tests: [['kinds/conversation/checks/checks.test.ts', 'checks.commitsMade(1)']],
  },
  C50: {
    what: 'helper: commit message',
    tests: [['kinds/conversation/checks/checks.test.ts', 'checks.commitIs(1']],
  },
  C51: { what: 'helper: dev server' },
  C52: { what: 'example: agent-loop' },
  C53: { what: 'example: epti' },
  C54: { what: 'example: visual iteration' },
  C55: { what: 'files that the agent has seen are tracked' },
  C56: {
    what: 'a snapshot for each turn',
    tests: [
      ['kinds/conversation/stages/tracker.test.ts', 'go from idle to complete, each with its evidence'],
    ],
  },
  C57: {
    what: 'references to files that were never seen are found',
    tests: [['kinds/conversation/stages/tracker.test.ts', 'report files that the agent cannot know']],
  },
  C58: { what: 'every call is recorded with input and output' },
  C59: {
    what: 'the order of calls is recorded',
    tests: [
      [
        'kinds/conversation/claude/session.test.ts',
        'resolves bare commands, and reports tools, hooks and denials',
      ],
    ],
  },
  C60: {
    what: 'repeated calls are found',
    tests: [['kinds/conversation/stages/tracker.test.ts', 'report the same call made again and again']],
  },
  C61: { what: 'the start and end of stages are recorded' },
  C62: { what: 'transitions and their triggers are recorded' },
  C63: {
    what: 'invalid transitions are found',
    tests: [['kinds/conversation/stages/tracker.test.ts', 'that are skipped are invalid']],
  },
  C64: { what: 'commands are recorded with all details', tests: [stages] },
  C65: {
    what: 'chains of commands are recorded',
    tests: [
      ['kinds/conversation/stages/tracker.test.ts', 'go from idle to complete, each with its evidence'],
    ],
  },
  C66: { what: 'failed commands are recorded' },
  C67: { what: 'phases of the roadmap', not: 'a plan, not a property of the program' },
};

/** Other requirements of the interface. */
const INTERFACE: Readonly<Record<string, Requirement>> = {
  A1: { what: 'errors have names', tests: [badInput] },
  A2: { what: 'a call can return at once and be polled', tests: [polled] },
  A3: { what: 'lists have a limit and an offset', tests: [stages] },
  A4: { what: 'each call has a time limit', tests: [polled] },
  A5: { what: 'the history is saved on request', tests: [stages] },
  A6: { what: 'agent, folder, plugins and files are chosen at the start' },
  A7: { what: 'everything that a plugin registers is listed' },
  A8: { what: 'allowed transitions, completed and remaining actions are listed', tests: [stages] },
  A9: { what: 'hooks have a run count and a last run', tests: [hooks] },
  A10: { what: 'blocked actions can be verified', tests: [hooks] },
  A11: { what: 'several plugins can be installed at once' },
  A12: { what: 'plugins can be uninstalled and reinstalled' },
  A13: {
    what: 'calls can be canceled',
    tests: [['mcp/harness.test.ts', 'ends a run that is cancelled, and goes on']],
  },
  A14: {
    what: 'conversations can be replayed',
    not: 'a scenario is the replay: the same turns, the same script, from a fresh workspace',
  },
  A15: { what: 'the interface is versioned and has structured errors', tests: [badInput] },
};

export const REQUIREMENTS: Readonly<Record<string, Requirement>> = {
  ...HARNESS,
  ...CONVERSATIONS,
  ...INTERFACE,
};

function numbered(letter: string, first: number, texts: readonly string[]): Record<string, Requirement> {
  return Object.fromEntries(texts.map((what, index) => [`${letter}${first + index}`, { what }]));
}
