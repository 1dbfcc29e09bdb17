/** The files of every generated workspace. */
export const FILES: Readonly<Record<string, string>> = {
  'a.txt': 'A line\nanother\n',
  'src/b.txt': 'B line\n',
  'src/deep/c.ts': 'C\n',
  '.env': 'SECRET=1\n',
};

/** The files of every generated home. */
export const HOME_FILES: Readonly<Record<string, string>> = { 'far/far.txt': 'a far line\n' };

/** Links to files and folders, inside the workspace and out of it. Nothing leads out of the throwaway folder. */
export const LINKS: Readonly<Record<string, string>> = {
  'near.lnk': 'a.txt',
  'far.lnk': '../home/far/far.txt',
  'out.lnk': '../home/far',
  'deep.lnk': 'src/deep',
  'dead.lnk': 'made/nothing.txt',
};

/** An empty git repository. */
export const REPOSITORY: Readonly<Record<string, string>> = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config': '[core]\n\trepositoryformatversion = 0\n\tbare = false\n',
  '.git/objects/info/kept': '',
  '.git/refs/heads/.kept': '',
};

/** Paths for every tool, also for those that write: all of them are in the throwaway folder. */
export const PATHS: readonly string[] = [
  ...['a.txt', './a.txt', 'src/b.txt', 'src/deep/c.ts', 'new.txt', 'made/new.txt', '.env', 'CLAUDE.md'],
  ...['nosuch.txt', '../x.txt', '.git/config', '.git/hooks/pre-commit', '.claude/settings.json', '.bashrc'],
  ...['.claude/commands/c.md', '.mcp.json', '.vscode/settings.json', '.github/w.yml', '.gitignore', '.npmrc'],
  ...['src/../a.txt', 'src', '.husky/x', '.zlogin', '.yarnrc.yml', '.config/git/config', '.bash_aliases'],
  ...['.claude/hooks/x.sh', '.config/x'],
  ...['near.lnk', 'far.lnk', 'out.lnk/far.txt', 'out.lnk/new.txt', 'deep.lnk/c.ts', 'dead.lnk'],
  ...['{{workspace}}/a.txt', '{{workspace}}/src/../.env', '{{home}}/far/far.txt', '{{home}}/far/new.txt'],
  ...[
    '~/far/far.txt',
    '~/far/new.txt',
    '../workspace/a.txt',
    'src//b.txt',
    'src/./b.txt',
    '.ENV',
    '.Git/config',
  ],
];
