// Starts programs, or takes seconds: in the project `whole`.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { createWorkspace, removeWorkspace } from '../../src/workspace/create-workspace.js';
import { openWorkspaceRoot, type WorkspaceRoot } from '../../src/workspace/workspace-root.js';
import { makeTempDir } from '../exec/support.js';

const openTempRoot = () => openWorkspaceRoot(join(makeTempDir(), '.e2e-tests'));

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
}

describe('createWorkspace', () => {
  test('makes a git repo of its own with one commit that holds everything', async () => {
    const root = await openTempRoot();
    const files = {
      'ralph.yml': 'cli: {}\n',
      'deep/er/data.bin': new Uint8Array([0, 255]),
      'bin/tool': { content: '#!/bin/sh\n', mode: 0o755 },
      '.gitignore': '*.log\n',
      'ignored.log': 'in the commit all the same',
    };
    const { path } = await createWorkspace(root, 'hat-instructions', { files });
    expect(path).toBe(join(root.path, 'hat-instructions'));
    expect(readFileSync(join(path, 'ralph.yml'), 'utf8')).toBe('cli: {}\n');
    expect([...readFileSync(join(path, 'deep/er/data.bin'))]).toEqual([0, 255]);
    expect(statSync(join(path, 'bin/tool')).mode & 0o777).toBe(0o755);
    expect(git(path, 'rev-parse', '--show-toplevel')).toBe(path);
    expect(git(path, 'rev-list', '--count', 'HEAD')).toBe('1');
    expect(git(path, 'status', '--porcelain', '--ignored')).toBe('');
    expect(git(path, 'ls-files').split('\n')).toEqual(expect.arrayContaining(Object.keys(files)));
    expect(git(path, 'config', '--local', 'user.name')).toBe('ralph-e2e');
    expect(git(path, 'log', '-1', '--format=%an <%ae>')).toBe('ralph-e2e <ralph-e2e@example.invalid>');
  });

  test('copies what an earlier run left, but not its repository and not its diagnostics', async () => {
    const earlier = makeTempDir();
    for (const file of [
      '.git/HEAD',
      '.ralph/diagnostics/2026-01-01T00-00-00/errors.jsonl',
      '.ralph/agent/memories.md',
    ]) {
      mkdirSync(dirname(join(earlier, file)), { recursive: true });
      writeFileSync(join(earlier, file), 'left\n');
    }
    const { path } = await createWorkspace(await openTempRoot(), 'again', { plant: earlier });
    expect(readFileSync(join(path, '.ralph/agent/memories.md'), 'utf8')).toBe('left\n');
    expect(git(path, 'rev-list', '--count', 'HEAD')).toBe('1');
    expect(existsSync(join(path, '.ralph/diagnostics'))).toBe(false);
  });

  test('takes nothing from the git environment and configuration of the user', async () => {
    const folder = makeTempDir();
    const templates = join(folder, 'templates', 'hooks');
    mkdirSync(templates, { recursive: true });
    writeFileSync(join(templates, 'pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const config = `[init]\n\ttemplateDir = ${join(folder, 'templates')}\n[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = false\n[core]\n\thooksPath = ${templates}\n`;
    writeFileSync(join(folder, '.gitconfig'), config);
    const before = { HOME: process.env.HOME, GIT_DIR: process.env.GIT_DIR };
    Object.assign(process.env, { HOME: folder, GIT_DIR: join(folder, 'elsewhere') });
    try {
      const root = await openWorkspaceRoot(join(folder, '.e2e-tests'));
      const { path } = await createWorkspace(root, 'plain', { files: { a: '1' } });
      expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
      expect(existsSync(join(path, '.git', 'hooks'))).toBe(false);
      // What the target commits later, with the user's configuration in force, works too.
      delete process.env.GIT_DIR;
      writeFileSync(join(path, 'b'), '2');
      git(path, 'add', '--all');
      git(path, 'commit', '--quiet', '--message', 'by the target');
      expect(git(path, 'rev-list', '--count', 'HEAD')).toBe('2');
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  test('empties a workspace of an earlier run, write-protected folders included', async () => {
    const root = await openTempRoot();
    const { path } = await createWorkspace(root, 'again', { files: { 'old.txt': 'old' } });
    mkdirSync(join(path, 'protected'));
    writeFileSync(join(path, 'protected', 'file'), '');
    chmodSync(join(path, 'protected'), 0o500);
    await createWorkspace(root, 'again', { files: { 'new.txt': 'new' } });
    expect(readdirSync(path).sort()).toEqual(['.claude', '.git', 'new.txt']);
    expect(git(path, 'rev-list', '--count', 'HEAD')).toBe('1');
  });

  test('closes all MCP servers, or for plugins those that the folders above bring', async () => {
    const above = makeTempDir();
    writeFileSync(join(above, '.mcp.json'), JSON.stringify({ mcpServers: { leaky: { command: 'node' } } }));
    mkdirSync(join(above, 'project'));
    writeFileSync(join(above, 'project', '.mcp.json'), 'no JSON');
    const root = await openWorkspaceRoot(join(above, 'project', '.e2e-tests'));
    const own = JSON.stringify({ mcpServers: { own: { command: 'node' } } });
    const settingsOf = async (name: string, servers?: 'of-plugins') => {
      const files = { '.mcp.json': own };
      const { path } = await createWorkspace(
        root,
        name,
        servers === undefined ? { files } : { files, mcpServers: servers },
      );
      return JSON.parse(readFileSync(join(path, '.claude/settings.json'), 'utf8'));
    };
    const closed = await settingsOf('closed');
    expect(closed).toMatchObject({ allowedMcpServers: [] });
    expect(closed).not.toHaveProperty('deniedMcpServers');
    const open = await settingsOf('open', 'of-plugins');
    expect(open.deniedMcpServers).toContainEqual({ serverName: 'leaky' });
    expect(open.deniedMcpServers).not.toContainEqual({ serverName: 'own' });
    expect(open).not.toHaveProperty('allowedMcpServers');
  });

  test('keeps instructions of the folders above from Claude Code, and lets those of the workspace through', async () => {
    const above = join(makeTempDir(), 'odd [name] (1)', 'project');
    const root = await openWorkspaceRoot(join(above, '.e2e-tests'));
    const own = JSON.stringify({ model: 'haiku', claudeMdExcludes: ['**/mine.md'] });
    const { path } = await createWorkspace(root, 'isolated', { files: { '.claude/settings.json': own } });
    const settings: { model: string; claudeMdExcludes: string[] } = JSON.parse(
      readFileSync(join(path, '.claude/settings.json'), 'utf8'),
    );
    expect(settings.model).toBe('haiku');
    const isExcluded = picomatch(settings.claudeMdExcludes, { dot: true });
    for (const folder of ['/', join(above, '..'), above, root.path]) {
      for (const file of ['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', '.claude/rules/style.md']) {
        expect(isExcluded(join(folder, file)), join(folder, file)).toBe(true);
      }
    }
    for (const file of [
      'CLAUDE.md',
      'CLAUDE.local.md',
      '.claude/CLAUDE.md',
      '.claude/rules/a.md',
      'sub/CLAUDE.md',
    ]) {
      expect(isExcluded(join(path, file)), file).toBe(false);
    }
    expect(isExcluded('/a/mine.md')).toBe(true);
  });
});

describe('what is refused', () => {
  test.each(['', '.', '..', '.hidden', 'a/b', '/abs', 'a..b', 'a b', 'ümlaut', '-x', 'a\n', 'x'.repeat(200)])(
    'the name %j, which is not plain',
    async (name) => {
      await expect(createWorkspace(await openTempRoot(), name)).rejects.toThrow(
        'Expected a plain workspace name',
      );
    },
  );

  test.each(['runs', 'Runs', 'report.md', 'report.json', 'journal.jsonl'])(
    'the name %j, which is ours',
    async (name) => {
      await expect(createWorkspace(await openTempRoot(), name)).rejects.toThrow(
        'is reserved for a file or folder',
      );
    },
  );

  test.each([
    '../out',
    'a/../../out',
    '/abs',
    '',
    '.',
    'folder/',
    '.git/hooks/pre-commit',
    '.GIT/config',
    'a\0b',
  ])('the file path %j, and nothing is made', async (file) => {
    const root = await openTempRoot();
    await expect(createWorkspace(root, 'w', { files: { [file]: '' } })).rejects.toThrow(
      'inside the workspace',
    );
    expect(existsSync(join(root.path, 'w'))).toBe(false);
  });

  async function expectRefusal(root: WorkspaceRoot, name: string, found: string): Promise<void> {
    const message = `Expected a workspace made by ralph-e2e at ${join(root.path, name)}, found ${found}`;
    await expect(createWorkspace(root, name)).rejects.toThrow(message);
    await expect(removeWorkspace(root, name)).rejects.toThrow(message);
  }

  test('a link in the place of a workspace: neither it nor what it points to is touched', async () => {
    const root = await openTempRoot();
    const outside = makeTempDir();
    writeFileSync(join(outside, 'precious'), 'x');
    symlinkSync(outside, join(root.path, 'link'));
    await expectRefusal(root, 'link', 'a symbolic link');
    expect(readdirSync(outside)).toEqual(['precious']);
  });

  test('a folder that somebody else made, even under the name of a workspace that we made before', async () => {
    const root = await openTempRoot();
    mkdirSync(join(root.path, 'theirs'));
    await expectRefusal(root, 'theirs', 'a folder');

    const { path } = await createWorkspace(root, 'ours');
    execFileSync('mv', [path, join(root.path, 'moved')]);
    mkdirSync(path);
    writeFileSync(join(path, 'precious'), 'x');
    await expectRefusal(root, 'ours', 'a folder');
    expect(readdirSync(path)).toEqual(['precious']);
    writeFileSync(join(root.path, 'file'), 'x');
    await expectRefusal(root, 'file', 'a file');
  });
});

test('removing a workspace removes links in it, not what they point to', async () => {
  const root = await openTempRoot();
  const outside = makeTempDir();
  writeFileSync(join(outside, 'precious'), 'x');
  const { path } = await createWorkspace(root, 'w');
  symlinkSync(outside, join(path, 'to-folder'));
  symlinkSync(join(outside, 'precious'), join(path, 'to-file'));
  await removeWorkspace(root, 'w');
  expect(existsSync(path)).toBe(false);
  expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('x');
  await removeWorkspace(root, 'w');
});
