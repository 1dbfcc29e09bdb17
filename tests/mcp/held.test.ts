import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../support/cli.js';
import { connect } from './support/harness-client.js';

const SIM = {
  args: ['--lane', 'sim', '--script', 'agent.yaml'],
  files: { 'agent.yaml': 'format: 1\nrules: [{ on: any, say: ok }]\n' },
};
const COMMAND = '---\ndescription: Says\n---\nThe secret of the outside.\n';

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const market = (more: object, source: unknown) =>
  JSON.stringify({ name: 'm', owner: { name: 'me' }, plugins: [{ name: 'p', source }], ...more });

describe('install_plugin stays in the root', () => {
  const outside = () => {
    const folder = tempFolder();
    write(folder, { 'p/commands/say.md': COMMAND, '.claude-plugin/plugin.json': '{"name":"p"}' });
    return folder;
  };

  test.each([
    [
      'a marketplace with an absolute source',
      (root: string, out: string) =>
        write(root, { '.claude-plugin/marketplace.json': market({}, join(out, 'p')) }),
    ],
    [
      'a marketplace with a source of dots',
      (root: string, out: string) =>
        write(root, {
          '.claude-plugin/marketplace.json': market({}, `${'../'.repeat(12)}${out.slice(1)}/p`),
        }),
    ],
    [
      'a marketplace with a root elsewhere',
      (root: string, out: string) =>
        write(root, { '.claude-plugin/marketplace.json': market({ metadata: { pluginRoot: out } }, 'p') }),
    ],
    [
      'a marketplace file that is a link',
      (root: string, out: string) => {
        write(root, { 'p/commands/say.md': COMMAND });
        write(out, { 'marketplace.json': market({}, './p') });
        mkdirSync(join(root, '.claude-plugin'));
        symlinkSync(join(out, 'marketplace.json'), join(root, '.claude-plugin/marketplace.json'));
      },
    ],
    ['a folder that is a link', (root: string, out: string) => symlinkSync(join(out, 'p'), join(root, 'p'))],
    [
      'a folder of links',
      (root: string, out: string) => {
        mkdirSync(join(root, 'p'));
        symlinkSync(join(out, 'p/commands'), join(root, 'p/commands'));
      },
    ],
    [
      'a command that is a link',
      (root: string, out: string) => {
        mkdirSync(join(root, 'p/commands'), { recursive: true });
        symlinkSync(join(out, 'p/commands/say.md'), join(root, 'p/commands/say.md'));
      },
    ],
  ])('%s is refused', async (_, arrange) => {
    const { call, root } = await connect(SIM);
    arrange(root, outside());
    const { failed, data } = await call('install_plugin', { plugin_name: 'p' });
    expect([failed, data.error_name]).toEqual([true, 'PathOutsideRootError']);
    expect((await call('list_plugins')).data.total).toBe(0);
  });

  test('a manifest that names a file outside is not loaded, and nothing is read', async () => {
    const { ok, root } = await connect(SIM);
    const commands = [join(outside(), 'p/commands/say.md')];
    write(root, {
      'p/.claude-plugin/plugin.json': JSON.stringify({ name: 'p', version: '1.0.0', commands }),
    });
    const installed = await ok('install_plugin', { plugin_name: 'p' });
    expect(installed).toMatchObject({ success: false, status: 'error', commands_registered: [] });
    expect(installed.error).toContain(
      'commands: expected a path that begins with "./" and stays in the plugin',
    );
  });

  test('a name of dots is refused, and links inside the root are not', async () => {
    const { call, ok, root } = await connect(SIM);
    expect((await call('install_plugin', { plugin_name: '..' })).data.error_name).toBe('InvalidInputError');
    write(root, {
      'common/say/SKILL.md': COMMAND,
      'p/.claude-plugin/plugin.json': '{"name":"p","version":"1.0.0"}',
    });
    mkdirSync(join(root, 'p/skills'));
    symlinkSync(join(root, 'common/say'), join(root, 'p/skills/say'));
    expect(await ok('install_plugin', { plugin_name: 'p' })).toMatchObject({
      commands_registered: ['/p:say'],
    });
  });
});

describe('reset_test_environment deletes only what it made', () => {
  test('not what has taken the place of a project', async () => {
    const { ok, root } = await connect(SIM);
    write(root, { 'precious/kept.txt': 'kept', 'other/kept.txt': 'kept' });
    mkdirSync(join(root, 'empty'));
    for (const output_path of ['linked', 'swapped', 'plain', 'empty'])
      await ok('create_test_project', { project_type: 'library', language: 'python', output_path });
    for (const name of ['linked', 'swapped']) renameSync(join(root, name), join(root, `${name}.moved`));
    symlinkSync(join(root, 'precious'), join(root, 'linked'));
    renameSync(join(root, 'other'), join(root, 'swapped'));
    const reset = await ok('reset_test_environment');
    expect(reset).toMatchObject({ status: false, projects_cleaned: false, volumes_cleaned: true });
    expect(reset.left.map((path: string) => path.slice(root.length + 1)).sort()).toEqual([
      'linked',
      'swapped',
    ]);
    expect(readFileSync(join(root, 'precious/kept.txt'), 'utf8')).toBe('kept');
    expect(readFileSync(join(root, 'swapped/kept.txt'), 'utf8')).toBe('kept');
    expect(readdirSync(root)).not.toContain('plain');
    expect(readdirSync(join(root, 'empty'))).toEqual([]);
    // The next one is not held up by it.
    expect(await ok('reset_test_environment')).toMatchObject({ status: true, left: [] });
  });
});

describe('the files of the server itself', () => {
  test('no tool writes among them, and the next conversation starts', async () => {
    const { call, ok, root } = await connect(SIM);
    const project = { project_type: 'library', language: 'python' };
    for (const output_path of ['', '.', '.e2e-tests', '.e2e-tests/x', '.e2e-tests/mcp/workspaces']) {
      const { data } = await call('create_test_project', { ...project, output_path });
      expect([output_path, data.error_name]).toEqual([output_path, 'InvalidInputError']);
    }
    const file_specs = [
      { path: '.e2e-tests/x', content: '' },
      { path: 'a.txt', content: 'a' },
    ];
    expect(await ok('create_sample_files', { project_path: root, file_specs })).toMatchObject({
      files_created: 1,
      errors: [expect.stringContaining('its own files')],
    });
    const { working_directory } = await ok('start_conversation');
    // A conversation's own folder is for everybody.
    await ok('create_sample_files', {
      project_path: working_directory,
      file_specs: [{ path: 'b.txt', content: 'b' }],
    });
    expect(readdirSync(working_directory)).toEqual(['b.txt']);
  });
});
