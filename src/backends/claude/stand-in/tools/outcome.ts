/** What came of a tool: the words for the model, and the details that only the stream shows. */
export interface ToolOutcome {
  readonly content: string;
  readonly details: unknown;
  readonly isError: boolean;
  /** Some tools say that they succeeded, the others only when they failed. */
  readonly saysSuccess?: boolean;
  /** The input was refused before anything was asked or run. */
  readonly refusedInput?: boolean;
}

/** A tool that ran and failed. */
export function failed(message: string): ToolOutcome {
  return { content: message, details: `Error: ${message}`, isError: true };
}

/** A tool that did not even begin. */
export function refusedInput(message: string): ToolOutcome {
  const content = `<tool_use_error>${message}</tool_use_error>`;
  return { content, details: `Error: ${message.replace(/^Error: /, '')}`, isError: true, refusedInput: true };
}
