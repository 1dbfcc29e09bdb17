import * as z from 'zod';
import { type Client, idOf, OPENCODE_TOOLS, schemaOf } from './client.js';

/** A client of OpenAI's Chat Completions. */
export const chatClient: Client = {
  path: () => '/v1/chat/completions',
  body: (turns, system, tools, stream) => ({
    model: 'm',
    stream,
    messages: [
      { role: 'system', content: system },
      ...turns.map((turn) => {
        if ('user' in turn) return { role: 'user', content: turn.user };
        if ('result' in turn) return { role: 'tool', tool_call_id: idOf(turn.of), content: turn.result };
        const tool_calls = turn.heard.tools.map(({ id, name, input }) => ({
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        }));
        return {
          role: 'assistant',
          content: turn.heard.text,
          ...(tool_calls.length > 0 ? { tool_calls } : {}),
        };
      }),
    ],
    ...(tools
      ? {
          tools: Object.entries(OPENCODE_TOOLS).map(([name, parameters]) => ({
            type: 'function',
            function: { name, parameters: schemaOf(parameters) },
          })),
        }
      : {}),
  }),
  read: (events) => {
    const choices = events.flatMap((event) => chatSchema.parse(event).choices);
    const parts = choices
      .flatMap(({ message, delta }) => [message ?? delta])
      .filter((part) => part !== undefined);
    return {
      text: parts.map(({ content }) => content ?? '').join(''),
      tools: parts.flatMap(({ tool_calls = [] }) =>
        tool_calls.map(({ id, function: call }) => ({
          id,
          name: call.name,
          input: JSON.parse(call.arguments),
        })),
      ),
      stop: choices.find(({ finish_reason }) => finish_reason)?.finish_reason ?? '',
    };
  },
};

const chatMessage = z.looseObject({
  content: z.string().nullish(),
  tool_calls: z
    .array(z.looseObject({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
    .optional(),
});
const chatSchema = z.looseObject({
  choices: z.array(
    z.looseObject({
      message: chatMessage.optional(),
      delta: chatMessage.optional(),
      finish_reason: z.string().nullish(),
    }),
  ),
});
