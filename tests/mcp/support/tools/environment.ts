import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../../../coverage/covers.js';
import { open } from './opened.js';

/** The test environment, in every offline lane. */
export function testEnvironment(args: readonly string[]): void {
  describe('the environment', () => {
    test('is made, captured and reset', async () => {
      covers('H22', 'H23', 'H24', 'H25', 'H26', 'H51', 'H53', 'H81', 'H83', 'H87');
      const { ok, call, root } = await open(args);
      const project = await ok('create_test_project', {
        project_type: 'cli',
        language: 'python',
        output_path: join(root, 'calc'),
        project_name: 'Calculator App',
      });
      expect(project).toMatchObject({ status: 'success', project_path: join(root, 'calc') });
      expect(project.files_created).toContain('README.md');
      const spec = { path: 'src/new/buggy.py', content: 'x = 1\n' };
      const outside = { path: '../evil.py', content: '' };
      expect(
        await ok('create_sample_files', { project_path: 'calc', file_specs: [spec, outside] }),
      ).toMatchObject({
        status: 'success',
        files_created: 1,
        errors: [expect.stringContaining('../evil.py')],
      });
      expect(existsSync(join(root, 'evil.py'))).toBe(false);
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
      const kept = (part: string) => captured.artifact_paths.find((path: string) => path.includes(part));
      expect(readFileSync(kept('stdout.txt'), 'utf8')).toContain('You said hello.');
      expect(readFileSync(kept('shot.png'), 'utf8')).toBe('a picture');
      expect(readFileSync(kept('git_diffs'), 'utf8')).toContain('?? shot.png');
      expect(JSON.parse(readFileSync(kept('session_state'), 'utf8')).turns).toHaveLength(2);

      expect(await ok('reset_test_environment')).toMatchObject({
        status: true,
        projects_cleaned: true,
        sessions_cleaned: true,
        volumes_cleaned: true,
        removed: { projects: 1, sessions: 1, plugins: 1 },
      });
      expect(existsSync(join(root, 'calc'))).toBe(false);
      expect(await ok('list_plugins')).toEqual({ plugins: [], total: 0 });
      const gone = await call('send_prompt', { prompt: 'hello', session_id });
      expect(gone.data.error_name).toBe('SessionNotFoundError');
      expect(existsSync(join(root, 'project'))).toBe(true);
    });
  });
}
