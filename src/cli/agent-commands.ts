import type { Command } from 'commander';
import { BACKEND_IDS } from '../domain/backends.js';
import type { ConformFlags } from './commands/conform.js';
import type { McpFlags } from './commands/mcp.js';
import type { McpStubFlags } from './commands/mcp-stub.js';
import type { ServeFlags } from './commands/serve.js';
import type { SimFlags } from './commands/sim.js';
import { append } from './input/append.js';

/** The commands that put scripted agents, models and servers to other uses than our own runs. */
export function addAgentCommands(program: Command, done: (code: number) => void): void {
  program
    .command('serve')
    .description('play a script as the model behind real agent CLIs, on loopback')
    .option('--script <file>', 'the script to play: YAML, TOML or JSON; with --record the one to write')
    .option('--record <url>', 'pass everything on to a real API and write a script that replays it')
    .option('--port <n>', 'the port to listen on; 0 takes any that is free', '0')
    .option('--requests <file>', 'append every request to this file, one JSON object a line')
    .option('--strict', 'fail at the end if a rule or a turn was never used')
    .action(async (flags: ServeFlags) => {
      const { serveCommand } = await import('./commands/serve.js');
      done(await serveCommand(flags));
    });
  program
    .command('mcp-stub')
    .description('play a script as an MCP server on stdio')
    .option('--script <file>', 'the tools and what they answer: JSON')
    .option('--mocks <file>', 'answers by tool that go before those of the script; read at every call')
    .option('--calls <file>', 'append every call to this file, one JSON object a line')
    .action(async (flags: McpStubFlags) => {
      const { mcpStubCommand } = await import('./commands/mcp-stub.js');
      done(await mcpStubCommand(flags));
    });
  const sim = program
    .command('sim')
    .description('play a script as an agent CLI: `ralph-e2e sim claude --script F -- -p "hello"`')
    .argument('<backend>', `the CLI to play: ${BACKEND_IDS.join(', ')}`)
    .argument('[argv...]', 'the arguments of the CLI, after `--`')
    .option('--script <file>', 'the script to play: YAML, TOML or JSON')
    .option('--log <file>', 'append every call to this file, one JSON object a line, and go on from it')
    .option('--strict', 'fail if a rule or a turn of the script was never used')
    .action(async (backend: string, argv: string[], flags: SimFlags) => {
      const { simCommand } = await import('./commands/sim.js');
      done(await simCommand(backend, argv, flags));
    });
  sim
    .command('convert')
    .description('print a script in the format of today')
    .argument('<file>', 'a script for claudeless, or one of ours in another syntax')
    .option('--ours', 'into our own format, and not just the next one of claudeless')
    .action(async (file: string, flags: { ours?: boolean }) => {
      const { convertCommand } = await import('./commands/sim.js');
      done(await convertCommand(file, flags));
    });
  program
    .command('mcp')
    .description('serve the harness as MCP tools: plugins, conversations, hooks, scenarios')
    .option('--root <dir>', 'the folder that tools may read and write in', '.')
    .option('--lane <lane>', 'how real Claude Code is in conversations: live, scripted, sim', 'live')
    .option('--script <file>', 'what the agent says in the scripted and sim lanes')
    .option('--executable <path>', 'the claude to talk to; by default the one on PATH')
    .option('--model <name>', 'the model that conversations should use')
    .option('--allow <tool>', 'a tool that the agent may use without being asked (repeatable)', append)
    .option('--env <name>', 'pass on this variable of your environment (repeatable)', append)
    .option('--ralph <path>', 'the ralph that run_scenario tests: as for a run')
    .option('--output <dir>', 'where runs, reports and artifacts go; by default .e2e-tests in the root')
    .option(
      '--http',
      'serve streamable HTTP on loopback instead of stdin and stdout; prints address and token',
    )
    .option('--port <n>', 'with --http: the port to listen on; 0 takes any that is free')
    .action(async (flags: McpFlags) => {
      const { mcpCommand } = await import('./commands/mcp.js');
      done(await mcpCommand(flags));
    });
  program
    .command('conform')
    .description('compare a stand-in with the real CLI, field by field')
    .argument('<backend>', 'the CLI to compare: claude')
    .option('--executable <path>', 'the real program; by default the one on PATH')
    .option('--min <percent>', 'fail below this share of equal fields', '95')
    .option('--json', 'print the comparison as JSON')
    .action(async (backend: string, flags: ConformFlags) => {
      const { conformCommand } = await import('./commands/conform.js');
      done(await conformCommand(backend, flags));
    });
}
