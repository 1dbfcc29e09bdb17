import { relative } from 'node:path';
import { followLinks, isInside, type WorkingFolders } from '../../plugins/paths.js';

/** Folders and files that configure programs. Claude Code asks before it changes one, in every mode but one. */
const FOLDERS = [
  '.git',
  '.vscode',
  '.idea',
  '.husky',
  '.devcontainer',
  '.claude',
  '.config/git',
  '.cargo',
  '.yarn',
  '.mvn',
];
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
  ...['.pre-commit-config.yaml', 'lefthook.yml', '.lefthook.yml', '.bazelrc', 'bunfig.toml'],
  ...['lefthook.yaml', '.lefthook.yaml', '.bazelversion', '.bazeliskrc', '.pnpmfile.cjs', '.pnp.cjs'],
  '.pnp.loader.mjs',
];

/** What Claude Code reads from its own folder. */
const OWN = /\/\.claude\/(?:settings(?:\.local)?\.json$|(?:commands|agents|skills)\/)/;

/** Returns what Claude Code asks before it changes a protected file, or null if the file is not protected. */
export function describeProtection(path: string, cwd: string, folders: WorkingFolders): string | null {
  // What a plugin does must not depend on the agent.
  if (isInside(path, { cwd, all: folders.plugins ?? [] })) return nameSensitive(path);
  const target = followLinks(path);
  const own = describe(path, path, cwd);
  return own ?? (target === null ? null : describe(path, target, followLinks(cwd) ?? cwd));
}

/** Some file systems ignore case and invisible characters, so that another name means the same file. */
function readAsFileSystem(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i');
}

function nameSensitive(path: string): string {
  return `Claude requested permissions to edit ${path} which is a sensitive file.`;
}

function describe(path: string, target: string, cwd: string): string | null {
  // Worktrees are made by the program itself; what they contain is protected like everything else.
  const inside = `/${readAsFileSystem(relative(cwd, target))}`.replace('/.claude/worktrees/', '/');
  const isProtected =
    FOLDERS.some((folder) => `${inside}/`.includes(`/${folder}/`)) ||
    FILES.some((file) => inside.endsWith(`/${file}`));
  if (!isProtected) return null;
  return OWN.test(inside)
    ? `Claude requested permissions to write to ${path}, but you haven't granted it yet.`
    : nameSensitive(path);
}
