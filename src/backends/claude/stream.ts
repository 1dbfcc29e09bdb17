import * as z from 'zod';
import { textBetween } from '../../domain/common/between.js';
import { parseJson } from '../../domain/common/json-lines.js';

/**
 * What Claude Code prints under `--output-format stream-json`, as far as we need it. The schema is lenient, so that
 * events and fields that a newer release adds or leaves out break neither a session nor the evidence of a run.
 */
const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const toolUseBlock = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  // What a model asks for may be anything.
  input: z.unknown().optional(),
});
const toolResultBlock = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.unknown(),
  is_error: z.boolean().optional(),
});

const init = z.object({
  type: z.literal('system'),
  subtype: z.literal('init'),
  session_id: z.string().default(''),
  tools: z.array(z.string()).catch([]),
  model: z.string().default(''),
  permissionMode: z.string().default(''),
  claude_code_version: z.string().default(''),
  slash_commands: z.array(z.string()).catch([]),
  agents: z.array(z.string()).catch([]),
  skills: z.array(z.string()).catch([]),
  mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })).catch([]),
  plugins: z.array(z.object({ name: z.string(), path: z.string() })).catch([]),
  plugin_errors: z
    .array(
      z.object({
        plugin: z.string().default(''),
        type: z.string().default(''),
        message: z.string().default(''),
      }),
    )
    .catch([]),
});
export type SessionInit = z.infer<typeof init>;

const hookStarted = z.object({
  type: z.literal('system'),
  subtype: z.literal('hook_started'),
  hook_id: z.string(),
  hook_name: z.string(),
  hook_event: z.string(),
});

const hookResponse = hookStarted.extend({
  subtype: z.literal('hook_response'),
  stdout: z.string().default(''),
  stderr: z.string().default(''),
  exit_code: z.number().nullable().default(null),
  outcome: z.string().default(''),
});
export type HookResponse = z.infer<typeof hookResponse>;

const informational = z.object({
  type: z.literal('system'),
  subtype: z.literal('informational'),
  content: z.string(),
  prompt_submit_outcome: z.object({ kind: z.string(), reason: z.string().optional() }).optional(),
});

const apiRetry = z.object({
  type: z.literal('system'),
  subtype: z.literal('api_retry'),
  attempt: z.number().default(0),
  error_status: z.number().nullish(),
  error: z.string().nullish(),
  retry_delay_ms: z.number().default(0),
});

const rateLimit = z.object({
  type: z.literal('rate_limit_event'),
  rate_limit_info: z.object({ status: z.string(), resetsAt: z.number().nullish() }),
});

const usage = z.object({
  input_tokens: z.number().default(0),
  output_tokens: z.number().default(0),
  cache_creation_input_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
});
export type MessageUsage = z.infer<typeof usage>;

const assistant = z.object({
  type: z.literal('assistant'),
  message: z.object({
    id: z.string().default(''),
    model: z.string().optional().catch(undefined),
    content: z.array(z.unknown()).default([]),
    usage: usage.optional().catch(undefined),
  }),
  parent_tool_use_id: z.string().nullable().default(null),
  error: z.string().nullish(),
  api_error_status: z.number().nullish(),
});

const user = z.object({
  type: z.literal('user'),
  message: z.object({ content: z.union([z.string(), z.array(z.unknown())]) }),
  parent_tool_use_id: z.string().nullable().default(null),
  isReplay: z.boolean().default(false),
});

const result = z.object({
  type: z.literal('result'),
  subtype: z.string().default(''),
  // Errors of the service have the subtype "success": only this field tells.
  is_error: z.boolean().default(false),
  api_error_status: z.number().nullable().default(null),
  num_turns: z.number().default(0),
  result: z.string().default(''),
  errors: z.array(z.string()).catch([]),
  terminal_reason: z.string().nullable().default(null),
  total_cost_usd: z.number().default(0),
  usage: usage.optional(),
  permission_denials: z
    .array(
      z.object({
        tool_name: z.string(),
        tool_use_id: z.string(),
        tool_input: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .catch([]),
});
export type TurnResult = z.infer<typeof result>;

const controlResponse = z.object({
  type: z.literal('control_response'),
  response: z.object({
    subtype: z.string(),
    request_id: z.string(),
    response: z.unknown().optional(),
    error: z.string().optional(),
  }),
});

const streamEvent = z.discriminatedUnion('type', [
  z.discriminatedUnion('subtype', [init, hookStarted, hookResponse, informational, apiRetry]),
  rateLimit,
  assistant,
  user,
  result,
  controlResponse,
]);
export type StreamEvent = z.infer<typeof streamEvent>;

/** Parses one line; null if it is not an event, or an unknown one. */
export function parseStreamLine(line: string): StreamEvent | null {
  if (!line.startsWith('{')) return null;
  // Some other text on stdout is not an event: the captured output keeps it.
  const event = streamEvent.safeParse(parseJson(line));
  return event.success ? event.data : null;
}

const anyBlock = z.discriminatedUnion('type', [textBlock, toolUseBlock, toolResultBlock]);

/** Reads the texts, tool calls and results of a message; skips other blocks, such as thinking. */
export function readAllBlocks(content: string | readonly unknown[]) {
  if (typeof content === 'string') return [];
  return content.flatMap((block) => {
    const read = anyBlock.safeParse(block);
    return read.success ? [read.data] : [];
  });
}

/** Reads the texts and tool calls of an assistant message. */
export function readBlocks(content: readonly unknown[]) {
  return readAllBlocks(content).filter((block) => block.type !== 'tool_result');
}

/** Reads the tool results in a user message. */
export function readToolResults(content: string | readonly unknown[]) {
  return readAllBlocks(content).flatMap((block) => {
    if (block.type !== 'tool_result') return [];
    const { tool_use_id: id, content: body, is_error: isError = false } = block;
    return [{ id, text: textOf(body), isError }];
  });
}

/** Reads the slash command that the CLI recognized in a prompt. */
export function readCommand(content: string | readonly unknown[]): { name: string; args: string } | null {
  const text = typeof content === 'string' ? content : content.map(textOf).join('\n');
  const name = /<command-name>\/?([^<]+)<\/command-name>/.exec(text)?.[1];
  if (name === undefined) return null;
  return { name, args: textBetween(text, '<command-args>', '</command-args>') ?? '' };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const block = textBlock.safeParse(value);
  if (block.success) return block.data.text;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  return value === undefined ? '' : JSON.stringify(value);
}
