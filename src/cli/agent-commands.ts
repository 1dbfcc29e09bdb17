import type { Command } from 'commander';
import { BACKEND_IDS } from '../domain/backends.js';
import { KnownError } from '../domain/common/known-error.js';
import { ISOLATIONS } from '../domain/evidence/isolation.js';
import { readOneOf, readWhole } from '../domain/options/option-values.js';
import { LANES } from '../domain/vocabulary.js';
import type { McpFlags } from './commands/mcp.js';
import type { McpStubFlags } from './commands/mcp-stub.js';
import type { ServeFlags } from './commands/serve.js';
import type { ExplainFlags, SimFlags } from './commands/sim.js';
import { exitCodesHelp } from './exit-codes.js';
import { append, valueOption } from './input/run-flags.js';

/** Adds the commands that offer scripted agents, models and servers outside of our own runs. */
export function addAgentCommands(program: Command, done: (code: number) => void): void {
  program
    .command('serve')
    .description('play a script as the model behind real agent CLIs, on loopback')
    .option('--script <file>', 'the script to play: YAML, TOML or JSON; with --record, the script to write')
    .option('--record <url>', 'forward every request to a real API and write a script that replays it')
    .addOption(valueOption('--port <n>', 'the port to listen on; 0 picks a free one', readPort).default(0))
    .option('--requests <file>', 'append every request to this file, one JSON object per line')
    .option('--strict', 'fail at the end if a rule or turn was never used')
    .addHelpText(
      'after',
      exitCodesHelp(
        '0 every request was answered; with --record: a script was written',
        '1 a request was not answered; with --strict: a rule or turn was not used',
        '2 wrong usage; with --record: nothing was recorded',
      ),
    )
    .action(async (flags: ServeFlags) => {
      const { serveCommand } = await import('./commands/serve.js');
      done(await serveCommand(flags));
    });
  program
    .command('mcp-stub', { hidden: true })
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      throw new KnownError('"mcp-stub" has gone: expected `ralph-e2e sim mcp`, with the same options.');
    });
  const sim = program
    .command('sim')
    // Options after the name of one of its commands belong to that command.
    .enablePositionalOptions()
    .description('play a script as an agent CLI: `ralph-e2e sim claude --script F -- -p "hello"`')
    .argument('<backend>', `the CLI to play: ${BACKEND_IDS.join(', ')}`)
    .argument('[argv...]', 'arguments for the CLI, after `--`')
    .option('--script <file>', 'the script to play: YAML, TOML or JSON')
    .option(
      '--log <file>',
      'append every call to this file, one JSON object per line, and resume the script after the calls in it',
    )
    .option('--strict', 'fail if a rule or turn in the script was never used')
    .addHelpText(
      'after',
      exitCodesHelp(
        "the CLI's own exit codes",
        '70 the script has an error, or some of its rules were not used',
      ),
    )
    .action(async (backend: string, argv: string[], flags: SimFlags) => {
      const { simCommand } = await import('./commands/sim.js');
      done(await simCommand(backend, argv, flags));
    });
  sim
    .command('convert')
    .description('print a script in the current format')
    .argument('<file>', 'a claudeless script, or a ralph-e2e script in another syntax')
    .option('--ours', 'convert to the ralph-e2e format, not just to the next claudeless format')
    .action(async (file: string, flags: { ours?: boolean }) => {
      const { convertCommand } = await import('./commands/sim.js');
      done(await convertCommand(file, flags));
    });
  sim
    .command('check')
    .description('load a script, and report mistakes, parts without effect, and rules that are never reached')
    .argument('<file>', 'the script: YAML, TOML or JSON')
    .addHelpText(
      'after',
      exitCodesHelp('0 the script can be played', '1 a rule is never reached', '2 the script has an error'),
    )
    .action(async (file: string) => {
      const { checkCommand } = await import('./commands/sim.js');
      done(await checkCommand(file));
    });
  sim
    .command('explain')
    .description('show which rule of a script answers a prompt, and why the others do not')
    .argument('<file>', 'the script: YAML, TOML or JSON')
    .option('--prompt <text>', 'a prompt; repeat it for the next prompts of the conversation', append)
    .option('--model <name>', "the model that the rules see (default: the script's own)")
    .option('--session <id>', "the session that the rules see (default: the script's own)")
    .option('--cwd <dir>', 'the working folder that the rules see (default: this one)')
    .option('--system-prompt <text>', 'the system prompt that the rules see')
    .option(
      '--flag <option>',
      'an option of the CLI that the rules see, such as --resume (repeatable)',
      append,
    )
    .addHelpText(
      'after',
      exitCodesHelp('0 every prompt is answered', '1 a prompt is not answered', '2 the script has an error'),
    )
    .action(async (file: string, flags: ExplainFlags) => {
      const { explainCommand } = await import('./commands/sim.js');
      done(await explainCommand(file, flags));
    });
  sim
    .command('mcp')
    .description('play a script as an MCP server on stdio')
    .option('--script <file>', 'a JSON file with the tools and their answers')
    .option('--mocks <file>', 'a JSON file with answers that override the script; read at every call')
    .option('--calls <file>', 'append every call to this file, one JSON object per line')
    .action(async (flags: McpStubFlags) => {
      const { mcpStubCommand } = await import('./commands/mcp-stub.js');
      done(await mcpStubCommand(flags));
    });
  program
    .command('mcp')
    .description('offer the harness as MCP tools: plugins, conversations, hooks, scenarios')
    .option('--root <dir>', 'the folder that the tools may read and write', '.')
    .addOption(
      valueOption(
        '--lane <lane>',
        'how real Claude Code and its model are in conversations: live, scripted, sim',
        readOneOf(LANES),
      ).default('live'),
    )
    .option('--script <file>', 'the agent script for the scripted and sim lanes')
    .option('--executable <path>', 'the Claude Code executable to talk to (default: claude on PATH)')
    .addOption(
      valueOption(
        '--isolation <kind>',
        'what isolates agents, hooks, MCP servers and scenarios: host, bwrap, docker',
        readOneOf(ISOLATIONS),
      ).default('host'),
    )
    .option('--model <name>', 'the model that conversations should use')
    .option('--allow <tool>', 'a tool that the agent may use without asking (repeatable)', append)
    .option('--env <name>', 'pass this environment variable through (repeatable)', append)
    .option('--ralph <path>', 'the Ralph that run_scenario tests: see `ralph-e2e --help`')
    .option('--output <dir>', 'where runs, reports and artifacts go (default: .e2e-tests in the root)')
    .option('--http', 'serve streamable HTTP on loopback instead of stdio; prints the address and a token')
    .addOption(valueOption('--port <n>', 'with --http: the port to listen on; 0 picks a free one', readPort))
    .action(async (flags: McpFlags) => {
      const { mcpCommand } = await import('./commands/mcp.js');
      done(await mcpCommand(flags));
    });
}

function readPort(text: string, flag: string): number {
  const port = readWhole(0)(text, flag);
  if (port <= 65_535) return port;
  throw new KnownError(`${flag} ${text}: expected a number up to 65535; 0 picks a free port.`);
}
