import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTestProject } from '../../../../src/kinds/conversation/projects/create-test-project.js';
import {
  createSampleFiles,
  setupGitRepo,
} from '../../../../src/kinds/conversation/projects/repo-and-files.js';
import { covers } from '../../../coverage/covers.js';
import { tempFolder } from '../../../support/cli.js';

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

async function makeProject(): Promise<string> {
  const path = join(tempFolder(), 'project');
  await createTestProject({ type: 'cli', language: 'python', path, name: 'Calculator App' });
  return path;
}

describe('setupGitRepo', () => {
  test('commits everything but what is ignored, and says what it did', async () => {
    covers('H23');
    const path = await makeProject();
    mkdirSync(join(path, '__pycache__'));
    writeFileSync(join(path, '__pycache__/x.pyc'), '');
    const { commitHash, filesTracked } = await setupGitRepo(path);
    expect(commitHash).toBe(git(path, 'rev-parse', 'HEAD'));
    const tracked = git(path, 'ls-files').split('\n');
    expect(tracked).toHaveLength(filesTracked);
    expect(tracked).toEqual(expect.arrayContaining(['README.md', 'calculator/operations.py']));
    expect(tracked).not.toContain('__pycache__/x.pyc');
    expect(git(path, 'log', '--format=%s|%an')).toBe('Initial commit|ralph-e2e');
    expect(git(path, 'status', '--porcelain')).toBe('');
  });

  test('refuses a git repo and a path that is not a folder', async () => {
    const path = await makeProject();
    const { commitHash } = await setupGitRepo(path);
    await expect(setupGitRepo(path)).rejects.toThrow('is already a git repo');
    expect(git(path, 'rev-parse', 'HEAD')).toBe(commitHash);
    await expect(setupGitRepo(join(path, 'nowhere'))).rejects.toThrow('found none');
    await expect(setupGitRepo(join(path, 'README.md'))).rejects.toThrow('found none');
  });
});

describe('createSampleFiles', () => {
  test('writes with parent folders, and continues after a file that cannot be written', async () => {
    covers('H24');
    const path = await makeProject();
    const { created, errors } = await createSampleFiles(path, [
      { path: 'src/deep/calculator.py', content: 'def add(a, b):\n    return a - b\n' },
      { path: 'README.md/child.txt', content: 'x' },
      { path: 'last.txt', content: 'x' },
    ]);
    expect(created).toEqual(['src/deep/calculator.py', 'last.txt']);
    expect(errors).toEqual([{ path: 'README.md/child.txt', message: expect.stringMatching(/README\.md/) }]);
    expect(readFileSync(join(path, 'src/deep/calculator.py'), 'utf8')).toContain('return a - b');
  });

  test('writes nothing outside the project: by dots, from the root, or over a link', async () => {
    const path = await makeProject();
    const outside = tempFolder();
    symlinkSync(outside, join(path, 'link'));
    symlinkSync(join(outside, 'new.txt'), join(path, 'dangling.txt'));
    symlinkSync('calculator', join(path, 'inner'));
    const paths = ['../out.txt', `${outside}/out.txt`, 'link/out.txt', 'dangling.txt', '', '.', 'a/../..'];
    const files = [...paths, 'inner/in.txt', '..two-dots.txt'].map((name) => ({ path: name, content: 'x' }));
    const { created, errors } = await createSampleFiles(path, files);
    expect(created).toEqual(['inner/in.txt', '..two-dots.txt']);
    expect(errors.map((error) => error.path)).toEqual(paths);
    for (const file of [join(outside, 'out.txt'), join(outside, 'new.txt'), join(path, '../out.txt')]) {
      expect(existsSync(file), file).toBe(false);
    }
  });

  test('refuses a project that does not exist', async () => {
    await expect(createSampleFiles('/nowhere/at/all', [])).rejects.toThrow('found none');
  });
});
