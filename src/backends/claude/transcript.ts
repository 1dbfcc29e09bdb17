import * as z from 'zod';
import { parseJson } from '../../domain/common/json-lines.js';
import type { ToolCall, Usage } from '../../domain/evidence/evidence.js';
import type { Transcript } from '../backend.js';
import { readServiceErrors } from './service-errors.js';

const blockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.unknown(),
    is_error: z.boolean().optional(),
  }),
]);

const lineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('system'),
    model: z.string().optional(),
    tools: z.array(z.string()).optional(),
    permissionMode: z.string().optional(),
  }),
  z.object({ type: z.literal('assistant'), message: z.object({ content: z.array(z.unknown()) }) }),
  z.object({ type: z.literal('user'), message: z.object({ content: z.unknown() }) }),
  z.object({
    type: z.literal('result'),
    // API errors have subtype "success" with is_error true: trust only is_error.
    is_error: z.boolean(),
    api_error_status: z.number().nullish(),
    result: z.string().optional(),
    num_turns: z.number().optional(),
    total_cost_usd: z.number().optional(),
    usage: z
      .object({
        input_tokens: z.number().optional(),
        output_tokens: z.number().optional(),
        cache_creation_input_tokens: z.number().nullish(),
        cache_read_input_tokens: z.number().nullish(),
      })
      .optional(),
  }),
]);

type ClaudeUsage = NonNullable<Extract<z.infer<typeof lineSchema>, { type: 'result' }>['usage']>;

/** Reads Claude's stream leniently; null if no line is Claude's NDJSON. */
export function readClaudeStream(lines: readonly string[]): Transcript | null {
  const texts: string[] = [];
  const toolCalls: ToolCall[] = [];
  const order: ('text' | 'tool')[] = [];
  const errors: string[] = [];
  let tools: string[] = [];
  let permissionMode = '';
  let summary: string | null = null;
  let lost = false;
  let usage: Usage | null = null;
  let model: string | null = null;
  let seen = false;
  for (const line of lines) {
    const parsed = lineSchema.safeParse(line.startsWith('{') ? parseJson(line) : undefined);
    if (!parsed.success) continue;
    seen = true;
    const event = parsed.data;
    switch (event.type) {
      case 'system':
        model = event.model ?? model;
        tools = event.tools ?? tools;
        permissionMode = event.permissionMode ?? permissionMode;
        break;
      case 'assistant':
      case 'user':
        lost ||= !readBlocks(event.message.content, { texts, toolCalls, order });
        break;
      case 'result':
        usage = {
          model,
          turns: event.num_turns ?? 0,
          inputTokens: event.usage?.input_tokens ?? 0,
          outputTokens: event.usage?.output_tokens ?? 0,
          costUsd: event.total_cost_usd ?? 0,
          ...countCached(event.usage),
        };
        summary = event.is_error ? null : (event.result ?? '');
        if (event.is_error) errors.push(describeError(event.api_error_status, event.result));
        break;
      default:
        event satisfies never;
    }
  }
  if (!seen) return null;
  const said = texts.join('\n');
  return {
    said,
    texts: texts.length,
    textLengths: texts.map(({ length }) => length),
    toolCalls,
    order,
    usage,
    errors,
    serviceErrors: readServiceErrors(lines),
    cli: { tools, permissionMode, whole: !lost && isWhole(said, toolCalls, summary) },
  };
}

/** Claude repeats its last words in its summary, and answers every tool call: a lost line shows. */
function isWhole(said: string, toolCalls: readonly ToolCall[], summary: string | null): boolean {
  return (
    summary !== null &&
    said.trimEnd().endsWith(summary.trim()) &&
    toolCalls.every(({ result }) => result !== null)
  );
}

function countCached(usage: ClaudeUsage | undefined): Pick<Usage, 'cacheTokens'> {
  const cacheTokens = (usage?.cache_creation_input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0);
  return cacheTokens > 0 ? { cacheTokens } : {};
}

/** What was read so far. */
interface Blocks {
  readonly texts: string[];
  readonly toolCalls: ToolCall[];
  readonly order: ('text' | 'tool')[];
}

/** Returns false if a tool result came without its call. */
function readBlocks(content: unknown, { texts, toolCalls, order }: Blocks): boolean {
  if (!Array.isArray(content)) return true;
  let complete = true;
  for (const item of content) {
    const block = blockSchema.safeParse(item);
    if (!block.success) continue;
    switch (block.data.type) {
      case 'text':
        texts.push(block.data.text);
        order.push('text');
        break;
      case 'tool_use': {
        const { id, name, input } = block.data;
        toolCalls.push({ id, name, input: JSON.stringify(input ?? null), result: null, isError: false });
        order.push('tool');
        break;
      }
      case 'tool_result': {
        const { tool_use_id, content, is_error } = block.data;
        const call = toolCalls.find(({ id }) => id === tool_use_id);
        if (call === undefined) {
          complete = false;
          break;
        }
        call.result = typeof content === 'string' ? content : JSON.stringify(content ?? null);
        call.isError = is_error ?? false;
        break;
      }
      default:
        block.data satisfies never;
    }
  }
  return complete;
}

function describeError(status: number | null | undefined, text: string | undefined): string {
  return `${status ? `API error ${status}: ` : ''}${text ?? 'the CLI reported an error without a message'}`;
}
