import { relative } from 'node:path';

/** Folders and files that configure programs. Claude Code asks before it changes one, in every mode but one. */
const FOLDERS = ['.git', '.vscode', '.idea', '.husky', '.devcontainer', '.claude'];
const FILES = [
  ...['.gitconfig', '.gitmodules', '.bashrc', '.bash_profile', '.zshrc', '.zprofile', '.zshenv', '.profile'],
  ...['.ripgreprc', '.mcp.json', '.claude.json', '.npmrc', '.yarnrc', '.envrc'],
];

/** Returns what Claude Code asks before it changes a protected file, or null if the file is not protected. */
export function describeProtection(path: string, cwd: string): string | null {
  const segments = relative(cwd, path).toLowerCase().split('/');
  const folder = FOLDERS.find((name) => segments.includes(name));
  if (folder === '.claude') {
    const isWorktree = segments[segments.indexOf('.claude') + 1] === 'worktrees';
    return isWorktree
      ? null
      : `Claude requested permissions to write to ${path}, but you haven't granted it yet.`;
  }
  const isProtected = folder !== undefined || FILES.includes(segments.at(-1) ?? '');
  return isProtected ? `Claude requested permissions to edit ${path} which is a sensitive file.` : null;
}
