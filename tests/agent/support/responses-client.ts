import * as z from 'zod';
import { type Client, idOf, OPENCODE_TOOLS, schemaOf } from './client.js';

/** A client of OpenAI's Responses. */
export const responsesClient: Client = {
  path: () => '/v1/responses',
  body: (turns, system, tools, stream) => ({
    model: 'm',
    stream,
    instructions: system,
    input: turns.flatMap((turn): object[] => {
      if ('user' in turn)
        return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: turn.user }] }];
      if ('result' in turn)
        return [{ type: 'function_call_output', call_id: idOf(turn.of), output: turn.result }];
      return [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: turn.heard.text }] },
        ...turn.heard.tools.map(({ id, name, input }) => ({
          type: 'function_call',
          call_id: id,
          name,
          arguments: JSON.stringify(input),
        })),
      ];
    }),
    ...(tools
      ? {
          tools: Object.entries(OPENCODE_TOOLS).map(([name, parameters]) => ({
            type: 'function',
            name,
            parameters: schemaOf(parameters),
          })),
        }
      : {}),
  }),
  read: (events, stream) => {
    const last = stream ? z.looseObject({ response: z.unknown() }).parse(events.at(-1)).response : events[0];
    const { output, status } = responsesSchema.parse(last);
    return {
      text: output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join(''),
      tools: output
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id = '', name = '', arguments: input = '' }) => ({
          id: call_id,
          name,
          input: JSON.parse(input),
        })),
      stop: status,
    };
  },
};

const responsesSchema = z.looseObject({
  status: z.string(),
  output: z.array(
    z.looseObject({
      type: z.string(),
      content: z.array(z.looseObject({ text: z.string() })).optional(),
      call_id: z.string().optional(),
      name: z.string().optional(),
      arguments: z.string().optional(),
    }),
  ),
});
