// Starts programs, or takes seconds: in the project `whole`.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readGitDiff } from '../../../src/mcp/capture-artifacts.js';
import { readCommits } from '../../../src/workspace/git/history.js';
import { makeTempDir } from '../../exec/support.js';
import { attackScript, COMMIT, GIT_ATTACKS, LOSES_OBJECTS } from '../../isolation/hostile-git.js';

const ENV = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
  LC_ALL: 'C',
};

function sh(cwd: string, script: string): string {
  return execFileSync('sh', ['-ec', script], { cwd, env: ENV, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** A repo with one commit. */
function makeRepo(...options: readonly string[]): { folder: string; first: string } {
  const folder = join(makeTempDir(), 'project');
  mkdirSync(folder);
  sh(folder, `git init -q -b main ${options.join(' ')}; git commit -q --allow-empty -m first`);
  return { folder, first: sh(folder, 'git rev-parse HEAD') };
}

describe('a repo whose configuration starts programs', () => {
  test.each(GIT_ATTACKS)('starts none when its commits and its changes are read: %s', async (attack) => {
    const { folder, first } = makeRepo();
    const marker = join(makeTempDir(), 'ran');
    sh(folder, attackScript(attack, marker));
    rmSync(marker, { force: true });
    const [commits] = await Promise.allSettled([readCommits(folder, first)]);
    const diff = await readGitDiff(folder);
    expect(existsSync(marker)).toBe(false);
    if (attack === LOSES_OBJECTS) {
      expect(commits).toMatchObject({ status: 'rejected', reason: { name: 'KnownError' } });
      expect(diff).toMatch(/Expected a readable git repo in /);
    } else {
      expect(commits).toMatchObject({ value: [COMMIT] });
      expect(diff).toMatch(/^-work\n\+more work$/m);
    }
  });

  test('changes nothing in what is read: replaced commits, grafts and a message like a list of commits', async () => {
    const { folder, first } = makeRepo();
    sh(
      folder,
      `echo 1 > secret.txt; git add .; printf 'x\\037tests/a.py\\036%s\\037y\\037' ${first} | git commit -q -F -
      innocent=$(git commit-tree -p ${first} -m innocent "$(git rev-parse ${first}^{tree})")
      git replace HEAD $innocent; mkdir -p .git/info; git rev-parse HEAD > .git/info/grafts`,
    );
    expect(await readCommits(folder, first)).toMatchObject([{ paths: ['secret.txt'] }]);
  });
});

describe('readCommits', () => {
  test('lists what git log lists, oldest first: merges, renames, odd names, empty messages', async () => {
    const { folder, first } = makeRepo();
    sh(
      folder,
      `echo 1 > 'ä "b".txt'; mkdir d; echo 2 > d/c; git add .; git commit -q -m 'two files' -m 'with a body'
      git checkout -q -b side; git mv d/c d/e; git commit -q -m moved
      git checkout -q main; git commit -q --allow-empty --allow-empty-message -m ''
      git merge -q -m merged side; git pack-refs --all; git gc -q`,
    );
    const commits = await readCommits(folder, first);
    expect(commits.map(({ message, paths }) => [message, paths])).toEqual([
      ['two files\n\nwith a body', ['d/c', 'ä "b".txt']],
      expect.anything(),
      expect.anything(),
      ['merged', []],
    ]);
    expect(commits).toContainEqual(expect.objectContaining({ message: 'moved', paths: ['d/c', 'd/e'] }));
    expect(commits.map(({ hash }) => hash)).toEqual(
      sh(folder, `git log --reverse --format=%H ${first}..`).split('\n'),
    );
    expect(await readCommits(folder, null)).toHaveLength(5);
    expect(await readCommits(folder, commits.at(-1)?.hash ?? null)).toEqual([]);
  });

  test('finds no commit where there is none to find', async () => {
    const outer = makeRepo();
    const inner = join(outer.folder, 'inner');
    mkdirSync(inner);
    expect(await readCommits(inner, null)).toEqual([]);
    sh(inner, 'git init -q');
    expect(await readCommits(inner, null)).toEqual([]);
    rmSync(join(inner, '.git'), { recursive: true });
    writeFileSync(join(inner, '.git'), 'gitdir: ../.git\n');
    expect(await readCommits(inner, null)).toEqual([]);
    rmSync(join(inner, '.git'));
    symlinkSync('../.git', join(inner, '.git'));
    expect(await readCommits(inner, null)).toEqual([]);
    expect(await readGitDiff(inner)).toBeNull();
    expect(await readCommits(join(inner, 'gone'), null)).toEqual([]);
  });

  test.each([
    ['a repo with SHA-256', (folder: string) => sh(folder, 'true'), ['--object-format=sha256']],
    [
      'a git folder elsewhere inside',
      (folder: string) => sh(folder, 'mkdir at; git init -q --separate-git-dir=at/it'),
    ],
    ['a HEAD without a branch', (folder: string) => sh(folder, 'git checkout -q --detach')],
    ['a shallow clone', (folder: string) => cloneShallow(folder)],
    [
      'a repo that was made anew',
      (folder: string) => sh(folder, 'rm -rf .git; git init -q; git commit -q --allow-empty -m base'),
    ],
  ] as const)('reads %s', async (_, prepare, options: readonly string[] = []) => {
    const { folder, first } = makeRepo(...options);
    prepare(folder);
    sh(folder, 'echo 1 > a; git add a; git commit -q -m last');
    expect((await readCommits(folder, first)).at(-1)).toMatchObject({ message: 'last', paths: ['a'] });
    sh(folder, 'echo 2 > a');
    expect(await readGitDiff(folder)).toContain('+2');
  });

  test.each([
    ['refs in a reftable', 'echo "ref: refs/heads/.invalid" > .git/HEAD', /reftable/],
    ['a HEAD that is a pipe', 'rm .git/HEAD; mkfifo .git/HEAD', /HEAD, which is not a readable file/],
    ['a branch that names itself', 'echo "ref: refs/heads/main" > .git/refs/heads/main', /to each other/],
    ['a branch that leads out', 'echo "ref: refs/../../x" > .git/HEAD', /HEAD, which does not name a commit/],
    ['objects that are gone', 'rm -r .git/objects/??', /fails: fatal/],
    [
      'objects that lie outside',
      'mv .git/objects ../o; ln -s ../../o .git/objects',
      /one without an objects folder/,
    ],
  ])('says that it cannot read %s, and does not take it for no commits', async (_, change, why) => {
    const { folder } = makeRepo();
    sh(folder, change);
    await expect(readCommits(folder, null)).rejects.toThrow(why);
    expect(await readGitDiff(folder)).toMatch(why);
  });
});

test('readGitDiff tells what is staged, changed and new, and leaves the index as it is', async () => {
  const { folder } = makeRepo();
  sh(
    folder,
    `echo ignored > .git/info/exclude 2>/dev/null || { mkdir -p .git/info; echo ignored > .git/info/exclude; }
    printf '1\\n' > changed; printf '1\\n' > same; git add .; git commit -q -m second
    touch -d 2001-01-01 same; echo 2 > changed; echo 3 > staged; git add staged; echo 4 > new; echo 5 > ignored`,
  );
  renameSync(join(folder, 'same'), join(folder, 'moved'));
  const index = sh(folder, 'cksum .git/index');
  const diff = await readGitDiff(folder);
  expect(diff).toContain(`${sh(folder, 'git log --oneline -20')}\n`);
  expect(diff).toContain('\n M changed\n D same\nA  staged\n?? moved\n?? new\n');
  expect(diff).toMatch(/\+3$/m);
  expect(diff).not.toContain('ignored');
  expect(sh(folder, 'cksum .git/index')).toBe(index);
});

function cloneShallow(folder: string): void {
  sh(folder, 'git commit -q --allow-empty -m second; git commit -q --allow-empty -m third');
  sh(folder, 'git clone -q --depth 1 "file://$PWD" clone; rm -rf .git; mv clone/.git .git; rmdir clone');
}
