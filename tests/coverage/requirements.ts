/** Where a requirement is held, besides the scenarios that name it: a file under tests/ and a name in it. */
type Place = readonly [file: string, name: string];

export interface Requirement {
  readonly what: string;
  readonly tests?: readonly Place[];
  /** Why there is nothing to hold. */
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

/** The harness for plugins: its tools, its behaviour, its isolation. */
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
    what: 'all tools over stdio and HTTP, errors as structured results',
    tests: [badInput, ['mcp/http.test.ts', 'a client with the token is served, session after session']],
  },
  H36: { what: 'the catalogue of tools is true: 34, and 4 over runs', tests: [everyTool] },
  H37: { what: 'installation, commands, behaviour, flows and workflows of four plugins' },
  H38: { what: 'whole workflows of four and six stages without a person' },
  H39: { what: 'isolated and repeatable', tests: [confined] },
  H40: {
    what: 'assertions on meaning, not on exact words',
    tests: [
      [
        'kinds/conversation/strategies/strategies.test.ts',
        'finds words at their beginning, whatever their case',
      ],
    ],
  },
  H41: { what: 'MCP servers of plugins take part' },
  H42: { what: 'a server for the harness', tests: [everyTool] },
  H43: { what: 'containers', tests: [container] },
  H44: { what: 'the runner is the one of all scenarios', tests: [ownScenario] },
  H45: { what: 'the environment comes up, is awaited and is ready', tests: [container] },
  H46: { what: 'installed, and the status says so', tests: [plugins] },
  H47: { what: 'a session has an id of its own', tests: [unmixed] },
  H48: { what: 'a command answers with its stage, its tools and its text', tests: [stages] },
  H49: { what: 'the answer is judged: words and stage', tests: [assertions] },
  H50: {
    what: 'afterwards everything is ended and removed',
    tests: [['mcp/bad-input.test.ts', 'the agent, with the server']],
  },
  H51: { what: 'state of a test: projects, plugins, artifacts; gone after it', tests: [environment] },
  H52: {
    what: 'state of a session: history, mode, stage, commands, hooks; apart from others',
    tests: [unmixed],
  },
  H53: {
    what: 'state of the system: plugins and servers, until they are reset',
    tests: [environment, servers],
  },
  H54: { what: 'several sessions at once do not mix', tests: [unmixed] },
  H55: {
    what: 'images',
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
  H59: { what: 'the session state is gone with its container', tests: [container] },
  H60: { what: 'artifacts are kept outside', tests: [container] },
  H61: { what: 'the configuration of MCP servers is read-only', tests: [confined] },
  H62: {
    what: 'a network of its own',
    tests: [
      [
        'isolation/cell.test.ts',
        'of the ports of this machine only the bridged one is reachable, under its own number',
      ],
    ],
  },
  H63: {
    what: 'environment variables by list',
    tests: [['isolation/cell.test.ts', 'what logs the user in is empty']],
  },
  H64: { what: 'one container for a suite', tests: [container] },
  H65: { what: 'one container for a test', tests: [container] },
  H66: {
    what: 'limits on CPU and memory',
    not: 'optional; the engine of the user has them for all containers',
  },
  H67: {
    what: 'other ways than Docker',
    tests: [
      [
        'real/isolation-bwrap.test.ts',
        'a scenario passes inside, the report says so, and repeating it means the same',
      ],
    ],
  },
  H68: {
    what: 'the content of the image',
    tests: [['isolation/parts.test.ts', 'hold the whole installation of a program on PATH']],
  },
  H69: { what: 'a fixture for the environment, by suite or test', tests: [container] },
  H70: {
    what: 'a fixture for the client',
    not: 'a scenario needs no client; tools are called by an MCP client of the caller',
  },
  H71: { what: 'a fixture for the session: opened and ended by the runner', tests: [ownScenario] },
  H72: {
    what: 'a factory for projects, gone after the test',
    tests: [
      [
        'kinds/conversation/projects/test-projects.test.ts',
        'is on disk as reported, with a README and a .gitignore',
      ],
    ],
  },
  H73: { what: 'a factory for installed plugins, gone after the test', tests: [ownScenario] },
  H74: { what: 'six areas of tests' },
  H75: { what: 'the same test for each plugin' },
  H76: {
    what: 'the whole offline pack in under 5 minutes',
    not: 'a time is no assertion: the run prints its own',
  },
  H77: { what: 'installed means listed and loaded', tests: [plugins] },
  H78: {
    what: 'isolation of processes',
    tests: [
      ['isolation/cell.test.ts', 'a program ends as it would outside, and what it leaves is told and ended'],
    ],
  },
  H79: { what: 'isolation of files', tests: [confined] },
  H80: {
    what: 'isolation of the network',
    tests: [['isolation/cell.test.ts', 'connections are counted although the program hides them']],
  },
  H81: { what: 'clean-up after each test', tests: [environment] },
  H82: {
    what: 'clean-up after the suite',
    tests: [['real/isolation-docker.test.ts', 'what a killed run has left %s is gone after the next one']],
  },
  H83: { what: 'clean-up on demand', tests: [environment] },
  H84: { what: 'the example: a project with a bug and its failing test' },
  H85: { what: 'the example: words, stage and suggestion of /explore' },
  H86: { what: 'the example: explore, plan, code, commit on a calculator' },
  H87: { what: 'artifacts in a folder of their own by test and time', tests: [environment] },
  H88: { what: 'phases of the road map', not: 'a plan, no property of the program' },
};

/** Conversations: states, persistence, patterns, strategies, context. */
const CONVERSATIONS: Readonly<Record<string, Requirement>> = {
  C1: { what: 'five to twenty turns and more' },
  C2: { what: 'stage, mode and context are tracked' },
  C3: {
    what: 'assertions on meaning',
    tests: [['kinds/conversation/checks/checks.test.ts', 'every check on conversations is among the cases']],
  },
  C4: { what: 'workflows are validated' },
  C5: { what: 'commands are chained' },
  C6: { what: 'state IDLE', tests: [states] },
  C7: { what: 'state USER_PROMPT', tests: [states] },
  C8: { what: 'state AGENT_RESPONDING', tests: [states] },
  C9: { what: 'state COMMAND_EXECUTING', tests: [states] },
  C10: { what: 'state WORKFLOW_TRANSITION', tests: [states] },
  C11: { what: 'the edges between the states', tests: [states] },
  C12: {
    what: 'illegal steps and actions are errors and recorded',
    tests: [
      stateLog,
      [
        'kinds/conversation/session/state-machine.test.ts',
        'refuses an action that the state does not allow, and says which it does',
      ],
    ],
  },
  C13: {
    what: 'abort, timeout, crash and a blocked prompt have edges',
    tests: [
      [
        'kinds/conversation/session/state-machine.test.ts',
        'return to IDLE from every state, and never wait for a prompt twice',
      ],
    ],
  },
  C14: { what: 'state of the session', tests: [stages] },
  C15: { what: 'state of the turn', tests: [polled] },
  C16: { what: 'state of the workflow', tests: [stages] },
  ...numbered('C', 17, [
    'T2 speaks of a systematic look',
    'T2 stage exploring',
    'T4 reads and searches',
    'T6 stage planning',
    'T6 suggests /code',
    'T10 stage coding',
    'T14 commits',
    'T14 stage complete',
    'the script of pattern 1',
    'T2 tests before code',
    'T6 tests fail',
    'T8 with the expected errors',
    'T10 the test commit is allowed',
    'T14 no implementation without it',
    'T18 all pass before refactoring',
    'T22 the code is committed',
    'the script of pattern 2',
    'T4 the browser is used',
    'T6 exact pixels',
    'T8 properties and values',
    'T12 the style sheet changed',
    'T16 a second picture',
    'T20 what is left',
    'T24 pixel-perfect',
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
    what: 'strategy: errors taken calmly',
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
    what: 'helper: message of a commit',
    tests: [['kinds/conversation/checks/checks.test.ts', 'checks.commitIs(1']],
  },
  C51: { what: 'helper: dev server' },
  C52: { what: 'example: agent-loop' },
  C53: { what: 'example: epti' },
  C54: { what: 'example: visual iteration' },
  C55: { what: 'files that the agent has seen' },
  C56: {
    what: 'snapshots for each turn',
    tests: [
      ['kinds/conversation/stages/tracker.test.ts', 'go from idle to complete, each with its evidence'],
    ],
  },
  C57: {
    what: 'references to files never seen',
    tests: [['kinds/conversation/stages/tracker.test.ts', 'report files that the agent cannot know']],
  },
  C58: { what: 'every call with input and output' },
  C59: {
    what: 'the order of calls',
    tests: [
      [
        'kinds/conversation/claude/session.test.ts',
        'resolves bare commands, and reports tools, hooks and denials',
      ],
    ],
  },
  C60: {
    what: 'repeated calls',
    tests: [['kinds/conversation/stages/tracker.test.ts', 'report the same call made again and again']],
  },
  C61: { what: 'when stages begin and end' },
  C62: { what: 'transitions and what triggered them' },
  C63: {
    what: 'invalid transitions',
    tests: [['kinds/conversation/stages/tracker.test.ts', 'that are skipped are invalid']],
  },
  C64: { what: 'commands with all about them', tests: [stages] },
  C65: {
    what: 'chains of commands',
    tests: [
      ['kinds/conversation/stages/tracker.test.ts', 'go from idle to complete, each with its evidence'],
    ],
  },
  C66: { what: 'commands that fail' },
  C67: { what: 'phases of the road map', not: 'a plan, no property of the program' },
};

/** What the interface asks for besides. */
const INTERFACE: Readonly<Record<string, Requirement>> = {
  A1: { what: 'names for errors', tests: [badInput] },
  A2: { what: 'ask and poll', tests: [polled] },
  A3: { what: 'limit and offset', tests: [stages] },
  A4: { what: 'time limits by call', tests: [polled] },
  A5: { what: 'history is saved where asked for', tests: [stages] },
  A6: { what: 'agent, folder, plugins and files at the start' },
  A7: { what: 'what a plugin registers is listed' },
  A8: { what: 'allowed transitions, actions done and left', tests: [stages] },
  A9: { what: 'how often a hook ran, and when last', tests: [hooks] },
  A10: { what: 'whether an action was blocked', tests: [hooks] },
  A11: { what: 'several plugins at once' },
  A12: { what: 'uninstall and reinstall' },
  A13: { what: 'cancelling', tests: [['mcp/harness.test.ts', 'ends a run that is cancelled, and goes on']] },
  A14: {
    what: 'replaying a conversation',
    not: 'a scenario is the replay: the same turns, the same script, from a fresh workspace',
  },
  A15: { what: 'a versioned interface with structured errors', tests: [badInput] },
};

export const REQUIREMENTS: Readonly<Record<string, Requirement>> = {
  ...HARNESS,
  ...CONVERSATIONS,
  ...INTERFACE,
};

function numbered(letter: string, first: number, texts: readonly string[]): Record<string, Requirement> {
  return Object.fromEntries(texts.map((what, index) => [`${letter}${first + index}`, { what }]));
}
