import { relative } from 'node:path';
import { isInside, type WorkingFolders } from '../plugins/paths.js';

/** Folders and files that configure programs. Claude Code asks before it changes one, in every mode but one. */
const FOLDERS = ['.git', '.vscode', '.idea', '.husky', '.devcontainer', '.claude', '.config/git'];
const FILES = [
  ...[
    '.gitconfig',
    '.gitmodules',
    '.bashrc',
    '.bash_profile',
    '.bash_login',
    '.bash_logout',
    '.bash_aliases',
  ],
  ...['.zshrc', '.zprofile', '.zshenv', '.zlogin', '.zlogout', '.profile', '.ripgreprc', '.envrc'],
  ...['.mcp.json', '.claude.json', '.devcontainer.json', '.npmrc', '.yarnrc', '.yarnrc.yml'],
  '.pre-commit-config.yaml',
];

/** What Claude Code reads from its own folder. */
const OWN = /\/\.claude\/(?:settings(?:\.local)?\.json$|(?:commands|agents|skills)\/)/;

/** Returns what Claude Code asks before it changes a protected file, or null if the file is not protected. */
export function describeProtection(path: string, cwd: string, folders: WorkingFolders): string | null {
  const sensitive = `Claude requested permissions to edit ${path} which is a sensitive file.`;
  // What a plugin does must not depend on the agent.
  if (isInside(path, { cwd, all: folders.plugins ?? [] })) return sensitive;
  const inside = `/${relative(cwd, path).toLowerCase()}`;
  if (inside.includes('/.claude/worktrees/')) return null;
  const isProtected =
    FOLDERS.some((folder) => `${inside}/`.includes(`/${folder}/`)) ||
    FILES.some((file) => inside.endsWith(`/${file}`));
  if (!isProtected) return null;
  return OWN.test(inside)
    ? `Claude requested permissions to write to ${path}, but you haven't granted it yet.`
    : sensitive;
}
