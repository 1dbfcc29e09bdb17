import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { hasErrorCode } from '../exec/error-code.js';

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
function closeSession(workspacePath: string, servers: McpServers) {
  switch (servers) {
    case 'none':
      return { autoMemoryEnabled: false, allowedMcpServers: [] };
    case 'of-plugins':
      // A list of allowed ones would have to know the command line of each plugin's server: their names do not count.
      return {
        autoMemoryEnabled: false,
        deniedMcpServers: listParentServers(workspacePath).map((serverName) => ({ serverName })),
      };
    default:
      return servers satisfies never;
  }
}

/** Which MCP servers a session may have. */
export type McpServers = 'none' | 'of-plugins';

const mcpFileSchema = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) });

function listParentServers(workspacePath: string): string[] {
  return listParents(workspacePath).flatMap((folder) => {
    const file = mcpFileSchema.safeParse(readJson(join(folder, '.mcp.json')));
    return file.success ? Object.keys(file.data.mcpServers) : [];
  });
}

/** Undefined for what Claude Code cannot read either. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || hasErrorCode(error, 'ENOENT', 'EACCES', 'EISDIR')) return undefined;
    throw error;
  }
}

function listParents(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...listParents(folder)];
}

/**
 * Patterns for `claudeMdExcludes` that cover the instruction files of every folder above the workspace and none
 * inside it. Claude Code matches them (picomatch, `dot: true`) against absolute paths; a project that is its own
 * git repo does not keep it from reading the folders above.
 */
export function listParentMemoryPatterns(workspacePath: string): string[] {
  return listParents(workspacePath).flatMap((folder) =>
    MEMORY_FILES.map((file) => join(escapeGlob(folder), file)),
  );
}

/** The settings of the workspace, with what the scenario itself wants to set. */
export function renderClaudeSettings(
  workspacePath: string,
  own: string | undefined,
  servers: McpServers = 'none',
): string {
  const settings: unknown = own === undefined ? {} : JSON.parse(own);
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new TypeError('expected a JSON object in .claude/settings.json of the scenario');
  }
  const excludes =
    'claudeMdExcludes' in settings && Array.isArray(settings.claudeMdExcludes)
      ? settings.claudeMdExcludes
      : [];
  const merged = {
    ...closeSession(workspacePath, servers),
    ...settings,
    claudeMdExcludes: [...excludes, ...listParentMemoryPatterns(workspacePath)],
  };
  return `${JSON.stringify(merged, null, 2)}\n`;
}

/** A backslash would be read as a separator of Windows paths, `?` stands for any one character but a slash. */
function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@|]/g, '?');
}
