import * as z from 'zod';
import { CLAUDE_TOOLS, type Client, idOf, schemaOf } from './client.js';

/** A client of Anthropic's Messages. */
export const messagesClient: Client = {
  path: () => '/v1/messages?beta=true',
  body: (turns, system, tools, stream) => ({
    model: 'm',
    stream,
    system: [{ type: 'text', text: system }],
    messages: turns.map((turn) => {
      if ('user' in turn) return { role: 'user', content: [{ type: 'text', text: turn.user }] };
      if ('result' in turn) {
        return {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: idOf(turn.of), content: turn.result }],
        };
      }
      const blocks = turn.heard.tools.map((tool) => ({ type: 'tool_use', ...tool }));
      return { role: 'assistant', content: [{ type: 'text', text: turn.heard.text }, ...blocks] };
    }),
    ...(tools
      ? {
          tools: Object.entries(CLAUDE_TOOLS).map(([name, parameters]) => ({
            name,
            input_schema: schemaOf(parameters),
          })),
        }
      : {}),
  }),
  read: (events, stream) => {
    if (!stream) {
      const { content, stop_reason } = anthropicSchema.parse(events[0]);
      return {
        text: content.map(({ text = '' }) => text).join(''),
        tools: content
          .filter(({ type }) => type === 'tool_use')
          .map(({ id = '', name = '', input }) => ({ id, name, input })),
        stop: stop_reason,
      };
    }
    const parsed = events.map((event) => anthropicEvent.parse(event));
    const json = parsed.map(({ delta }) => delta?.partial_json ?? '').join('');
    return {
      text: parsed.map(({ delta }) => delta?.text ?? '').join(''),
      tools: parsed.flatMap(({ content_block: block }) =>
        block?.type === 'tool_use'
          ? [{ id: block.id ?? '', name: block.name ?? '', input: JSON.parse(json) }]
          : [],
      ),
      stop: parsed.find(({ delta }) => delta?.stop_reason)?.delta?.stop_reason ?? '',
    };
  },
};

const anthropicSchema = z.object({
  content: z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      id: z.string().optional(),
      name: z.string().optional(),
      input: z.unknown().optional(),
    }),
  ),
  stop_reason: z.string(),
});
const anthropicEvent = z.looseObject({
  content_block: z
    .looseObject({ type: z.string(), id: z.string().optional(), name: z.string().optional() })
    .optional(),
  delta: z
    .looseObject({
      text: z.string().optional(),
      partial_json: z.string().optional(),
      stop_reason: z.string().optional(),
    })
    .optional(),
});
