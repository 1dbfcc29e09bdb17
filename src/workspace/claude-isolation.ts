import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { hasErrorCode } from '../exec/error-code.js';

/** Instruction files that Claude Code reads in every folder from the root of the file system down to its own. */
const MEMORY_FILES = [
  'CLAUDE.md',
  'CLAUDE.local.md',
  // Claude Code reads it if there is no CLAUDE.md, so excluding only CLAUDE.md would let it in.
  'AGENTS.md',
  '.claude/CLAUDE.md',
  '.claude/AGENTS.md',
  '.claude/rules/**',
];

/**
 * Keeps out what else reaches a session from outside its folder: notes that an earlier run at the same path left in
 * HOME, and the servers of a parent's .mcp.json, which Claude Code starts without asking.
 */
function closeSession(workspacePath: string, servers: McpServers) {
  switch (servers) {
    case 'none':
      return { autoMemoryEnabled: false, allowedMcpServers: [] };
    case 'of-plugins':
      // An allow list would need the command line of each plugin's server, because Claude Code ignores their names there.
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

/** Reads a JSON file; undefined if Claude Code could not read it either. */
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
 * Lists patterns for `claudeMdExcludes` that cover the instruction files of every folder above the workspace and none
 * inside it. Claude Code matches them (picomatch, `dot: true`) against absolute paths. It reads the folders above even
 * if the project is its own git repo.
 */
export function listParentMemoryPatterns(workspacePath: string): string[] {
  return listParents(workspacePath).flatMap((folder) =>
    MEMORY_FILES.map((file) => join(escapeGlob(folder), file)),
  );
}

/** Renders the settings of the workspace, merged with those of the scenario. */
export function renderClaudeSettings(
  workspacePath: string,
  own: string | undefined,
  servers: McpServers = 'none',
): string {
  const settings: unknown = own === undefined ? {} : JSON.parse(own);
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new TypeError("expected a JSON object in the scenario's .claude/settings.json");
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

/** Replaces special characters by `?`, any character except a slash. A backslash would be read as a Windows separator. */
function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@|]/g, '?');
}
