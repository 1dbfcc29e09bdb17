import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ONLY_REPO_CONFIG, SHOW_ALL_CHANGES } from '../../src/exec/git-config.js';
import { makeTempDir } from './support.js';

const COMMIT = 'commit -q --allow-empty -m';
const START = `
  git init -q; git config user.name a; git config user.email a@b
  git init -q sub; git -C sub -c user.name=a -c user.email=a@b ${COMMIT} one
  echo kept > kept.txt; ln -s kept.txt link; git add .; git ${COMMIT} one`;
const AGE = 'touch -t 202001010000';
/** Another file of the same size and time. */
const REPLACE = `${AGE} kept.txt; git status; echo tpek > new; ${AGE} new; mv new kept.txt`;
/** The same file, with the same size and time, and changed after the second in which git looked at it. */
const REWRITE = `${AGE} kept.txt; git status; echo tpek > kept.txt; ${AGE} kept.txt; perl -0777 -pi -e 'substr($_, 12, 4) = "\\0\\0\\0\\1"' .git/index`;
const MONITOR = `printf '#!/bin/sh\\nprintf "a\\\\0"\\n' > .git/monitor; chmod +x .git/monitor`;
const BY_EVIL = `git -c user.name=Evil ${COMMIT} more`;
const MAP = `echo 'Good <a@b> Evil <a@b>'`;
const SIGNED = `log -1 --format='%s %G?'`;

/** Makes a commit with an empty signature, and a program that finds it good. */
function forgeSignature(setting: string, kind: string): string {
  return `git ${COMMIT} signed; cat > .git/forge <<'END'
#!/bin/sh
case "$*" in
  *find-principals*) echo a ;;
  *-Y*) echo 'Good "git" signature for a with ED25519 key SHA256:a' ;;
  *) printf '[GNUPG:] %s\\n' NEWSIG 'GOODSIG 0123456789ABCDEF a' TRUST_ULTIMATE ;;
esac
END
chmod +x .git/forge; git config ${setting} $PWD/.git/forge; git config gpg.ssh.allowedSignersFile $PWD/.git/forge
git cat-file commit HEAD | perl -pe 'print "gpgsig -----BEGIN ${kind}-----\n \n -----END ${kind}-----\n" if /^$/ && !$n++' > .git/signed
git reset -q $(git hash-object -t commit -w .git/signed); git ${SIGNED} | grep -q 'signed G'`;
}

/** What an agent does to its repo, the command that would not show it, and what it must print. */
test.each<[setting: string, deed: string, command: string, shown: string]>([
  [
    'status.showUntrackedFiles',
    'touch left.txt; git config status.showUntrackedFiles no',
    'status',
    'left.txt',
  ],
  [
    'core.excludesFile',
    'touch left.txt; echo left.txt > .git/list; git config core.excludesFile $PWD/.git/list',
    'status',
    'left.txt',
  ],
  [
    'core.attributesFile',
    'echo changed > kept.txt; echo "* -diff" > .git/list; git config core.attributesFile $PWD/.git/list',
    'diff',
    '+changed',
  ],
  [
    'core.fsmonitor',
    `${MONITOR}; git config core.fsmonitor $PWD/.git/monitor; git update-index --fsmonitor; git update-index --fsmonitor-valid kept.txt; echo changed > kept.txt`,
    'status',
    'kept.txt',
  ],
  [
    'core.untrackedCache',
    `touch left.txt; git config core.untrackedCache true; ${AGE} .; git status; perl -pi -e 's/left/gone/' .git/index`,
    'status',
    'left.txt',
  ],
  ['core.checkStat', `${REPLACE}; git config core.checkStat minimal`, 'status', 'kept.txt'],
  ['core.trustctime', `${REWRITE}; git config core.trustctime false`, 'status', 'kept.txt'],
  ['core.autocrlf', `printf 'kept\\r\\n' > kept.txt; git config core.autocrlf input`, 'diff', 'kept\r'],
  [
    'core.bigFileThreshold',
    'echo changed > kept.txt; git config core.bigFileThreshold 1',
    'diff',
    '+changed',
  ],
  ['core.fileMode', 'chmod +x kept.txt; git config core.fileMode false', 'status', 'kept.txt'],
  ['core.symlinks', 'rm link; printf kept.txt > link; git config core.symlinks false', 'status', 'link'],
  ['core.ignoreCase', 'touch KEPT.txt; git config core.ignoreCase true', 'status', 'KEPT.txt'],
  [
    'diff.ignoreSubmodules',
    `git -C sub -c user.name=a -c user.email=a@b ${COMMIT} more; git config diff.ignoreSubmodules all`,
    'status',
    'sub',
  ],
  ['format.pretty', `git ${COMMIT} more; git config format.pretty format:%H`, 'log', 'more'],
  [
    'log.showRoot',
    'git config log.showRoot false; git checkout -q --orphan root; rm -r sub; git rm -qr --cached .; echo rooted > kept.txt; git add kept.txt; git commit -qm root',
    'show',
    '+rooted',
  ],
  ['log.mailmap', `${BY_EVIL}; ${MAP} > .mailmap; git config log.mailmap true`, 'log', 'Author: Evil'],
  [
    'mailmap.file',
    `${BY_EVIL}; ${MAP} > .git/map; git config mailmap.file $PWD/.git/map`,
    'log --format=%aN',
    'Evil',
  ],
  [
    'mailmap.blob',
    `${BY_EVIL}; git config mailmap.blob $(${MAP} | git hash-object -w --stdin)`,
    'log --format=%aN',
    'Evil',
  ],
  [
    'blame.ignoreRevsFile',
    `echo changed > kept.txt; git -c user.name=Evil commit -qam more; git rev-parse HEAD > .git/revs; git config blame.ignoreRevsFile $PWD/.git/revs`,
    'blame kept.txt',
    'Evil',
  ],
  ['i18n.logOutputEncoding', `git ${COMMIT} more; git config i18n.logOutputEncoding UTF-16`, 'log', 'more'],
  ['color.ui', 'echo changed > kept.txt; git config color.ui always', 'diff', '+changed'],
  ['color.diff', 'echo changed > kept.txt; git config color.diff always', 'diff', '+changed'],
  ['color.status', 'echo changed > kept.txt; git config color.status always', 'status -s', ' M kept.txt'],
  ['gpg.program', forgeSignature('gpg.program', 'PGP SIGNATURE'), SIGNED, 'signed N'],
  ['gpg.x509.program', forgeSignature('gpg.x509.program', 'SIGNED MESSAGE'), SIGNED, 'signed N'],
  ['gpg.ssh.program', forgeSignature('gpg.ssh.program', 'SSH SIGNATURE'), SIGNED, 'signed B'],
  ['GIT_NO_REPLACE_OBJECTS', `git ${COMMIT} more; git replace HEAD HEAD^`, 'log', 'more'],
  [
    'GIT_GRAFT_FILE',
    `for m in more most; do git ${COMMIT} $m; done; echo "$(git rev-parse HEAD) $(git rev-parse HEAD~2)" > .git/info/grafts`,
    'log',
    'more',
  ],
])('git shows a change although an agent uses %s', (_setting, deed, command, shown) => {
  const run = makeRepo();
  expect(run(`git ${command}`)).not.toContain(shown);
  run(deed, ONLY_REPO_CONFIG);
  expect(run(`git ${command}`)).toContain(shown);
});

test('git says nothing about these settings', () => {
  expect(makeRepo()('git log 2>&1 >/dev/null')).toBe('');
});

/** Makes a repo with a commit, and returns what runs a command there as an errand after the agent does. */
function makeRepo() {
  const cwd = makeTempDir();
  const run = (script: string, env: Readonly<Record<string, string>> = SHOW_ALL_CHANGES) =>
    execFileSync('sh', ['-ec', script], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, ...env },
      stdio: 'pipe',
    });
  run(START, ONLY_REPO_CONFIG);
  return run;
}
