/** A tool call as a conversation records it. */
export interface NamedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * What a tool is for. Assertions name classes, because which tool does the job changes from release to release:
 * current Claude Code has no Glob and Grep by default and searches with Bash.
 */
export const TOOL_CLASSES = ['read', 'search', 'write', 'run', 'vcs', 'agent', 'mcp', 'other'] as const;
export type ToolClass = (typeof TOOL_CLASSES)[number];

const BY_NAME: Readonly<Record<string, readonly ToolClass[]>> = {
  Read: ['read'],
  NotebookRead: ['read'],
  Glob: ['search', 'read'],
  Grep: ['search', 'read'],
  LS: ['search', 'read'],
  Write: ['write'],
  Edit: ['write'],
  MultiEdit: ['write'],
  NotebookEdit: ['write'],
  Task: ['agent'],
  Agent: ['agent'],
  // OpenCode's names for the same.
  read: ['read'],
  glob: ['search', 'read'],
  grep: ['search', 'read'],
  list: ['search', 'read'],
  write: ['write'],
  edit: ['write'],
  apply_patch: ['write'],
  task: ['agent'],
};

const SHELLS: readonly string[] = ['Bash', 'bash'];

/** Commands that only look, by the word that begins them. */
const LOOKING =
  /(?:^|[|;&]\s*)(?:cat|head|tail|less|wc|ls|tree|find|rg|grep|git (?:log|show|diff|status|ls-files))\b/;
const SEARCHING = /(?:^|[|;&]\s*)(?:find|rg|grep|ls|tree|git ls-files)\b/;
const VERSIONING = /(?:^|[|;&]\s*)git\b/;

/** The classes of a call; a shell command is classed by what it runs. */
export function classesOf({ name, input }: NamedCall): readonly ToolClass[] {
  if (name.startsWith('mcp__')) return ['mcp'];
  if (!SHELLS.includes(name)) return BY_NAME[name] ?? ['other'];
  const command = typeof input.command === 'string' ? input.command : '';
  return [
    'run',
    ...(LOOKING.test(command) ? (['read'] as const) : []),
    ...(SEARCHING.test(command) ? (['search'] as const) : []),
    ...(VERSIONING.test(command) ? (['vcs'] as const) : []),
  ];
}

/** Whether a call is what an assertion names: a class, a tool's own name, or the end of an MCP tool's long one. */
export function isTool(call: NamedCall, wanted: string): boolean {
  const name = wanted.toLowerCase();
  if (call.name.toLowerCase() === name) return true;
  if (classesOf(call).some((known) => known === name)) return true;
  return call.name.startsWith('mcp__') && call.name.toLowerCase().endsWith(name);
}
