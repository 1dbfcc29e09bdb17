/** What a conversation consists of, for a client of any API. */
export type Turn =
  | { readonly user: string }
  | { readonly heard: Heard }
  | { readonly result: string; readonly of: Heard };

/** What a model answered, read back by the rules of its API. */
export interface Heard {
  readonly status: number;
  readonly text: string;
  readonly tools: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly stop: string;
  readonly body: string;
  readonly headers: Headers;
}

/** The tools that Claude Code (or, by the other APIs, OpenCode) offers, as far as scripts use them. */
export const CLAUDE_TOOLS = {
  Write: ['file_path', 'content'],
  Edit: ['file_path', 'old_string', 'new_string'],
  Read: ['file_path'],
  Bash: ['command'],
};
export const OPENCODE_TOOLS = {
  write: ['filePath', 'content'],
  edit: ['filePath', 'oldString', 'newString'],
  read: ['filePath'],
  bash: ['command', 'workdir'],
};

type Read = Pick<Heard, 'text' | 'tools' | 'stop'>;
/** One API from the side of the caller. */
export interface Client {
  path(stream: boolean): string;
  body(turns: readonly Turn[], system: string, tools: boolean, stream: boolean): Record<string, unknown>;
  read(events: readonly unknown[], stream: boolean): Read;
}

/** The JSON schema of a tool with these parameters. */
export function schemaOf(parameters: readonly string[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((name) => [name, { type: 'string' }])),
  };
}

/** The id of the tool that was called. */
export function idOf(heard: Heard): string {
  return heard.tools[0]?.id ?? 'none';
}
