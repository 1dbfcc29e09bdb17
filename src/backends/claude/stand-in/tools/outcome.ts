/** A tool's result: the text for the model, and the details that only the stream shows. */
export interface ToolOutcome {
  readonly content: string;
  readonly details: unknown;
  readonly isError: boolean;
  /** Some tools report success; the others report only failure. */
  readonly saysSuccess?: boolean;
  /** A message in the user's place that follows the result: the text of a skill. */
  readonly message?: string;
}

/** Makes the outcome of a scripted result. */
export function shown(result: string): ToolOutcome {
  return { content: result, details: result, isError: false };
}

/** Makes the outcome of a tool that ran and failed. */
export function failed(message: string): ToolOutcome {
  return { content: message, details: `Error: ${message}`, isError: true };
}

/** Makes the outcome of a tool whose input was rejected. */
export function refusedInput(message: string): ToolOutcome {
  const content = `<tool_use_error>${message}</tool_use_error>`;
  return { content, details: `Error: ${message.replace(/^Error: /, '')}`, isError: true };
}
