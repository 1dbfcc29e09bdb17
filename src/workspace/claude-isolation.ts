import { dirname, join } from 'node:path';

/** Where Claude Code looks for instructions in every folder from the root of the file system down to its own. */
const MEMORY_FILES = [
  'CLAUDE.md',
  'CLAUDE.local.md',
  // Read where no CLAUDE.md is: keeping those out would let this one in.
  'AGENTS.md',
  '.claude/CLAUDE.md',
  '.claude/AGENTS.md',
  '.claude/rules/**',
];

/**
 * What else reaches a session from outside its folder: notes that an earlier run at the same path left in HOME, and the
 * servers of a parent's .mcp.json, which are started without asking.
 */
const CLOSED = { autoMemoryEnabled: false, allowedMcpServers: [] };

/**
 * Patterns for `claudeMdExcludes` that cover the instruction files of every folder above the workspace and none
 * inside it. Claude Code matches them (picomatch, `dot: true`) against absolute paths; a project that is its own
 * git repo does not keep it from reading the folders above.
 */
export function listParentMemoryPatterns(workspacePath: string): string[] {
  const patterns: string[] = [];
  for (let folder = workspacePath; folder !== dirname(folder); ) {
    folder = dirname(folder);
    patterns.push(...MEMORY_FILES.map((file) => join(escapeGlob(folder), file)));
  }
  return patterns;
}

/** The settings of the workspace, with what the scenario itself wants to set. */
export function renderClaudeSettings(workspacePath: string, own: string | undefined): string {
  const settings: unknown = own === undefined ? {} : JSON.parse(own);
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new TypeError('expected a JSON object in .claude/settings.json of the scenario');
  }
  const excludes =
    'claudeMdExcludes' in settings && Array.isArray(settings.claudeMdExcludes)
      ? settings.claudeMdExcludes
      : [];
  const merged = {
    ...CLOSED,
    ...settings,
    claudeMdExcludes: [...excludes, ...listParentMemoryPatterns(workspacePath)],
  };
  return `${JSON.stringify(merged, null, 2)}\n`;
}

/** A backslash would be read as a separator of Windows paths, `?` stands for any one character but a slash. */
function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@|]/g, '?');
}
