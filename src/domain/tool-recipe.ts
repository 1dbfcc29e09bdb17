/** A tool in words that every agent CLI has a tool of its own for. */
export type NeutralTool =
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'run'; readonly command: string };

/** A tool as a request to a model offers it. */
export interface OfferedTool {
  readonly name: string;
  /** The names of its parameters: tools of different CLIs share names but not these. */
  readonly parameters: readonly string[];
}

/** How one CLI does one thing: which of its tools, with which input. */
export interface ToolRecipe<Tool extends NeutralTool> {
  readonly tool: string;
  /** The recipe fits where a tool of this name with these parameters is offered. */
  readonly parameters: readonly string[];
  readonly input: (tool: Tool) => Readonly<Record<string, unknown>>;
  /** Why the tool cannot do exactly this, where it cannot; then another way is looked for. */
  readonly refuses?: (tool: Tool) => string | null;
  /** The result with which the tool refuses a file that the agent has not read yet. */
  readonly mustReadFirst?: RegExp;
  /** The bare text of a file from what the tool made of it. */
  readonly plainText?: (result: string) => string;
}

/** The tools of one CLI. What is left out is done by a shell command, where it can be. */
export type ToolRecipes = {
  readonly [Kind in NeutralTool['kind']]?: ToolRecipe<Extract<NeutralTool, { kind: Kind }>>;
};
