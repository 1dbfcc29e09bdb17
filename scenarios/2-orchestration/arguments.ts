import {
  type Check,
  fileEquals,
  hatSequence,
  loop,
  scenario,
  terminatedBecause,
} from '../../src/authoring.js';
import { configuring } from '../support/arrangement-changes.js';
import { PROGRAMS, recorders } from '../support/recorders.js';
import { noBuiltIns } from '../support/saboteurs.js';

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
  tier: 2,
  priority: 'must',
  phase: 'green',
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
    'the programs look for another word': {
      config: (plan) => ({
        ...plan,
        files: { ...plan.files, ...recorders(NAMES, 'otherword', 'ralph emit "$name.done"') },
      }),
      kills: ['forge'],
      failure: 'AssertionMismatch',
    },
    'the hats wait for other events': {
      config: configuring('hats', { agent: hat('other.event', {}) }),
      kills: ['hats', 'agent', 'command'],
      failure: 'AssertionMismatch',
    },
    'the loop has more iterations': {
      config: configuring('event_loop', { max_iterations: 6 }),
      kills: ['hats', 'strangerAndPlain'],
      failure: 'AssertionMismatch',
    },
    'no limit ends the loop': {
      target: 'wrong-exit-code',
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
  },

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

export const backendCalls = [backendArguments];
