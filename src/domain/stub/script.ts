import * as z from 'zod';

const delay = { delay_ms: z.int().min(0).optional() };

/** The answer of a tool: exactly one kind, optionally after a delay. `{{name}}` in a text stands for an argument. */
export const stubAnswerSchema = z.union([
  z.strictObject({
    text: z.string(),
    /** A PNG file to write in the folder of the server: an empty picture. */
    image: z.string().min(1).optional(),
    ...delay,
  }),
  z.strictObject({ json: z.record(z.string(), z.unknown()), ...delay }),
  z.strictObject({ error: z.string(), ...delay }),
  z.strictObject({ dies: z.literal(true), ...delay }),
]);
export type StubAnswer = z.infer<typeof stubAnswerSchema>;

const toolSchema = z.strictObject({
  description: z.string().default(''),
  /** A JSON Schema of the arguments, which are an object. */
  input: z.looseObject({ type: z.literal('object') }).default({ type: 'object' }),
  /** One answer for each call; the last one is repeated. */
  answers: z.array(stubAnswerSchema).min(1),
});

/** A script that plays a server which already has a name. */
export const stubbedServerSchema = z.strictObject({
  version: z.string().default('1.0.0'),
  instructions: z.string().optional(),
  tools: z.record(z.string().regex(/^[\w-]{1,64}$/), toolSchema),
});
export type StubbedServer = z.input<typeof stubbedServerSchema>;

export const stubScriptSchema = stubbedServerSchema.extend({ name: z.string().min(1) });

/** An MCP server as data: its tools and their answers. */
export type StubScript = z.infer<typeof stubScriptSchema>;
