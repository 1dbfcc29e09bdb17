import * as z from 'zod';
import { textBetween } from '../../domain/common/between.js';
import { parseJson } from '../../domain/common/json-lines.js';

/**
 * What Claude Code prints under `--output-format stream-json`, as far as a conversation needs it. The schema is lenient,
 * so that events and fields that a newer release adds do not break a session.
 */
const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const toolUseBlock = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
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
  session_id: z.string(),
  tools: z.array(z.string()).default([]),
  model: z.string().default(''),
  permissionMode: z.string().default(''),
  claude_code_version: z.string().default(''),
  slash_commands: z.array(z.string()).default([]),
  agents: z.array(z.string()).default([]),
  skills: z.array(z.string()).default([]),
  mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })).default([]),
  plugins: z.array(z.object({ name: z.string(), path: z.string() })).default([]),
  plugin_errors: z
    .array(
      z.object({
        plugin: z.string().default(''),
        type: z.string().default(''),
        message: z.string().default(''),
      }),
    )
    .default([]),
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
  attempt: z.number(),
  error_status: z.number().nullable().optional(),
  error: z.string().optional(),
  retry_delay_ms: z.number().optional(),
});

const rateLimit = z.object({
  type: z.literal('rate_limit_event'),
  rate_limit_info: z.object({ status: z.string(), resetsAt: z.number().nullish() }),
});

const usage = z.object({ input_tokens: z.number().default(0), output_tokens: z.number().default(0) });
export type MessageUsage = z.infer<typeof usage>;

const assistant = z.object({
  type: z.literal('assistant'),
  message: z.object({
    id: z.string(),
    model: z.string().optional(),
    content: z.array(z.unknown()),
    usage: usage.optional(),
  }),
  parent_tool_use_id: z.string().nullable().default(null),
  error: z.string().optional(),
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
  subtype: z.string(),
  is_error: z.boolean().default(false),
  api_error_status: z.number().nullable().default(null),
  num_turns: z.number().default(0),
  result: z.string().default(''),
  errors: z.array(z.string()).default([]),
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
    .default([]),
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

const streamEvent = z.union([
  init,
  hookStarted,
  hookResponse,
  informational,
  apiRetry,
  rateLimit,
  assistant,
  user,
  result,
  controlResponse,
]);
export type StreamEvent = z.infer<typeof streamEvent>;

/** Parses one line; null if it is not an event, or an unknown one. */
export function parseStreamLine(line: string): StreamEvent | null {
  // Some other text on stdout is not an event: the captured output keeps it.
  const event = streamEvent.safeParse(parseJson(line));
  return event.success ? event.data : null;
}

/** Reads the texts and tool calls of an assistant message; skips other blocks, such as thinking. */
export function readBlocks(content: readonly unknown[]) {
  return content.flatMap((block) => {
    const read = z.union([textBlock, toolUseBlock]).safeParse(block);
    return read.success ? [read.data] : [];
  });
}

/** Reads the tool results in a user message. */
export function readToolResults(content: string | readonly unknown[]) {
  if (typeof content === 'string') return [];
  return content.flatMap((block) => {
    const read = toolResultBlock.safeParse(block);
    if (!read.success) return [];
    const { tool_use_id: id, content: body, is_error: isError = false } = read.data;
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
