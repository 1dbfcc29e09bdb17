import { lookUp } from '../look-up.js';
import type { ShellWord } from '../shell/words.js';

/** Whether a git command only reads, by its subcommand and its options. */
export function readsWithGit(rest: readonly ShellWord[]): boolean {
  const [subcommand = '', ...words] = rest.map(({ text }) => text);
  const reader = lookUp(GIT_READERS, subcommand);
  if (reader === undefined) return false;
  const dashes = words.indexOf('--');
  // What follows `--` is a file only for commands that take files.
  if (dashes >= 0 && dashes < words.length - 1 && reader.operands !== 'any') return false;
  const checked = (dashes < 0 ? words : words.slice(0, dashes)).filter(
    (word, index) => !(reader.counts === true && word === '-n' && /^\d+$/.test(words[index + 1] ?? '')),
  );
  const options = checked.filter((word) => word.startsWith('-'));
  const operands = checked.filter((word) => !word.startsWith('-'));
  const { needs = 'nothing', operands: allowed } = reader;
  const isComplete =
    needs === 'nothing' || (needs === 'operand' ? operands.length > 0 : options.includes(needs));
  const isPlain =
    allowed === 'any' || (operands.length <= 1 && operands.every((word) => allowed.includes(word)));
  return isComplete && isPlain && options.every((option) => isKnown(option, reader));
}

/** Options with one dash may be written together, and `-3` is a number of commits. */
function isKnown(option: string, { options, counts }: GitReader): boolean {
  const known = options.split(' ');
  if (option.startsWith('--')) {
    const value = option.indexOf('=');
    return known.includes(value < 0 ? option : option.slice(0, value + 1));
  }
  if (/^-\d+$/.test(option)) return counts === true;
  return [...option.slice(1)].every((letter) => known.includes(`-${letter}`));
}

interface GitReader {
  /** Options that are harmless, by name; `=` at the end if a value follows. */
  readonly options: string;
  /** What may follow besides options: anything, or only one of these words. */
  readonly operands: 'any' | readonly string[];
  /** Without this option, or without an operand, the command changes something. */
  readonly needs?: '--get' | 'operand';
  readonly counts?: boolean;
}

const COMMITS =
  '--oneline --graph --all --decorate --no-decorate --max-count --max-count= --since --since= --after --after= --until --until= --before --before= --author --author= --grep --grep= --reverse --no-merges --merges --first-parent --abbrev-commit --date --date= --branches --tags --remotes --topo-order --date-order --full-history --cherry-pick --left-right --skip --skip= --source --walk-reflogs --follow';
const LISTS =
  '--stat --name-only --name-status --numstat --shortstat --no-color --diff-filter --diff-filter= -p';

/** Seen in Claude Code 2.1.325, option by option. */
const GIT_READERS: Readonly<Record<string, GitReader>> = {
  log: {
    options: `${COMMITS} ${LISTS} --patch --format --format= --pretty --pretty=`,
    operands: 'any',
    counts: true,
  },
  diff: {
    options: `${LISTS} --cached --staged --color --word-diff --color-words --check --summary --minimal --patience --histogram --no-index -M -C -R --exit-code --quiet --no-ext-diff --ignore-all-space --ignore-space-change --function-context --dirstat --no-renames --diff-algorithm --diff-algorithm= --full-index -s --inter-hunk-context --inter-hunk-context=`,
    operands: 'any',
  },
  show: {
    options:
      '--stat --name-only --name-status --format --format= --pretty --pretty= --no-patch -s --oneline --abbrev-commit --numstat --raw -p --color --no-color --word-diff -m --first-parent',
    operands: 'any',
  },
  status: {
    options:
      '-s --short -b --branch --long -v --porcelain --untracked-files= --ignored --column --ahead-behind --renames',
    operands: 'any',
  },
  branch: {
    options:
      '-a --all -r --remotes -v --list --show-current --merged --no-merged --sort= --no-color --column',
    operands: [],
  },
  blame: {
    options: '-l -w -e -t -s -M -C --date= --porcelain -p --line-porcelain --root -L',
    operands: 'any',
  },
  tag: { options: '-l --list --sort=', operands: [] },
  remote: { options: '-v --verbose', operands: [] },
  'rev-parse': {
    options:
      '--verify --show-toplevel --git-dir --is-inside-work-tree --abbrev-ref --show-prefix --symbolic-full-name --show-cdup --git-common-dir --is-bare-repository',
    operands: 'any',
  },
  'ls-files': {
    options:
      '-m -o -c -d -s -u -t -z -i --others --modified --cached --deleted --exclude-standard --stage --unmerged --ignored --full-name --error-unmatch --eol',
    operands: 'any',
  },
  config: { options: '--get', operands: 'any', needs: '--get' },
  stash: { options: '--oneline', operands: ['list', 'show'], needs: 'operand' },
  reflog: { options: '--oneline --all', operands: ['show'] },
  shortlog: { options: '-s -n -e --summary --numbered --group=', operands: 'any' },
  describe: {
    options: '--tags --always --dirty --long --contains --abbrev= --match= --exact-match',
    operands: 'any',
  },
  'cat-file': { options: '-p -t -s -e --batch-check', operands: 'any' },
  'ls-remote': {
    options: '--heads --tags --refs -h --sort= -q --exit-code --get-url --symref',
    operands: [],
  },
  'rev-list': {
    options: '--count --all --max-count= --since= --merges --author= --reverse',
    operands: 'any',
  },
  'merge-base': { options: '--is-ancestor --all --fork-point --octopus --independent', operands: 'any' },
  'for-each-ref': { options: '--sort= --count=', operands: 'any' },
  worktree: { options: '', operands: ['list'], needs: 'operand' },
  grep: {
    options:
      '-n -i -l -c -E -F -w -v -e --cached --untracked -q -h --and -P --break --heading --recurse-submodules --no-index',
    operands: 'any',
  },
};
