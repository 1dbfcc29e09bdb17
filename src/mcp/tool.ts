import * as z from 'zod';
import { ToolError } from './errors.js';
import type { Laboratory } from './laboratory.js';
import { allowNulls, dropNulls } from './optional-nulls.js';

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
  const plainSchema = z.toJSONSchema(input, { io: 'input' });
  return {
    name,
    category,
    description,
    inputSchema: allowNulls(plainSchema),
    // Results may contain more than an older client knows.
    outputSchema: z.toJSONSchema(output, { io: 'output' }),
    call: async (given, laboratory, context) => {
      refuseHugeTexts(given, name);
      const read = input.strict().safeParse(dropNulls(given ?? {}, plainSchema));
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
