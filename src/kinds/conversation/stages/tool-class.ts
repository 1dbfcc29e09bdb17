/** The name and input of a tool call. */
export interface NamedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * The classes of tools. Checks name classes, because the tool for a job changes from release to release: current Claude
 * Code has no Glob or Grep by default and searches with Bash.
 */
export const TOOL_CLASSES = ['read', 'search', 'write', 'run', 'vcs', 'agent', 'mcp', 'other'] as const;
/** A class of tools. */
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
  // OpenCode's names.
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

/** Matches commands that only read, by their first word. */
const LOOKING =
  /(?:^|[|;&]\s*)(?:cat|head|tail|less|wc|ls|tree|find|rg|grep|git (?:log|show|diff|status|ls-files))\b/;
const SEARCHING = /(?:^|[|;&]\s*)(?:find|rg|grep|ls|tree|git ls-files)\b/;
const VERSIONING = /(?:^|[|;&]\s*)git\b/;

/** Returns the classes of a call. A shell command is classified by what it runs. */
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

/** Whether a call matches a name: a class, the name of a tool, or the end of an MCP tool's name. */
export function isTool(call: NamedCall, wanted: string): boolean {
  const name = wanted.toLowerCase();
  if (call.name.toLowerCase() === name) return true;
  if (classesOf(call).some((known) => known === name)) return true;
  return call.name.startsWith('mcp__') && call.name.toLowerCase().endsWith(name);
}
