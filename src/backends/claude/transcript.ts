import type { ToolCall, Usage } from '../../domain/evidence/evidence.js';
import type { Transcript } from '../backend.js';
import { watchService } from './service-errors.js';
import { parseStreamLine, readAllBlocks, type TurnResult } from './stream.js';

type ResultUsage = TurnResult['usage'];

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
  const service = watchService();
  for (const line of lines) {
    const event = parseStreamLine(line);
    if (event === null) continue;
    seen = true;
    service.take(event);
    switch (event.type) {
      case 'system':
        if (event.subtype !== 'init') break;
        model = event.model || null;
        ({ tools, permissionMode } = event);
        break;
      case 'assistant':
      case 'user':
        lost ||= !readBlocks(event.message.content, { texts, toolCalls, order });
        break;
      case 'result':
        usage = {
          model,
          turns: event.num_turns,
          inputTokens: event.usage?.input_tokens ?? 0,
          outputTokens: event.usage?.output_tokens ?? 0,
          costUsd: event.total_cost_usd,
          ...countCached(event.usage),
        };
        summary = event.is_error ? null : event.result;
        if (event.is_error) errors.push(describeError(event.api_error_status, event.result));
        break;
      case 'rate_limit_event':
      case 'control_response':
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
    serviceErrors: service.end(),
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

function countCached(usage: ResultUsage): Pick<Usage, 'cacheTokens'> {
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
function readBlocks(content: string | readonly unknown[], { texts, toolCalls, order }: Blocks): boolean {
  let complete = true;
  for (const block of readAllBlocks(content)) {
    switch (block.type) {
      case 'text':
        texts.push(block.text);
        order.push('text');
        break;
      case 'tool_use': {
        const { id, name, input } = block;
        toolCalls.push({ id, name, input: JSON.stringify(input ?? null), result: null, isError: false });
        order.push('tool');
        break;
      }
      case 'tool_result': {
        const { tool_use_id, content, is_error } = block;
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
        block satisfies never;
    }
  }
  return complete;
}

function describeError(status: number | null, text: string): string {
  return `${status ? `API error ${status}: ` : ''}${text || 'the CLI reported an error without a message'}`;
}
