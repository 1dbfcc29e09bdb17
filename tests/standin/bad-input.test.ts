import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentWorkspace, Workspace } from './support.js';

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
