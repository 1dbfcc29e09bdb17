import * as z from 'zod';
import { KnownError } from '../../domain/common/known-error.js';
import { resolvePrompt } from '../../kinds/conversation/session/commands.js';
import type { Harness } from '../harness.js';
import { expandSource, findKnownCommand, listKnownCommands } from '../plugins/parts.js';
import { awaitExchange, describeExchange, exchangeShape } from '../results.js';
import type { ManagedSession, TurnExchange } from '../sessions.js';
import { defineTool, type Page, pageShape, type Tool, takePage, WHOLE } from '../tool.js';

const commandLine = z
  .string()
  .trim()
  .regex(
    /^\/?[^\s/]+(?:\s[\s\S]*)?$/,
    'expected a command, such as /plan, /agent-loop:plan or /plan the next step',
  )
  .describe('The name of the command. Arguments may follow it, as a user would type them');

const commandStatus = z.enum(['pending', 'running', 'completed', 'failed', 'timeout', 'cancelled']);

export const commandTools: readonly Tool[] = [
  defineTool({
    name: 'execute_command',
    description:
      'Runs a slash command in a conversation. A short name is resolved to its plugin (/plan to /agent-loop:plan). With wait_for_completion=false it returns at once; then poll get_command_output.',
    input: z.object({
      command: commandLine,
      session_id: z.string(),
      args: z.union([z.string(), z.array(z.string())]).optional(),
      wait_for_completion: z.boolean().default(true),
      timeout_ms: z.number().int().positive().max(3_600_000).default(30_000),
    }),
    output: z.object({
      execution_id: z.string(),
      command: z.string(),
      status: commandStatus,
      response: z.string().nullable(),
      ...exchangeShape,
    }),
    run: async ({ command, session_id, args, wait_for_completion, timeout_ms }, harness, { signal }) => {
      const session = harness.sessions.get(session_id);
      const typed = readCommandLine(command, args);
      const prompt = `/${typed.name}${typed.args === '' ? '' : ` ${typed.args}`}`;
      const exchange = await session.begin('command', prompt, timeout_ms / 1000);
      if (wait_for_completion) await awaitExchange(exchange, signal);
      return describeExecution(harness, session, exchange, WHOLE);
    },
  }),

  defineTool({
    name: 'get_command_output',
    description:
      'Returns the answer to a command so far. `limit` and `offset` apply to its tool calls. `progress` is always null: Claude Code does not report it.',
    input: z.object({
      execution_id: z.string().optional(),
      command_id: z.string().optional().describe('Another name for execution_id'),
      ...pageShape,
    }),
    output: z.object({
      execution_id: z.string(),
      command: z.string().describe('As Claude Code got it, with its plugin'),
      status: commandStatus,
      response: z.string().nullable(),
      complete: z.boolean(),
      progress: z.number().nullable(),
      ...z
        .object(exchangeShape)
        .pick({ tool_calls: true, total_tool_calls: true, error: true, error_name: true }).shape,
    }),
    run: ({ execution_id, command_id, ...page }, harness) => {
      const id = execution_id ?? command_id ?? '';
      const { session, exchange } = harness.sessions.find(id, 'command');
      return {
        ...describeExecution(harness, session, exchange, page),
        complete: exchange.turn !== null,
        progress: null,
      };
    },
  }),

  defineTool({
    name: 'list_available_commands',
    description:
      'Lists the slash commands of a conversation as Claude Code reports them, or without session_id those of the installed plugins.',
    input: z.object({
      session_id: z.string().optional(),
      filter_by_plugin: z.string().optional(),
      ...pageShape,
    }),
    output: z.object({
      commands: z.array(
        z.object({
          name: z.string(),
          aliases: z.array(z.string()).describe('Other names that Claude Code accepts'),
          plugin: z.string().nullable(),
          description: z.string(),
          file_path: z.string().nullable(),
          available: z.boolean(),
        }),
      ),
      total: z.number(),
    }),
    run: ({ session_id, filter_by_plugin, ...page }, harness) => {
      const session = session_id === undefined ? null : harness.sessions.get(session_id);
      const commands = listKnownCommands(harness, session)
        .filter(({ plugin }) => filter_by_plugin === undefined || plugin === filter_by_plugin)
        .map(({ name, aliases, file, plugin, description, available }) => ({
          ...{ name: `/${name}`, aliases: aliases.map((alias) => `/${alias}`) },
          ...{ plugin, description, file_path: file, available },
        }));
      return { commands: takePage(commands, page), total: commands.length };
    },
  }),

  defineTool({
    name: 'verify_command_expansion',
    description:
      'Checks that a command exists, resolves a short name, and returns the text that the model would get, or why that is not known before it is sent. Sends nothing and runs nothing.',
    input: z.object({
      command: commandLine,
      session_id: z.string().optional(),
      args: z.string().default(''),
    }),
    output: z.object({
      valid: z.boolean(),
      command_name: z.string(),
      plugin: z.string().nullable(),
      available: z.boolean(),
      reason: z.string().nullable(),
      expanded: z.string().nullable(),
      not_expanded: z.string().nullable().describe('Why `expanded` is null'),
    }),
    run: async ({ command, session_id, args }, harness) => {
      const session = session_id === undefined ? null : harness.sessions.get(session_id);
      const known = listKnownCommands(harness, session);
      const { name: bare, args: words } = readCommandLine(command, args);
      try {
        const resolved = resolvePrompt(
          `/${bare}`,
          known.map((one) => ({ ...one, argumentHint: '' })),
        );
        const found = findKnownCommand(known, resolved.slice(1));
        const expanded =
          found?.source == null
            ? { text: null, unknown: 'it is not a command of an installed plugin' }
            : await expandSource(harness, found.source, words, session);
        return {
          valid: true,
          command_name: found === undefined ? resolved : `/${found.name}`,
          plugin: found?.plugin ?? null,
          available: found?.available ?? false,
          reason: found?.available ? null : 'Claude Code does not list it',
          expanded: expanded.text,
          not_expanded: expanded.unknown,
        };
      } catch (error) {
        if (!(error instanceof KnownError)) throw error;
        const reason = `${error.message} ${error.hint ?? ''}`.trim();
        return {
          valid: false,
          command_name: `/${bare}`,
          plugin: null,
          available: false,
          reason,
          expanded: null,
          not_expanded: 'the command does not exist',
        };
      }
    },
  }),
];

/** Splits a command as a user would type it. Arguments of both ways count, in this order. */
function readCommandLine(line: string, more: string | readonly string[] = []) {
  const [, name = '', typed = ''] = /^\/?(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
  const words = [typed, ...(typeof more === 'string' ? [more] : more)];
  return { name, args: words.filter((word) => word !== '').join(' ') };
}

function describeExecution(harness: Harness, session: ManagedSession, exchange: TurnExchange, page: Page) {
  const { state, text, ...known } = describeExchange(harness, session, exchange, page);
  return {
    execution_id: exchange.id,
    command: exchange.sent.split(/\s/)[0] ?? exchange.sent,
    status: state,
    response: text,
    ...known,
  };
}
