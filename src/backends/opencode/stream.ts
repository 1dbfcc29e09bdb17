import * as z from 'zod';
import { parseJson } from '../../domain/common/json-lines.js';

/** What OpenCode prints under `--format json`, as far as a conversation needs it. Every event names its session. */
const toolState = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('completed'),
    input: z.record(z.string(), z.unknown()),
    output: z.string().default(''),
    metadata: z.object({ exit: z.number().nullable().optional() }).default({}),
  }),
  z.object({ status: z.literal('error'), input: z.record(z.string(), z.unknown()), error: z.string() }),
]);

const openCodeError = z.object({
  name: z.string(),
  data: z.object({ message: z.string().optional(), statusCode: z.number().optional() }).default({}),
});
export type OpencodeError = z.infer<typeof openCodeError>;

const opencodeEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step_start'), sessionID: z.string() }),
  z.object({ type: z.literal('text'), sessionID: z.string(), part: z.object({ text: z.string() }) }),
  z.object({
    type: z.literal('tool_use'),
    sessionID: z.string(),
    part: z.object({ tool: z.string(), callID: z.string(), state: toolState }),
  }),
  z.object({
    type: z.literal('step_finish'),
    sessionID: z.string(),
    part: z.object({
      reason: z.string(),
      tokens: z.object({ input: z.number(), output: z.number() }).default({ input: 0, output: 0 }),
      cost: z.number().default(0),
    }),
  }),
  z.object({ type: z.literal('error'), sessionID: z.string(), error: openCodeError }),
]);
export type OpencodeEvent = z.infer<typeof opencodeEvent>;

/** Parses one line; null if it is not an event, or an unknown one. */
export function parseOpencodeLine(line: string): OpencodeEvent | null {
  // Some other text on stdout is not an event: the captured output keeps it.
  const event = opencodeEvent.safeParse(parseJson(line));
  return event.success ? event.data : null;
}
