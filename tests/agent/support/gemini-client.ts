import * as z from 'zod';
import { type Client, idOf, OPENCODE_TOOLS, schemaOf } from './client.js';

/** A client of Google's generateContent. */
export const geminiClient: Client = {
  path: (stream) => `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: (turns, system, tools) => ({
    systemInstruction: { parts: [{ text: system }] },
    contents: turns.map((turn) => {
      if ('user' in turn) return { role: 'user', parts: [{ text: turn.user }] };
      if ('result' in turn) {
        const name = turn.of.tools[0]?.name;
        return {
          role: 'user',
          parts: [{ functionResponse: { id: idOf(turn.of), name, response: { output: turn.result } } }],
        };
      }
      const calls = turn.heard.tools.map(({ id, name, input }) => ({
        functionCall: { id, name, args: input },
      }));
      return { role: 'model', parts: [{ text: turn.heard.text }, ...calls] };
    }),
    ...(tools
      ? {
          tools: [
            {
              functionDeclarations: Object.entries(OPENCODE_TOOLS).map(([name, parameters]) => ({
                name,
                parametersJsonSchema: schemaOf(parameters),
              })),
            },
          ],
        }
      : {}),
  }),
  read: (events) => {
    const candidates = events.flatMap((event) => geminiSchema.parse(event).candidates);
    const parts = candidates.flatMap(({ content }) => content.parts);
    return {
      text: parts.map(({ text = '' }) => text).join(''),
      tools: parts.flatMap(({ functionCall: call }) =>
        call ? [{ id: call.id, name: call.name, input: call.args }] : [],
      ),
      stop: candidates.find(({ finishReason }) => finishReason)?.finishReason ?? '',
    };
  },
};

const geminiSchema = z.looseObject({
  candidates: z.array(
    z.looseObject({
      content: z.object({
        parts: z.array(
          z.looseObject({
            text: z.string().optional(),
            functionCall: z.object({ id: z.string(), name: z.string(), args: z.unknown() }).optional(),
          }),
        ),
      }),
      finishReason: z.string().optional(),
    }),
  ),
});
