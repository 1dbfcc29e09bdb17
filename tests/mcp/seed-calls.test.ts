import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../coverage/covers.js';
import { connect } from './support/harness-client.js';

const plugin = (name: string, commands: readonly string[]) => ({
  [`${name}/.claude-plugin/plugin.json`]: JSON.stringify({ name, version: '1.0.0' }),
  ...Object.fromEntries(
    commands.map((command) => [`${name}/commands/${command}.md`, `Please ${command} $ARGUMENTS\n`]),
  ),
});
const SCRIPT = `rules:
  - on: /Please commit/
    steps:
      - { write: done.txt, text: done }
      - { run: 'git add -A && git -c user.name=a -c user.email=a@b.c commit -qm "fix: it"' }
      - say: Committed.
  - { on: /Please write-tests (.*)/, say: 'Tests {{1}}.' }
  - { on: any, say: fine }
`;
const SIM = { args: ['--lane', 'sim', '--script', 'agent.yaml'], files: { 'agent.yaml': SCRIPT } };

describe('calls as people write them', () => {
  test('make a project with a bug and its failing test', async () => {
    covers('H84');
    const { ok } = await connect(SIM);
    const project = await ok('create_test_project', {
      ...{ project_type: 'web-app', language: 'python', output_path: 'projects/one' },
      project_name: 'Task Manager API',
    });
    await ok('setup_git_repo', { project_path: project.project_path });
    const made = await ok('create_sample_files', {
      project_path: project.project_path,
      file_specs: [
        { path: 'src/calculator.py', content: 'def add(a, b):\n    return a - b  # Bug!' },
        {
          path: 'tests/test_calculator.py',
          content: 'from src.calculator import add\n\nassert add(2, 3) == 5\n',
        },
      ],
    });
    expect(made).toMatchObject({ status: 'success', files_created: 2 });
    const run = spawnSync('python3', ['tests/test_calculator.py'], {
      cwd: project.project_path,
      env: { ...process.env, PYTHONPATH: '.' },
      encoding: 'utf8',
    });
    expect([run.status, run.stderr]).toEqual([1, expect.stringContaining('AssertionError')]);
  });

  test('have the limits that people expect', async () => {
    covers('A4');
    const { client } = await connect(SIM);
    const { tools } = await client.listTools();
    const limits = tools.flatMap(({ name, inputSchema }) => {
      const limit = inputSchema.properties?.timeout_ms;
      return limit === undefined ? [] : [[name, Object(limit).default]];
    });
    expect(limits).toEqual([
      ['execute_command', 30_000],
      ['send_prompt', 60_000],
    ]);
  });

  test('a commit takes the workflow from coding to complete', async () => {
    const files = { ...SIM.files, ...plugin('agent-loop', ['explore', 'plan', 'code', 'commit']) };
    const { ok } = await connect({ ...SIM, files });
    await ok('install_plugin', { plugin_name: 'agent-loop', marketplace_path: null });
    const project = await ok('create_test_project', {
      ...{ project_type: 'cli', language: 'python', output_path: 'calc', project_name: null },
    });
    await ok('setup_git_repo', { project_path: project.project_path });
    const { session_id } = await ok('start_conversation', {
      config: { working_directory: project.project_path, agent_mode: null, plugins: null },
    });
    let from_stage = 'idle';
    for (const [command, to_stage] of [
      ['/explore', 'exploring'],
      ['/plan', 'planning'],
      ['/code', 'coding'],
      ['/commit', 'complete'],
    ]) {
      const { workflow_stage } = await ok('execute_command', { command, session_id, args: null });
      const step = { from_stage, to_stage, actual_stage: workflow_stage };
      expect(await ok('assert_workflow_transition', step)).toMatchObject({ passed: true, valid: true });
      const expected = { session_id, expected_stage: to_stage, from_stage };
      expect(await ok('verify_agent_transition', expected)).toMatchObject({ valid: true });
      from_stage = to_stage ?? '';
    }
  });

  test('a step is allowed if one command can take it', async () => {
    const { ok } = await connect(SIM);
    for (const [from_stage, to_stage, passed] of [
      ['verifying-failure', 'committed-tests', true],
      ['iterating', 'complete', true],
      ['polished', 'complete', true],
      ['writing-tests', 'committed-tests', false],
      ['exploring', 'complete', false],
    ]) {
      const step = { from_stage, to_stage, actual_stage: to_stage };
      expect(await ok('assert_workflow_transition', step)).toMatchObject({ passed });
    }
  });

  test('a command may be followed by its arguments', async () => {
    const { ok, call } = await connect({
      ...SIM,
      files: { ...SIM.files, ...plugin('epti', ['write-tests']) },
    });
    await ok('install_plugin', { plugin_name: 'epti' });
    const { session_id } = await ok('start_conversation', { config: null });
    const command = '/write-tests for calculator module';
    expect(await ok('execute_command', { command, session_id })).toMatchObject({
      command: '/epti:write-tests',
      status: 'completed',
      response: 'Tests for calculator module.',
      workflow_stage: 'writing-tests',
    });
    expect(await ok('verify_command_expansion', { command, session_id: null })).toMatchObject({
      valid: true,
      expanded: 'Please write-tests for calculator module\n',
    });
    const { data } = await call('execute_command', { command: '/rm -rf', session_id });
    expect(data.error_name).toBe('CommandNotFoundError');
  });

  test('a test may have any name, and its folder is where the others are', async () => {
    const { ok, root } = await connect(SIM);
    for (const test_name of ['t[agent-loop]', 'tests/e2e/test_x.py::test_y[a/b]', '../../etc', '.hidden']) {
      const { artifacts_dir } = await ok('capture_test_artifacts', { test_name, artifact_types: null });
      expect(dirname(artifacts_dir)).toBe(join(root, '.e2e-tests/mcp/artifacts'));
      expect(readdirSync(dirname(artifacts_dir))).toContain(basename(artifacts_dir));
    }
  });

  test('a plugin is not there unless the root has it', async () => {
    const { call, ok } = await connect(SIM);
    for (const plugin_name of ['epti', 'agent-loop', 'visual-iteration']) {
      const { failed, data } = await call('install_plugin', { plugin_name });
      expect([failed, data.error_name]).toEqual([true, 'PluginNotFoundError']);
      expect(data.hint).toContain('marketplace_path');
    }
    expect(await ok('list_plugins')).toEqual({ plugins: [], total: 0 });
  });

  test('every optional parameter takes null', async () => {
    const { client, call } = await connect(SIM);
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      const { properties = {}, required = [] } = inputSchema;
      const optional = Object.keys(properties).filter((key) => !required.includes(key));
      // What must be there is not, so nothing runs, and the error names what is wrong.
      if (required.length === 0) continue;
      const { data } = await call(name, Object.fromEntries(optional.map((key) => [key, null])));
      expect([name, data.error_name]).toEqual([name, 'InvalidInputError']);
      const blamed = [...data.error.matchAll(/→ at (\w+)/g)].map(([, key]) => key);
      expect([name, blamed.sort()]).toEqual([name, [...required].sort()]);
    }
  });

  test('the schema of a tool covers its results and its failures', async () => {
    const { client } = await connect(SIM);
    const { tools } = await client.listTools();
    // The client itself holds results to the schema, and throws.
    for (const name of ['list_plugins', 'list_active_hooks'])
      expect((await client.callTool({ name, arguments: {} })).structuredContent).toBeDefined();
    const failure = JSON.stringify(['success', 'status', 'error_name', 'error', 'hint']);
    expect(tools.filter(({ outputSchema }) => !JSON.stringify(outputSchema).includes(failure))).toEqual([]);
  });
});
