/** A tool call in neutral terms. Each agent CLI has its own tool for it. */
export type NeutralTool =
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'run'; readonly command: string };

/** A tool that a request offers to the model. */
export interface OfferedTool {
  readonly name: string;
  /** The names of its parameters. Tools of different CLIs can share a name, but not these. */
  readonly parameters: readonly string[];
}

/** How one CLI does one thing: with which tool and which input. */
export interface ToolRecipe<Tool extends NeutralTool> {
  readonly tool: string;
  /** The recipe applies if a tool with this name and these parameters is offered. */
  readonly parameters: readonly string[];
  readonly input: (tool: Tool) => Readonly<Record<string, unknown>>;
  /** Returns why the tool cannot do exactly this, or null. If it cannot, another way is tried. */
  readonly refuses?: (tool: Tool) => string | null;
  /** Matches the result by which the tool refuses a file that the agent has not read yet. */
  readonly mustReadFirst?: RegExp;
  /** Returns the plain text of a file from the tool's result. */
  readonly plainText?: (result: string) => string;
}

/** The tools of one CLI. A shell command replaces what is left out, if it can. */
export type ToolRecipes = {
  readonly [Kind in NeutralTool['kind']]?: ToolRecipe<Extract<NeutralTool, { kind: Kind }>>;
};
