import {
  commitIs,
  commitsMade,
  conversation,
  onPrompt,
  type Scenario,
  turnsCompleted,
} from '../../src/index.js';

/** What a repo can say so that git starts a program of its author's: shell lines, run in the repo as the last ones. */
const ATTACKS = {
  'log.showSignature and gpg.program': 'git config gpg.program "$trap"; git config log.showSignature true',
  'a program for signatures of ssh':
    'git config gpg.ssh.program "$trap"; git config gpg.ssh.allowedSignersFile work.txt; git config log.showSignature true; git update-ref HEAD "$ssh"',
  'a program for signatures of x509':
    'git config gpg.x509.program "$trap"; git config log.showSignature true; git update-ref HEAD "$x509"',
  'core.fsmonitor': 'git config core.fsmonitor "$trap"',
  'a filter in .gitattributes':
    'echo "* filter=f" > .gitattributes; for how in clean smudge process; do git config filter.f.$how "$trap"; done',
  'a filter in info/attributes':
    'mkdir -p .git/info; echo "* filter=f" > .git/info/attributes; git config filter.f.clean "$trap"',
  'diff.external': 'git config diff.external "$trap"',
  textconv:
    'echo "* diff=d" > .gitattributes; git config diff.d.textconv "$trap"; git config diff.d.command "$trap"',
  aliases: 'for name in log status diff cat-file; do git config alias.$name "!$trap"; done',
  pagers:
    'git config core.pager "$trap"; for name in log status diff; do git config pager.$name "$trap"; done',
  'include.path':
    'printf "[gpg]\\n\\tprogram = %s\\n[log]\\n\\tshowSignature = true\\n[core]\\n\\tfsmonitor = %s\\n" "$trap" "$trap" > .git/more; git config include.path more',
  includeIf:
    'printf "[gpg]\\n\\tprogram = %s\\n[log]\\n\\tshowSignature = true\\n[core]\\n\\tfsmonitor = %s\\n" "$trap" "$trap" > .git/more; git config "includeIf.gitdir:**.path" more',
  'config.worktree':
    'git config core.repositoryFormatVersion 1; git config extensions.worktreeConfig true; printf "[gpg]\\n\\tprogram = %s\\n[log]\\n\\tshowSignature = true\\n" "$trap" > .git/config.worktree',
  hooks:
    'mkdir -p hooks; for name in post-index-change reference-transaction pre-auto-gc fsmonitor-watchman; do cp "$trap" hooks/$name; done; git config core.hooksPath "$PWD/hooks"; git config core.fsmonitor true',
  'a .git file that leads to another folder inside':
    'git config gpg.program "$trap"; git config log.showSignature true; git config core.fsmonitor "$trap"; mv .git elsewhere; echo "gitdir: elsewhere" > .git',
  'a repo inside the repo':
    'git init -q inner; git -C inner -c user.name=a -c user.email=a@b commit -q --allow-empty -m inner; git add inner; echo new > inner/new; git -C inner config core.fsmonitor "$trap"',
  'a missing object and a remote that is a program':
    'rm -f ".git/objects/$(echo "$tree" | cut -c1-2)/$(echo "$tree" | cut -c3-)"; git config core.repositoryFormatVersion 1; git config extensions.partialClone evil; git config remote.evil.url "ext::$trap"; git config remote.evil.promisor true; git config protocol.ext.allow always',
} as const;

export type GitAttack = keyof typeof ATTACKS;

export const GIT_ATTACKS = Object.keys(ATTACKS).filter((name): name is GitAttack => name in ATTACKS);

/** The one attack that leaves a repo without all its objects, so that nobody can read it. */
export const LOSES_OBJECTS: GitAttack = 'a missing object and a remote that is a program';

export const COMMIT = { message: 'signed work', paths: ['work.txt'] };

/**
 * A shell script that commits work.txt, changes it again, and sets a trap: a program that touches the marker as soon as
 * git starts it. It runs in the work tree of a repo.
 */
export function attackScript(attack: GitAttack, marker: string): string {
  return `set -e
trap=$PWD/trap.sh
printf '#!/bin/sh\\ntouch "%s"\\n' '${marker}' > "$trap"
chmod +x "$trap"
echo work > work.txt
git add work.txt
tree=$(git write-tree)
parent=$(git rev-parse HEAD)
sign() {
  { printf 'tree %s\\nparent %s\\nauthor A <a@b> 1700000000 +0000\\ncommitter A <a@b> 1700000000 +0000\\n' "$tree" "$parent"
    printf 'gpgsig -----BEGIN %s-----\\n \\n iQ==\\n -----END %s-----\\n\\nsigned work\\n' "$1" "$1"
  } | git hash-object -t commit -w --stdin
}
ssh=$(sign 'SSH SIGNATURE')
x509=$(sign 'SIGNED MESSAGE')
git update-ref HEAD "$(sign 'PGP SIGNATURE')"
echo 'more work' > work.txt
${ATTACKS[attack]}
`;
}

/** A conversation with an agent that does this to its workspace in the first of two turns. */
export function talkWithAttacker(attack: GitAttack, marker: string): Scenario {
  return conversation({
    id: `git-${GIT_ATTACKS.indexOf(attack)}`,
    backend: 'claude',
    tier: 8,
    priority: 'should',
    phase: 'red',
    description: attack,
    covers: [],
    arrange: ({ nonce }) => ({
      files: { 'attack.sh': attackScript(attack, marker) },
      turns: [`Work on ${nonce}.`, `Rest after ${nonce}.`],
      allowedTools: ['Bash'],
    }),
    expect: () => [
      turnsCompleted(),
      commitsMade(1),
      commitIs(1, { message: COMMIT.message, only: 'work.txt', turn: 1 }),
    ],
    agent: [
      onPrompt(/Work on (\w+)/)
        .runs('sh attack.sh')
        .says('{{reverse 1}}'),
      onPrompt(/Rest after (\w+)/).says('{{reverse 1}}'),
    ],
  });
}
