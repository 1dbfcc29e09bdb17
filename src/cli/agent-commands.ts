import type { Command } from 'commander';
import { BACKEND_IDS } from '../domain/backends.js';
import { KnownError } from '../domain/common/known-error.js';
import { readWhole } from '../domain/options/option-values.js';
import { addCommand, type DeclaredCommand, flag, repeatable } from './command.js';
import type { McpFlags } from './commands/mcp.js';
import type { ServeFlags } from './commands/serve.js';
import type { ExplainFlags, McpStubFlags, SimFlags } from './commands/sim.js';
import { runOption, valueOption } from './input/run-flags.js';

/** Adds the commands that offer scripted agents, models and servers outside of our own runs. */
export function addAgentCommands(program: Command, done: (code: number) => void): void {
  const add = (command: DeclaredCommand, parent = program) => addCommand(parent, command, done);
  add({
    name: 'serve',
    summary: 'play a script as the model behind real agent CLIs',
    description: 'play a script as the model behind real agent CLIs, on loopback',
    options: [
      flag('--script <file>', 'the script to play: YAML, TOML or JSON; with --record, the script to write'),
      flag('--record <url>', 'forward every request to a real API and write a script that replays it'),
      valueOption('--port <n>', 'the port to listen on; 0 picks a free one', readPort).default(0),
      flag('--requests <file>', 'append every request to this file, one JSON object per line'),
      flag('--strict', 'fail at the end if a rule or turn was never used'),
    ],
    codes: [
      '0 every request was answered; with --record: a script was written',
      '1 a request was not answered; with --strict: a rule or turn was not used',
      '2 wrong usage; with --record: nothing was recorded',
    ],
    examples: ['ralph-e2e serve --script agent.yaml'],
    run: async (flags: ServeFlags) => (await import('./commands/serve.js')).serveCommand(flags),
  });
  program
    .command('mcp-stub', { hidden: true })
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      throw new KnownError('"mcp-stub" has gone: expected `ralph-e2e sim mcp`, with the same options.');
    });
  const sim = add({
    name: 'sim',
    summary: 'play a script as an agent CLI',
    description: 'play a script as an agent CLI: `ralph-e2e sim claude --script F -- -p "hello"`',
    args: [
      ['<backend>', `the CLI to play: ${BACKEND_IDS.join(', ')}`],
      ['[argv...]', 'arguments for the CLI, after `--`'],
    ],
    options: [
      flag('--script <file>', 'the script to play: YAML, TOML or JSON'),
      flag(
        '--log <file>',
        'append every call to this file, one JSON object per line, and resume the script after the calls in it',
      ),
      flag('--strict', 'fail if a rule or turn in the script was never used'),
    ],
    codes: ["the CLI's own exit codes", '70 the script has an error, or some of its rules were not used'],
    examples: ['ralph-e2e sim claude --script agent.yaml -- -p "hello"'],
    run: async (backend: string, argv: string[], flags: SimFlags) =>
      (await import('./commands/sim.js')).simCommand(backend, argv, flags),
    // Options after the name of one of its commands belong to that command.
  }).enablePositionalOptions();
  const script = ['<file>', 'the script: YAML, TOML or JSON'] as const;
  add(
    {
      name: 'convert',
      summary: 'print a script in the current format',
      args: [['<file>', 'a claudeless script, or a ralph-e2e script in another syntax']],
      options: [flag('--ours', 'convert to the ralph-e2e format, not just to the next claudeless format')],
      examples: ['ralph-e2e sim convert agent.toml --ours'],
      run: async (file: string, flags: { ours?: boolean }) =>
        (await import('./commands/sim.js')).convertCommand(file, flags),
    },
    sim,
  );
  add(
    {
      name: 'check',
      summary: 'look for mistakes in a script',
      description:
        'load a script, and report mistakes, parts without effect, and rules that are never reached',
      args: [script],
      codes: ['0 the script can be played', '1 a rule is never reached', '2 the script has an error'],
      examples: ['ralph-e2e sim check agent.yaml'],
      run: async (file: string) => (await import('./commands/sim.js')).checkCommand(file),
    },
    sim,
  );
  add(
    {
      name: 'explain',
      summary: 'show which rule answers a prompt',
      description: 'show which rule of a script answers a prompt, and why the others do not',
      args: [script],
      options: [
        repeatable('--prompt <text>', 'a prompt; repeat it for the next prompts of the conversation'),
        flag('--model <name>', "the model that the rules see (default: the script's own)"),
        flag('--session <id>', "the session that the rules see (default: the script's own)"),
        flag('--cwd <dir>', 'the working folder that the rules see (default: this one)'),
        flag('--system-prompt <text>', 'the system prompt that the rules see'),
        repeatable(
          '--flag <option>',
          'an option of the CLI that the rules see, such as --resume (repeatable)',
        ),
      ],
      codes: ['0 every prompt is answered', '1 a prompt is not answered', '2 the script has an error'],
      examples: ['ralph-e2e sim explain agent.yaml --prompt "hello"'],
      run: async (file: string, flags: ExplainFlags) =>
        (await import('./commands/sim.js')).explainCommand(file, flags),
    },
    sim,
  );
  add(
    {
      name: 'mcp',
      summary: 'play a script as an MCP server on stdio',
      options: [
        flag('--script <file>', 'a JSON file with the tools and their answers'),
        flag('--mocks <file>', 'a JSON file with answers that override the script; read at every call'),
        flag('--calls <file>', 'append every call to this file, one JSON object per line'),
      ],
      examples: ['ralph-e2e sim mcp --script stub.json'],
      run: async (flags: McpStubFlags) => (await import('./commands/sim.js')).mcpStubCommand(flags),
    },
    sim,
  );
  add({
    name: 'mcp',
    summary: 'offer the harness as MCP tools',
    description: 'offer the harness as MCP tools: plugins, conversations, hooks, scenarios',
    options: [
      flag('--root <dir>', 'the folder that the tools may read and write', '.'),
      runOption(
        'lane',
        'how real Claude Code and its model are in conversations: live, scripted, sim',
      ).default('live'),
      flag('--script <file>', 'the agent script for the scripted and sim lanes'),
      flag('--executable <path>', 'the Claude Code executable to talk to (default: claude on PATH)'),
      runOption(
        'isolation',
        'what isolates agents, hooks, MCP servers and scenarios: host, bwrap, docker',
      ).default('host'),
      runOption('model', 'the model that conversations should use'),
      repeatable('--allow <tool>', 'a tool that the agent may use without asking (repeatable)'),
      runOption('passEnv', 'pass this environment variable through (repeatable)'),
      runOption('ralph', 'the Ralph that run_scenario tests: see `ralph-e2e --help`'),
      runOption('output', 'where runs, reports and artifacts go (default: .e2e-tests in the root)'),
      flag('--http', 'serve streamable HTTP on loopback instead of stdio; prints the address and a token'),
      valueOption('--port <n>', 'with --http: the port to listen on; 0 picks a free one', readPort),
    ],
    examples: ['ralph-e2e mcp --lane scripted --script agent.yaml'],
    run: async (flags: McpFlags) => (await import('./commands/mcp.js')).mcpCommand(flags),
  });
}

function readPort(text: string, name: string): number {
  const port = readWhole(0)(text, name);
  if (port <= 65_535) return port;
  throw new KnownError(`${name} ${text}: expected a number up to 65535; 0 picks a free port.`);
}
