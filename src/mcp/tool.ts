import * as z from 'zod';
import { failureSchema, ToolError } from './errors.js';
import type { Laboratory } from './laboratory.js';
import { dropNulls } from './parameters/optional-nulls.js';

/** The groups of tools. */
type Category =
  | 'plugins'
  | 'commands'
  | 'conversations'
  | 'agent state'
  | 'hooks'
  | 'environment'
  | 'assertions'
  | 'mcp servers'
  | 'harness';

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
  readonly category: Category;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly run: (
    input: z.output<Input>,
    laboratory: Laboratory,
    context: CallContext,
  ) => Promise<z.input<Output>> | z.input<Output>;
}

/** A tool as the server calls it: takes anything, returns a checked result or throws. */
export interface Tool {
  readonly name: string;
  readonly category: Category;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>>;
  readonly call: (
    input: unknown,
    laboratory: Laboratory,
    context: CallContext,
  ) => Promise<Readonly<Record<string, unknown>>>;
}

/** No sensible prompt, file or answer is longer than this. */
const MAX_TEXT = 2_000_000;

/** Turns a tool as its author writes it into a tool as the server calls it. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ToolParts<Input, Output>,
): Tool {
  const { name, category, description, input, output } = tool;
  const inputSchema = z.toJSONSchema(input, { io: 'input' });
  return {
    name,
    category,
    description,
    inputSchema,
    // Clients of the TypeScript SDK before version 2 hold failures to the schema too.
    outputSchema: { type: 'object', anyOf: [output, failureSchema].map(toOpenSchema) },
    call: async (given, laboratory, context) => {
      refuseHugeTexts(given, name);
      const read = input.strict().safeParse(dropNulls(given ?? {}, inputSchema));
      if (!read.success) {
        throw new ToolError(
          'InvalidInputError',
          `${name}: the input does not match the schema: ${z.prettifyError(read.error).replace(/\n\s*/g, ' ')}`,
          `Parameters: ${Object.keys(input.shape).join(', ') || 'none'}.`,
        );
      }
      return output.parse(await tool.run(input.parse(read.data), laboratory, context));
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
