import { spawnSync } from 'node:child_process';

/** Runs git in the project and returns what it printed, or nothing if it fails (no repo, no commit yet). */
function git(project, ...args) {
  const { status, stdout } = spawnSync('git', ['-c', 'core.quotePath=false', ...args], {
    cwd: project,
    encoding: 'utf8',
  });
  return status === 0 ? stdout : '';
}

const lines = (text) => text.split('\n').filter((line) => line !== '');

/** Tells whether a path of the project is a test. */
export function isTest(path) {
  const name = path.split('/').at(-1) ?? '';
  return (
    /^(?:.*\/)?tests?\//.test(path) ||
    /^test_.*\.py$|_test\.(?:py|go)$|\.(?:test|spec)\.[cm]?[jt]sx?$/.test(name)
  );
}

/** Tells whether a path of the project is neither a test nor code. */
export function isDocument(path) {
  return /\.(?:md|txt)$/.test(path);
}

/** Tells whether the newest commit, ignoring documents, touches tests and nothing else. */
export function testsAreCommitted(project) {
  const commits = git(project, 'log', '--name-only', '--no-renames', '--format=%x00', '-50').split('\0');
  const touched = commits.map((commit) => lines(commit).filter((path) => !isDocument(path)));
  const newest = touched.find((paths) => paths.length > 0) ?? [];
  return newest.length > 0 && newest.every(isTest);
}

/** Matches `git commit` at the start of a command. The text before it may stage files. */
const COMMIT = /(?:^|[;&|(\n])\s*(?:\w+=\S*\s+)*git(?:\s+-[cC]\s+\S+|\s+-\S+)*\s+commit(?![\w-])([^;&|\n]*)/;
const ADD = /(?:^|[;&|(\n])\s*git\s+add\s+([^;&|\n]*)/g;

/** Lists the paths that a shell command would commit, or returns null if it commits nothing. */
export function pathsToCommit(project, command) {
  const commit = COMMIT.exec(command);
  if (commit === null) return null;
  const staged = lines(git(project, 'diff', '--cached', '--name-only', '--no-renames'));
  const all = /(?:^|\s)(?:-[b-z]*a|--all)/.test(withoutQuotes(commit[1] ?? ''));
  const changed = all ? lines(git(project, 'diff', '--name-only', '--no-renames')) : [];
  // The hook runs before the whole command, so files of its own `git add` are not staged yet.
  const added = [...command.slice(0, commit.index).matchAll(ADD)].flatMap(([, args]) => {
    const words = [...args.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      (word) => word[1] ?? word[2] ?? word[3],
    );
    const found = git(project, 'add', '--dry-run', ...words);
    return lines(found).map((line) => line.replace(/^(?:add|remove) '(.*)'$/, '$1'));
  });
  return [...new Set([...staged, ...changed, ...added])];
}

/** Removes quoted text: a message may contain something that looks like an option. */
function withoutQuotes(text) {
  return text.replace(/'[^']*'|"(?:\\.|[^"\\])*"/g, '');
}
