import * as z from 'zod';
import { failureSchema, ToolError } from './errors.js';
import type { Harness } from './harness.js';

/** What a call has in addition to its input. */
export interface CallContext {
  /** Aborts when the caller cancels. */
  readonly signal: AbortSignal;
  /** Reports progress to the caller, if it asked for it. */
  readonly progress: (done: number, total: number, message: string) => void;
}

/** A tool as its author writes it. */
interface ToolParts<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly run: (
    input: z.output<Input>,
    harness: Harness,
    context: CallContext,
  ) => Promise<z.input<Output>> | z.input<Output>;
}

/** A tool as the server calls it: takes anything, returns a checked result or throws. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>>;
  readonly call: (
    input: unknown,
    harness: Harness,
    context: CallContext,
  ) => Promise<Readonly<Record<string, unknown>>>;
}

/** No sensible prompt, file or answer is longer than this. */
const MAX_TEXT = 2_000_000;

/** Turns a tool as its author writes it into a tool as the server calls it. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ToolParts<Input, Output>,
): Tool {
  const { name, description, input, output } = tool;
  const inputSchema = z.toJSONSchema(input, { io: 'input' });
  return {
    name,
    description,
    inputSchema,
    // Clients of the TypeScript SDK before version 2 hold failures to the schema too.
    outputSchema: { type: 'object', anyOf: [output, failureSchema].map(toOpenSchema) },
    call: async (given, harness, context) => {
      refuseHugeTexts(given, name);
      const read = input.strict().safeParse(dropNulls(given ?? {}, inputSchema));
      if (!read.success) {
        throw new ToolError(
          'InvalidInputError',
          `${name}: the input does not match the schema: ${z.prettifyError(read.error).replace(/\n\s*/g, ' ')}`,
          `Parameters: ${Object.keys(input.shape).join(', ') || 'none'}.`,
        );
      }
      return output.parse(await tool.run(input.parse(read.data), harness, context));
    },
  };
}

/** Results may contain more than an older client knows. */
function toOpenSchema(schema: z.ZodObject): Readonly<Record<string, unknown>> {
  const { additionalProperties: _, $schema: __, ...open } = z.toJSONSchema(schema, { io: 'output' });
  return open;
}

/** Refuses huge texts before a schema reads them and before they are copied into an error. */
function refuseHugeTexts(value: unknown, name: string): void {
  if (typeof value === 'string' && value.length > MAX_TEXT) {
    throw new ToolError(
      'InvalidInputError',
      `${name}: expected at most ${MAX_TEXT} characters in each text, found ${value.length}.`,
      'Put the text in a file in the project and ask the agent to read it.',
    );
  }
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) refuseHugeTexts(part, name);
  }
}

/** The part of a JSON schema that says which properties an object has, and which it must have. */
const objectSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

/**
 * Removes the nulls of optional properties from a value: many clients, Python ones above all, send null for a parameter
 * that was left out. The published schema does not mention it, because clients that ask people for input cannot show a
 * choice of types.
 */
function dropNulls(value: unknown, schema: unknown): unknown {
  const read = objectSchema.safeParse(schema);
  if (!read.success || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { properties, required } = read.data;
  const kept = Object.entries(value).filter(
    ([name, part]) => part !== null || !Object.hasOwn(properties, name) || required.includes(name),
  );
  return Object.fromEntries(kept.map(([name, part]) => [name, dropNulls(part, properties[name])]));
}

/** The parameters of every tool that returns a list which can grow. */
export const pageShape = {
  limit: z.number().int().positive().optional().describe('How many entries to return. Default: all'),
  offset: z.number().int().nonnegative().default(0).describe('How many entries to leave out first'),
};

export type Page = z.output<z.ZodObject<typeof pageShape>>;

/** Everything, for tools that return what they did as a whole. */
export const WHOLE: Page = { offset: 0 };

/** Takes one page of a list. Past the end, it is empty. */
export function takePage<Entry>(list: readonly Entry[], { limit, offset }: Page): Entry[] {
  return list.slice(offset, limit === undefined ? undefined : offset + limit);
}
