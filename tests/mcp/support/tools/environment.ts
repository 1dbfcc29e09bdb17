import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../../../coverage/covers.js';
import { folderOf, homesIn } from '../processes.js';
import { open } from './opened.js';

/** The test environment, in every offline lane. */
export function testEnvironment(args: readonly string[]): void {
  describe('the environment', () => {
    test('is made, captured and reset', async () => {
      covers('H22', 'H23', 'H24', 'H25', 'H26', 'H51', 'H81', 'H83', 'H87');
      const { ok, call, root, pid } = await open(args);
      const project = await ok('create_test_project', {
        project_type: 'cli',
        language: 'python',
        output_path: join(root, 'calc'),
        project_name: 'Calculator App',
      });
      expect(project).toMatchObject({
        ...{ status: 'success', project_path: join(root, 'calc'), project_type: 'cli', language: 'python' },
        test_command: 'python3 -m unittest discover -s tests',
      });
      expect(project.files_created).toContain('README.md');
      expect(readFileSync(join(root, 'calc/README.md'), 'utf8')).toContain('Calculator App');
      const other = { project_type: 'web-app', language: 'javascript', output_path: 'page' };
      expect(await ok('create_test_project', other)).toMatchObject({
        ...{ project_path: join(root, 'page'), project_type: 'web-app', language: 'javascript' },
        test_command: 'node --test',
      });
      expect(readFileSync(join(root, 'page/README.md'), 'utf8')).not.toContain('Calculator App');
      const spec = { path: 'src/new/buggy.py', content: 'x = 1\n' };
      const outside = { path: '../evil.py', content: '' };
      expect(
        await ok('create_sample_files', { project_path: 'calc', file_specs: [spec, outside] }),
      ).toMatchObject({
        status: 'success',
        files_created: 1,
        errors: [expect.stringContaining('../evil.py')],
      });
      expect(await ok('create_sample_files', { project_path: 'calc', file_specs: [outside] })).toMatchObject({
        status: 'error',
        files_created: 0,
        errors: [expect.stringContaining('../evil.py')],
      });
      expect(existsSync(join(root, 'evil.py'))).toBe(false);
      mkdirSync(join(root, 'calc/.git'));
      symlinkSync('.git', join(root, 'calc/linked'));
      const hooks = ['.git/hooks/pre-commit', 'src/.GIT/config', '.git', 'linked/config'];
      const file_specs = hooks.map((path) => ({ path, content: '#!/bin/sh\n' }));
      expect(await ok('create_sample_files', { project_path: 'calc', file_specs })).toMatchObject({
        files_created: 0,
        errors: hooks.map((path) => expect.stringMatching(`^${path}: path: .* belongs to git`)),
      });
      const inGit = { project_type: 'cli', language: 'go', output_path: 'calc/.git/hooks' };
      expect((await call('create_test_project', inGit)).data).toMatchObject({
        error_name: 'InvalidInputError',
      });
      expect(readdirSync(join(root, 'calc/.git'))).toEqual([]);
      rmSync(join(root, 'calc/linked'));
      rmSync(join(root, 'calc/.git'), { recursive: true });
      const repo = await ok('setup_git_repo', { project_path: 'calc' });
      expect(repo.commit_hash).toMatch(/^[0-9a-f]{8}$/);
      expect(repo.files_tracked).toBe(project.total_files + 1);

      writeFileSync(join(root, 'calc/shot.png'), 'a picture');
      await ok('install_plugin', { plugin_name: 'agent-loop' });
      const { session_id } = await ok('start_conversation', { config: { working_directory: 'calc' } });
      await ok('send_prompt', { prompt: 'hello', session_id });
      const captured = await ok('capture_test_artifacts', {
        test_name: 'first',
        artifact_types: ['logs', 'screenshots', 'session_state', 'git_diffs'],
      });
      expect(captured.artifacts_dir).toMatch(/first_\d{8}_\d{6}$/);
      // Most of these are in the same second.
      const folders = [captured.artifacts_dir];
      for (let count = 0; count < 3; count += 1)
        folders.push((await ok('capture_test_artifacts', { test_name: 'first' })).artifacts_dir);
      expect(new Set(folders).size).toBe(4);
      expect(folders.filter((folder) => !/first_\d{8}_\d{6}(?:_\d+)?$/.test(folder))).toEqual([]);
      expect(captured.files_captured).toBe(captured.artifact_paths.length);
      expect(captured.artifact_paths.filter((path: string) => !existsSync(path))).toEqual([]);
      const usual = await ok('capture_test_artifacts', { test_name: 'usual' });
      expect(usual.files_captured).toBe(usual.artifact_paths.length);
      const kinds = usual.artifact_paths.map((path: string) => basename(dirname(path)));
      expect([...new Set(kinds)].sort()).toEqual([session_id, 'screenshots'].sort());
      const kept = (part: string) => captured.artifact_paths.find((path: string) => path.includes(part));
      expect(readFileSync(kept('stdout.txt'), 'utf8')).toContain('You said hello.');
      expect(readFileSync(kept('shot.png'), 'utf8')).toBe('a picture');
      expect(readFileSync(kept('git_diffs'), 'utf8')).toContain('?? shot.png');
      expect(JSON.parse(readFileSync(kept('session_state'), 'utf8')).turns).toHaveLength(2);

      const folder = folderOf(pid);
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(['plugins', 'sessions']));
      expect(homesIn(folder)).toHaveLength(1);
      expect(await ok('reset_test_environment')).toMatchObject({
        status: true,
        projects_cleaned: true,
        sessions_cleaned: true,
        volumes_cleaned: true,
        artifacts_cleaned: false,
        removed: { projects: 2, workspaces: 0, sessions: 1, mcp_servers: 0, plugins: 1, artifacts: 0 },
        left: [],
      });
      // Homes, captured output and plugins are gone from the disk; what was saved on purpose is not.
      expect(readdirSync(folder)).toEqual(['holder.json']);
      expect(existsSync(kept('stdout.txt'))).toBe(true);
      expect(existsSync(join(root, 'calc'))).toBe(false);
      expect(await ok('list_plugins')).toEqual({ plugins: [], total: 0 });
      const gone = await call('send_prompt', { prompt: 'hello', session_id });
      expect(gone.data.error_name).toBe('SessionNotFoundError');
      expect(existsSync(join(root, 'project'))).toBe(true);
    });

    test('is reset with what was saved, if that is asked for', async () => {
      covers('H25', 'H51', 'H81');
      const { ok, root } = await open(args);
      const { session_id, working_directory } = await ok('start_conversation');
      await ok('send_prompt', { prompt: 'hello', session_id });
      const { artifacts_dir } = await ok('capture_test_artifacts', { test_name: 'first' });
      const { history_path } = await ok('end_conversation', { session_id });
      // Saved by somebody else.
      const foreign = join(dirname(artifacts_dir), 'foreign_20200101_000000');
      mkdirSync(foreign);
      const made = [working_directory, artifacts_dir, history_path];
      expect(made.map((path) => existsSync(path))).toEqual([true, true, true]);
      expect(await ok('reset_test_environment', { clear_artifacts: true })).toMatchObject({
        ...{ status: true, artifacts_cleaned: true, left: [] },
        removed: { workspaces: 1, artifacts: 2, projects: 0 },
      });
      expect(made.map((path) => existsSync(path))).toEqual([false, false, false]);
      expect([existsSync(foreign), existsSync(join(root, 'project'))]).toEqual([true, true]);
    });
  });
}
