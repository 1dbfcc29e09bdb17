import * as z from 'zod';
import { parseJson } from '../../domain/common/json-lines.js';
import type { ToolCall, Usage } from '../../domain/evidence/evidence.js';
import type { Transcript } from '../backend.js';

const messageSchema = z.object({
  role: z.string(),
  model: z.string().optional(),
  errorMessage: z.string().optional(),
  usage: z
    .object({
      input: z.number(),
      output: z.number(),
      cost: z.object({ total: z.number() }).optional(),
    })
    .optional(),
});

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('agent_start') }),
  z.object({ type: z.literal('message_start'), message: messageSchema }),
  z.object({
    type: z.literal('message_update'),
    assistantMessageEvent: z.object({
      type: z.string(),
      contentIndex: z.number().optional(),
      delta: z.string().optional(),
    }),
  }),
  z.object({ type: z.literal('message_end'), message: messageSchema }),
  z.object({
    type: z.literal('tool_execution_start'),
    toolCallId: z.string(),
    toolName: z.string(),
    args: z.unknown(),
  }),
  z.object({
    type: z.literal('tool_execution_end'),
    toolCallId: z.string(),
    result: z.unknown(),
    isError: z.boolean(),
  }),
]);

/** Reads pi's JSON lines leniently; null if there are none. pi exits with 0 even if its model refused the request. */
export function readPiStream(lines: readonly string[]): Transcript | null {
  const texts = new Map<string, string>();
  const toolCalls: ToolCall[] = [];
  const errors: string[] = [];
  let usage: Usage | null = null;
  let message = 0;
  let seen = false;
  for (const line of lines) {
    const parsed = lineSchema.safeParse(line.startsWith('{') ? parseJson(line) : undefined);
    if (!parsed.success) continue;
    seen = true;
    const event = parsed.data;
    switch (event.type) {
      case 'agent_start':
        break;
      case 'message_start':
        message += 1;
        break;
      case 'message_update': {
        const { type, contentIndex, delta = '' } = event.assistantMessageEvent;
        const block = `${message}.${contentIndex}`;
        if (type === 'text_delta') texts.set(block, (texts.get(block) ?? '') + delta);
        break;
      }
      case 'message_end':
        usage = addMessage(usage, event.message);
        if (event.message.errorMessage !== undefined) errors.push(event.message.errorMessage);
        break;
      case 'tool_execution_start': {
        const { toolCallId: id, toolName: name, args } = event;
        toolCalls.push({ id, name, input: JSON.stringify(args ?? null), result: null, isError: false });
        break;
      }
      case 'tool_execution_end': {
        const call = toolCalls.find(({ id }) => id === event.toolCallId);
        if (call === undefined) break;
        call.result = JSON.stringify(event.result ?? null);
        call.isError = event.isError;
        break;
      }
      default:
        event satisfies never;
    }
  }
  if (!seen) return null;
  const blocks = [...texts.values()];
  return {
    said: blocks.join('\n'),
    texts: blocks.length,
    textLengths: blocks.map(({ length }) => length),
    toolCalls,
    usage,
    errors,
  };
}

function addMessage(sum: Usage | null, { role, model, usage }: z.infer<typeof messageSchema>): Usage | null {
  if (role !== 'assistant' || usage === undefined) return sum;
  return {
    model: sum?.model ?? model ?? null,
    turns: (sum?.turns ?? 0) + 1,
    inputTokens: (sum?.inputTokens ?? 0) + usage.input,
    outputTokens: (sum?.outputTokens ?? 0) + usage.output,
    costUsd: (sum?.costUsd ?? 0) + (usage.cost?.total ?? 0),
  };
}
