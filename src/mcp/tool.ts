import * as z from 'zod';
import { ToolError } from './errors.js';
import type { Laboratory } from './laboratory.js';

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

/** What a call brings besides its input. */
export interface CallContext {
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal;
  /** Tells the caller how far it is, if it wants to know. */
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

/** A tool as the server calls it: anything in, a checked result out, or an error. */
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

/** Longer texts than this are no prompt, no file and no answer. */
const MAX_TEXT = 2_000_000;

/** Turns what an author wrote into what the server calls. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ToolParts<Input, Output>,
): Tool {
  const { name, category, description, input, output } = tool;
  return {
    name,
    category,
    description,
    inputSchema: z.toJSONSchema(input, { io: 'input' }),
    // Results may hold more than an older client knows of.
    outputSchema: z.toJSONSchema(output, { io: 'output' }),
    call: async (given, laboratory, context) => {
      refuseHugeTexts(given, name);
      const read = input.strict().safeParse(given ?? {});
      if (!read.success) {
        throw new ToolError(
          'InvalidInputError',
          `${name} was called with something else than it takes: ${z.prettifyError(read.error).replace(/\n\s*/g, ' ')}`,
          `It takes: ${Object.keys(input.shape).join(', ') || 'nothing'}.`,
        );
      }
      return output.parse(await tool.run(input.parse(read.data), laboratory, context));
    },
  };
}

/** Refused before a schema looks at it, and before it is copied into a message. */
function refuseHugeTexts(value: unknown, name: string): void {
  if (typeof value === 'string' && value.length > MAX_TEXT) {
    throw new ToolError(
      'InvalidInputError',
      `${name}: expected texts of at most ${MAX_TEXT} characters, found one of ${value.length}.`,
      'Put it into a file of the project and have the agent read it.',
    );
  }
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) refuseHugeTexts(part, name);
  }
}
