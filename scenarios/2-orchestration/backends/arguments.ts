import {
  type Check,
  errandAnswered,
  fileEquals,
  hatSequence,
  iterationsAtLeast,
  loop,
  onObjective,
  scenario,
  terminatedBecause,
} from '../../../src/authoring.js';
import { PROGRAMS, recorders } from '../../support/recorders.js';
import { noBuiltIns } from '../../support/saboteurs.js';

/*
 * The exact command line of every agent CLI that Ralph knows. Programs of the workspace record it: a model would add
 * nothing, and some of these CLIs have no stand-in. So these scenarios run in the sim lane alone.
 */

const NO_AGENT = noBuiltIns('programs of the workspace take the part of the agent');

const CLAUDE =
  'claude --dangerously-skip-permissions --verbose --output-format stream-json --setting-sources project,local --print --disallowedTools=TodoWrite,TaskCreate,TaskUpdate,TaskList,TaskGet';

/** How Ralph must call each backend, by its name. Claude reads its prompt from stdin. */
const CALLS: Readonly<Record<string, string>> = {
  claude: `${CLAUDE} < <prompt>`,
  kiro: 'kiro-cli chat --no-interactive --trust-all-tools <prompt>',
  opencode: 'opencode run <prompt>',
  codex: 'codex exec --yolo <prompt>',
  gemini: 'gemini --yolo -p <prompt>',
  pi: 'pi -p --mode json --no-session <prompt>',
  amp: 'amp --dangerously-allow-all -x <prompt>',
  copilot: 'copilot --allow-all-tools --output-format json -p <prompt>',
  forge: 'forge -p <prompt>',
  roo: 'roo --print --ephemeral --prompt-file <prompt file>',
  // A name that Ralph does not know.
  nonesuch: `${CLAUDE} < <prompt>`,
};

/** Calls that the configuration or the command line changes. */
const CHANGED: Readonly<Record<string, { readonly args: readonly string[]; readonly call: string }>> = {
  configuredArgs: {
    args: ['-c', 'args.yml', '-b', 'pi'],
    call: 'pi -p --mode json --no-session --model small --fast <prompt>',
  },
  argsAfterDashes: {
    args: ['-c', 'args.yml', '-b', 'opencode', '--', '--agent', 'x'],
    call: 'opencode run --model small --fast --agent x <prompt>',
  },
  argsOfClaude: { args: ['-c', 'args.yml'], call: `${CLAUDE} --model small --fast < <prompt>` },
  codexOnce: {
    args: ['-c', 'codex.yml'],
    call: 'codex exec --yolo -m small <prompt>',
  },
  otherProgram: {
    args: ['-c', 'command.yml'],
    call: 'my-agent chat --no-interactive --trust-all-tools <prompt>',
  },
  customFlag: { args: ['-c', 'custom.yml'], call: 'my-agent --quick --ask <prompt>' },
  customPlain: { args: ['-c', 'plain.yml', '--', '--more'], call: 'my-agent --quick --more <prompt>' },
};

const SHORT = 'skills: { enabled: false }\nmemories: { enabled: false }\ntasks: { enabled: false }\n';
const FILES = {
  'asked/ralph.yml': SHORT,
  'asked/args.yml': `${SHORT}cli: { args: [--model, small, --fast] }\n`,
  'asked/codex.yml': `${SHORT}cli: { backend: codex, args: [--full-auto, --dangerously-bypass-approvals-and-sandbox, -m, small, --yolo] }\n`,
  'asked/command.yml': `${SHORT}cli: { backend: kiro, command: my-agent }\n`,
  'asked/custom.yml': `${SHORT}cli: { backend: custom, command: my-agent, args: [--quick], prompt_flag: --ask }\n`,
  'asked/plain.yml': `${SHORT}cli: { backend: custom, command: my-agent, args: [--quick] }\n`,
};

const NAMES = [
  ...['claude', 'kiro-cli', 'opencode', 'codex', 'gemini', 'pi', 'amp', 'copilot', 'forge', 'roo'],
  'my-agent',
];

const once = ['run', '--no-tui', '--max-iterations', '1'];

/** Each call is one errand; the judged run is a chain of hats, each with another form of backend. */
const backendArguments = scenario({
  id: 'backend-arguments',
  lanes: ['sim'],
  backends: ['claude'],
  priority: 'must',
  description: 'Ralph calls every agent CLI with exactly the arguments that it promises',
  covers: ['FR4', 'FR18'],
  expectedIterations: 5,

  arrange: ({ nonce }) => ({
    config: loop({
      maxIterations: 5,
      more: {
        cli: { args: ['--global'] },
        event_loop: { max_iterations: 5, starting_event: 'first.call' },
        hats: {
          typed: hat('first.call', {
            backend: { type: 'codex', args: ['-m', 'small'] },
            backend_args: ['--low'],
          }),
          agent: hat('codex.done', { backend: { type: 'kiro', agent: 'critic', args: ['--deep'] } }),
          command: hat('kiro-cli.done', {
            backend: { command: 'my-agent', args: ['--mine'] },
            args: ['--hat'],
          }),
          stranger: hat('my-agent.done', { backend: 'nonesuch' }),
          plain: hat('claude.done', { backend_args: ['--of-hat', '1'] }),
        },
      },
    }),
    prompt: `This only tests how you are called: ${nonce}.`,
    files: { ...FILES, ...recorders(NAMES, nonce, 'ralph emit "$name.done"') },
    path: [PROGRAMS],
    before: [
      ...Object.keys(CALLS).map((backend) => ({
        ralph: [...once, '-b', backend, '-p', nonce],
        in: 'asked',
        env: { CALL: backend },
      })),
      ...Object.entries(CHANGED).map(([name, { args }]) => ({
        ralph: [...once, '-p', nonce, ...args],
        in: 'asked',
        env: { CALL: name },
      })),
    ],
    args: ['--', '--of-run'],
  }),

  expect: (): Readonly<Record<string, Check>> => ({
    ends: terminatedBecause('max_iterations', 2),
    hats: hatSequence('typed', 'agent', 'command', 'stranger', 'plain'),
    typed: fileEquals('calls/codex.txt', 'codex exec --yolo -m small --low <prompt>'),
    agent: fileEquals(
      'calls/kiro-cli.txt',
      'kiro-cli chat --no-interactive --trust-all-tools --agent critic --deep <prompt>',
    ),
    command: fileEquals('calls/my-agent.txt', 'my-agent --mine --hat <prompt>'),
    strangerAndPlain: fileEquals(
      'calls/claude.txt',
      [`${CLAUDE} --global --of-run < <prompt>`, `${CLAUDE} --global --of-run --of-hat 1 < <prompt>`].join(
        '\n',
      ),
    ),
    ...Object.fromEntries(
      Object.entries(CALLS).map(([name, call]) => [name, fileEquals(`asked/calls/${name}.txt`, call)]),
    ),
    ...Object.fromEntries(
      Object.entries(CHANGED).map(([name, { call }]) => [name, fileEquals(`asked/calls/${name}.txt`, call)]),
    ),
  }),

  agent: [],

  saboteurs: {
    'Ralph passes no flags': {
      target: 'drop-backend-flags',
      kills: [
        'typed',
        'agent',
        'command',
        'strangerAndPlain',
        ...Object.keys(CALLS),
        ...Object.keys(CHANGED),
      ].filter((name) => name !== 'forge'),
    },
    'no limit ends the loop': {
      target: 'wrong-exit-code',
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
  },

  notApplicable: NO_AGENT,
});

const INTERACTIVE_CLAUDE =
  'claude --dangerously-skip-permissions --setting-sources project,local --disallowedTools=TodoWrite';

/** How Ralph must start each CLI for a session with a person: without its headless flags. */
const SESSIONS: Readonly<Record<string, string>> = {
  claude: `${INTERACTIVE_CLAUDE},TaskCreate,TaskUpdate,TaskList,TaskGet <prompt file>`,
  kiro: 'kiro-cli chat --trust-all-tools <prompt file>',
  'kiro-acp': 'kiro-cli chat --trust-all-tools <prompt file>',
  opencode: 'opencode --prompt <prompt file>',
  codex: 'codex <prompt file>',
  gemini: 'gemini --yolo -i <prompt file>',
  pi: 'pi --no-session <prompt file>',
  amp: 'amp -x <prompt file>',
  copilot: 'copilot -p <prompt file>',
  // It takes no prompt.
  forge: 'forge',
};

const planArguments = scenario({
  id: 'plan-arguments',
  lanes: ['sim'],
  backends: ['claude'],
  description:
    '`ralph plan` and `ralph code-task` call agent CLIs with the arguments for a session with a person',
  covers: ['FR4'],
  beyondStandIn: '`ralph plan` and `ralph code-task`',

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 1, more: { cli: { backend: 'codex' } } }),
    prompt: `This only tests how you are called: ${nonce}.`,
    files: recorders(NAMES, nonce),
    path: [PROGRAMS],
    before: [
      ...Object.keys(SESSIONS).map((backend) => ({
        ralph: ['plan', '-b', backend, nonce],
        env: { CALL: `plan-${backend}` },
      })),
      { ralph: ['plan', '-b', 'claude', '--teams', nonce], env: { CALL: 'teams' } },
      { ralph: ['plan', nonce], env: { CALL: 'configured' } },
      { ralph: ['code-task', '-b', 'codex', nonce], env: { CALL: 'task' } },
      { ralph: ['plan', '-b', 'nonesuch', nonce] },
    ],
  }),

  expect: ({ nonce }): Readonly<Record<string, Check>> => ({
    ends: terminatedBecause('max_iterations', 2),
    ...Object.fromEntries(
      Object.entries(SESSIONS).map(([name, call]) => [name, fileEquals(`calls/plan-${name}.txt`, call)]),
    ),
    teams: fileEquals('calls/teams.txt', `${INTERACTIVE_CLAUDE} <prompt file>`),
    configured: fileEquals('calls/configured.txt', 'codex <prompt file>'),
    task: fileEquals('calls/task.txt', 'codex <prompt>'),
    unknown: errandAnswered(`plan -b nonesuch ${nonce}`, {
      exitCode: 1,
      stderr: /Unknown backend: nonesuch\s+Valid backends: claude,/,
    }),
  }),

  agent: [],

  notApplicable: NO_AGENT,
});

function hat(trigger: string, keys: Readonly<Record<string, unknown>>) {
  return {
    name: trigger,
    description: 'is called',
    triggers: [trigger],
    instructions: 'Be called.',
    ...keys,
  };
}

/** Kiro with its protocol for editors: the answer comes back as messages and not as text on stdout. */
const kiroAcp = scenario({
  id: 'kiro-acp',
  lanes: ['sim'],
  backends: ['kiro'],
  description: 'The backend kiro-acp talks to Kiro in its protocol, and the work gets done',
  covers: ['FR2', 'FR4'],
  expectedIterations: 2,
  beyondStandIn: 'the Agent Client Protocol',

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 4, more: { cli: { backend: 'kiro-acp' } } }),
    prompt: [
      `In the first iteration, write only ${nonce} in uppercase to result.txt and stop.`,
      'In the second iteration, declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('completed', 0),
    iterations: iterationsAtLeast(2),
    file: fileEquals('result.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective(/write only (\w+) in uppercase/)
      .once()
      .writes('result.txt', '{{upper 1}}\n'),
    onObjective(/declare the objective complete/).completes(),
  ],

  saboteurs: {
    'does everything at once': {
      agent: [
        onObjective(/write only (\w+) in uppercase/)
          .writes('result.txt', '{{upper 1}}\n')
          .completes(),
      ],
      kills: ['iterations'],
    },
  },
});

export const backendCalls = [backendArguments, planArguments, kiroAcp];
