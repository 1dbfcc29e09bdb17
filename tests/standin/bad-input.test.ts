import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { agentWorkspace, RALPH, Workspace } from './support.js';

const NOT_UTF8 = Buffer.from([0x61, 0xff, 0x0a]);
const UTF8_CAUSE = '\n\nCaused by:\n    stream did not contain valid UTF-8\n';

/** Writes bytes that are no text, or makes a folder where a file should be. */
function spoil(workspace: Workspace, name: string, how: 'bytes' | 'folder' | 'file'): Workspace {
  const path = join(workspace.path, name);
  mkdirSync(join(path, '..'), { recursive: true });
  if (how === 'folder') mkdirSync(path);
  else writeFileSync(path, how === 'bytes' ? NOT_UTF8 : 'in the way');
  return workspace;
}

test.each([
  ['bytes', `Error: Failed to load config from ralph.yml${UTF8_CAUSE}`],
  ['folder', 'Error: Failed to load config from ralph.yml\n\nCaused by:\n    Is a directory (os error 21)\n'],
] as const)('a configuration that is %s', async (how, stderr) => {
  expect(await spoil(new Workspace(), 'ralph.yml', how).run()).toMatchObject({ code: 1, stderr });
});

test.each(['', '# nothing\n', '- a list\n', 'words'])('the configuration %j is no mapping', async (yaml) => {
  expect(await new Workspace({ 'ralph.yml': yaml }).run()).toMatchObject({
    code: 1,
    stderr: "Error: Core config 'ralph.yml' must be a YAML mapping\n",
  });
});

test.each(['a: [1\n', 'a: b: c\n', 'cli:\n\tbackend: x\n', 'a: 1\na: 2\n'])(
  'the configuration %j is broken YAML',
  async (yaml) => {
    const run = await new Workspace({ 'ralph.yml': yaml }).run();
    expect(run).toMatchObject({ code: 1, hats: [] });
    expect(run.stderr).toMatch(/^Error: Failed to parse YAML from ralph\.yml\n\nCaused by:\n {4}\S/);
  },
);

test.each([
  ['bytes', `Error: Failed to read prompt file: PROMPT.md${UTF8_CAUSE}`],
  [
    'folder',
    'Error: Failed to read prompt file: PROMPT.md\n\nCaused by:\n    Is a directory (os error 21)\n',
  ],
] as const)('a prompt file that is %s', async (how, stderr) => {
  const workspace = spoil(agentWorkspace('echo LOOP_COMPLETE'), 'PROMPT.md', how);
  expect(await workspace.run({ argv: ['run', '--no-tui'] })).toMatchObject({ code: 1, stderr });
});

test.each([
  ['.ralph', 'Error: Not a directory (os error 20)\n'],
  ['.ralph/agent', 'Error: Failed to create loop directories\n\nCaused by:\n    File exists (os error 17)\n'],
])('a file in the place of %s', async (name, stderr) => {
  const workspace = spoil(agentWorkspace('echo LOOP_COMPLETE'), name, 'file');
  expect(await workspace.run({ env: { RALPH_DIAGNOSTICS: '0' } })).toMatchObject({ code: 1, stderr });
});

test('stores that are no text are errors of the tools, and empty for the loop', async () => {
  const workspace = agentWorkspace('echo LOOP_COMPLETE');
  spoil(workspace, '.ralph/agent/memories.md', 'bytes');
  spoil(workspace, '.ralph/agent/tasks.jsonl', 'bytes');
  const run = await workspace.run();
  expect(run.code).toBe(0);
  expect(run.prompts[0]).not.toContain('# Memories\n');
  const fails = async (argv: readonly string[], what: string) =>
    expect(await workspace.run({ argv: ['tools', ...argv] })).toMatchObject({
      code: 1,
      stderr: `Error: ${what}${UTF8_CAUSE}`,
    });
  await fails(['memory', 'list'], 'Failed to load memories');
  await fails(['memory', 'add', 'x'], 'Failed to store memory');
  await fails(['task', 'add', 'x'], 'Failed to load tasks');
});

test('bytes that are no text in the events file hide everything after them', async () => {
  const workspace = agentWorkspace(
    'printf "\\377\\n" >> "$RALPH_EVENTS_FILE"; ralph emit LOOP_COMPLETE; [ $n = 2 ] && echo LOOP_COMPLETE',
  );
  const run = await workspace.run();
  expect(run).toMatchObject({ code: 0, hats: ['ralph', 'ralph'] });
  expect(run.stdout).toContain('Failed to read events from JSONL error=stream did not contain valid UTF-8');
  expect(run.prompts[1]).toContain('Event: task.resume - ');
});

// Nothing can be written into /dev/full, by nobody: a full disk that needs no disk.
test('a loop outlives a full disk, and says what it could not write', async () => {
  const workspace = agentWorkspace(
    'ln -sf /dev/full .ralph/agent/summary.md; mkdir -p .ralph/api; ln -sf /dev/full .ralph/api/loop-state.json; echo LOOP_COMPLETE',
  );
  const run = await workspace.run();
  expect(run).toMatchObject({ code: 0, label: 'Completion promise detected', stderr: '' });
  expect(run.stdout).toContain('Failed to persist loop state: No space left on device (os error 28)');
  expect(run.stdout).toContain('Failed to write summary file: No space left on device (os error 28)');
});

test('a loop that cannot take its lock does not start', async () => {
  const workspace = agentWorkspace('echo LOOP_COMPLETE');
  spoil(workspace, '.ralph/loop.lock', 'folder');
  expect(await workspace.run()).toMatchObject({
    code: 1,
    stderr:
      'Error: Failed to acquire loop lock\n\nCaused by:\n    0: IO error: Is a directory (os error 21)\n    1: Is a directory (os error 21)\n',
  });
});

test.each([
  ['{', /restore persisted loop state: .*JSON/],
  ['{"iteration":2}', /restore persisted loop state: .*`total_cost_usd`/],
  ['{"iteration":-1,"total_cost_usd":0}', /restore persisted loop state: .*`iteration`/],
])('a loop that continues from the state %s starts from zero', async (state, warning) => {
  const workspace = agentWorkspace('echo LOOP_COMPLETE');
  workspace.write('.ralph/agent/scratchpad.md', 'x\n');
  workspace.write('.ralph/api/loop-state.json', state);
  const run = await workspace.run({ argv: ['run', '--no-tui', '-p', 'x', '--continue'] });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(warning);
  expect(run.stdout).toContain(' ITERATION 1 ');
});

test('a folder in the place of the events file costs the events, not the loop', async () => {
  const workspace = agentWorkspace(
    '[ $n = 2 ] && echo LOOP_COMPLETE; [ $n = 1 ] && rm "$RALPH_EVENTS_FILE" && mkdir "$RALPH_EVENTS_FILE"',
  );
  // The records of such a run cannot be read: only its exit and screen are looked at.
  const child = await execute(workspace, 'ralph run --no-tui -p x');
  expect(child).toMatchObject({ code: 0 });
  expect(child.stdout.match(/WARN ralph::loop_runner: .*error=Is a directory/g)).toHaveLength(4 + 3);
});

test('lines that are no tasks are warned of by everybody who reads them', async () => {
  const good = '"title":"t","status":"open","priority":3,"created":"2024-01-01T00:00:00Z"';
  const workspace = agentWorkspace('echo LOOP_COMPLETE');
  workspace.write(
    '.ralph/agent/tasks.jsonl',
    `{bad\n{"id":"no-title"}\n\n{"id":"odd","blocked_by":[1],${good}}\n{"id":"task-1-aaaa",${good}}\n`,
  );
  const count = (text: string) => text.match(/WARN ralph_core::task_store: Skipping malformed/g)?.length;
  const list = await workspace.run({ argv: ['tools', 'task', 'list', '--format', 'quiet'] });
  expect(count(list.stdout)).toBe(3);
  expect(list.stdout.trim().split('\n').at(-1)).toBe('task-1-aaaa');
  // The prompt, the check of the completion, the landing, and three times the handoff.
  expect(count((await workspace.run()).stdout)).toBe(3 * 6);
});

test('a screen that takes nothing is a panic before the backend is called', async () => {
  const workspace = agentWorkspace('echo LOOP_COMPLETE');
  const run = await execute(workspace, 'ralph run --no-tui -p x > /dev/full');
  expect(run).toMatchObject({ code: 101 });
  expect(run.stderr).toContain('failed printing to stdout: No space left on device (os error 28)');
  expect(workspace.has('.calls')).toBe(false);
  expect(workspace.has('.ralph/history.jsonl')).toBe(true);
});

// A link to itself cannot be entered by anybody, root included.
test('a folder on PATH that cannot be entered has no programs', async () => {
  const env = `{PATH: "./loop:${process.env.PATH ?? ''}"}`;
  const workspace = agentWorkspace('echo LOOP_COMPLETE', {
    yaml: `hooks: {enabled: true, events: {pre.loop.start: [{name: h, command: [touch, hooked], on_error: block, env: ${env}}]}}`,
  });
  symlinkSync('loop', join(workspace.path, 'loop'));
  expect(await workspace.run({ argv: ['preflight', '--check', 'hooks'] })).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(await workspace.run()).toMatchObject({ code: 0 });
  expect(workspace.has('hooked')).toBe(true);
});

function execute(
  workspace: Workspace,
  line: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = workspace.env();
  const PATH = `${dirname(RALPH)}:${env.PATH ?? ''}`;
  return new Promise((resolve) => {
    execFile('sh', ['-c', line], { cwd: workspace.path, env: { ...env, PATH } }, (error, stdout, stderr) =>
      resolve({
        code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
        stdout,
        stderr,
      }),
    );
  });
}
