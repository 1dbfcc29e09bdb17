import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentWorkspace, Workspace } from '../support.js';

async function call(workspace: Workspace, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await workspace.run({ argv });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout;
}

test('memories are kept in a file that people can read, the newest first in its section', async () => {
  const workspace = new Workspace();
  const stored = await call(workspace, 'tools', 'memory', 'add', 'first\nsecond line', '--tags', 'a, b');
  expect(stored).toMatch(/^Memory stored: mem-\d{10}-[0-9a-f]{4}\n$/);
  await call(workspace, 'tools', 'memory', 'add', 'newer');
  await call(workspace, 'tools', 'memory', 'add', 'why', '-t', 'decision');
  const text = workspace.read('.ralph/agent/memories.md').replace(/mem-\w+-\w+/g, 'ID');
  expect(text.replace(/created: [\d-]+/g, 'created: D')).toBe(
    `# Memories

## Patterns

### ID
> newer
<!-- tags:  | created: D -->

### ID
> first
> second line
<!-- tags: a, b | created: D -->

## Decisions

### ID
> why
<!-- tags:  | created: D -->

## Fixes

## Context
`,
  );
});

test('memories that many processes add at the same time are all kept, and the lock goes', async () => {
  const workspace = new Workspace();
  const writers = ['a', 'b', 'c', 'd', 'e', 'f'];
  await Promise.all(writers.map((writer) => call(workspace, 'tools', 'memory', 'add', `from ${writer}`)));
  const kept = [...workspace.read('.ralph/agent/memories.md').matchAll(/^> from (\w)$/gm)];
  expect(kept.map(([, writer]) => writer).sort()).toEqual(writers);
  expect(readdirSync(join(workspace.path, '.ralph/agent')).sort()).toEqual([
    'memories.md',
    'memories.md.lock',
  ]);
});

test('a lock whose owner is gone does not count', async () => {
  const workspace = new Workspace();
  const { pid } = spawnSync('true');
  await call(workspace, 'tools', 'memory', 'add', 'first');
  writeFileSync(join(workspace.path, '.ralph/agent/memories.md.lock.held'), String(pid));
  await call(workspace, 'tools', 'memory', 'add', 'second');
  expect(workspace.read('.ralph/agent/memories.md')).toContain('> second');
});

test('memories are listed, searched, shown and deleted', async () => {
  const workspace = new Workspace();
  expect(await call(workspace, 'tools', 'memory', 'list', '--format', 'json')).toContain('No memories yet.');
  const id = (
    await call(
      workspace,
      'tools',
      'memory',
      'add',
      'Blue sky',
      '-t',
      'fix',
      '--tags',
      'up',
      '--format',
      'quiet',
    )
  ).trim();
  await call(workspace, 'tools', 'memory', 'add', 'green grass');
  const found: unknown = JSON.parse(
    await call(workspace, 'tools', 'memory', 'search', 'BLUE', '--format', 'json'),
  );
  expect(found).toMatchObject([{ id, memory_type: 'fix', content: 'Blue sky', tags: ['up'] }]);
  expect(await call(workspace, 'tools', 'memory', 'search', '--tags', 'up', '--format', 'quiet')).toBe(
    `${id}\n`,
  );
  expect(await call(workspace, 'tools', 'memory', 'search', 'zebra')).toContain(
    'No matching memories found in 2 total memories.',
  );
  expect(await call(workspace, 'tools', 'memory', 'prime')).toMatch(
    /^# Memories\n\n## Patterns\n.*## Fixes\n/s,
  );
  expect(await call(workspace, 'tools', 'memory', 'delete', id)).toBe(`Memory deleted: ${id}\n`);
  expect(await workspace.run({ argv: ['tools', 'memory', 'show', id] })).toMatchObject({
    code: 1,
    stderr: `Error: Memory not found: ${id}\n`,
  });
  expect(await call(workspace, 'tools', 'memory', 'list', '--format', 'json')).not.toContain('Blue');
});

test('a memory of an unknown type is a usage error', async () => {
  const run = await new Workspace().run({ argv: ['tools', 'memory', 'add', 'x', '-t', 'bad'] });
  expect(run.code).toBe(2);
  expect(run.stderr).toContain("Invalid memory type: 'bad'. Valid types: pattern, decision, fix, context");
});

test('tasks wait for each other and go through their states', async () => {
  const workspace = new Workspace();
  expect(await call(workspace, 'tools', 'task', 'list', '--format', 'json')).toBe('[]\n');
  const add = async (...words: string[]) =>
    (await call(workspace, 'tools', 'task', 'add', ...words, '--format', 'quiet')).trim();
  const first = await add('first', '-p', '4');
  const second = await add('second', '--blocked-by', first);
  const urgent = await add('urgent', '-p', '1');
  const ready = () => call(workspace, 'tools', 'task', 'ready', '--format', 'quiet');
  // In the order in which they were made, whatever their priority.
  expect(await ready()).toBe(`${first}\n${urgent}\n`);
  expect(await call(workspace, 'tools', 'task', 'start', first)).toBe(`Started task: ${first} - first\n`);
  expect(await ready()).toBe(`${urgent}\n`);
  await call(workspace, 'tools', 'task', 'close', first);
  expect(await ready()).toBe(`${second}\n${urgent}\n`);
  expect(await call(workspace, 'tools', 'task', 'list', '--format', 'quiet')).not.toContain(first);
  await call(workspace, 'tools', 'task', 'reopen', first);
  const shown: unknown = JSON.parse(
    await call(workspace, 'tools', 'task', 'show', first, '--format', 'json'),
  );
  expect(shown).toMatchObject({ id: first, title: 'first', status: 'open', priority: 4, blocked_by: [] });
  expect(shown).not.toHaveProperty('closed');
  expect(await workspace.run({ argv: ['tools', 'task', 'close', 'task-0-none'] })).toMatchObject({
    code: 1,
    stderr: 'Error: Task task-0-none not found\n',
  });
});

test('a task with a key is made once', async () => {
  const workspace = new Workspace();
  const ensure = () => call(workspace, 'tools', 'task', 'ensure', 'title', '--key', 'k:1');
  expect(await ensure()).toMatch(/^Ensured task /);
  expect(await ensure()).toMatch(/^Reused task /);
  expect(workspace.read('.ralph/agent/tasks.jsonl').trim().split('\n')).toHaveLength(1);
});

test('events of the latest run are listed, filtered and cleared', async () => {
  const workspace = agentWorkspace('ralph emit my.topic "a payload"', { loop: 'max_iterations: 1' });
  expect(await call(workspace, 'events')).toBe('No event history found. Run `ralph` to generate events.\n');
  await workspace.run();
  expect(
    JSON.parse(await call(workspace, 'events', '--format', 'json', '--topic', 'my.topic')),
  ).toMatchObject([{ topic: 'my.topic', payload: 'a payload', iteration: 0, hat: '' }]);
  const table = await call(workspace, 'events', '--last', '1');
  expect(table).toMatch(
    / {2}1 \| \d\d:\d\d:\d\d \| +1 \| loop +\| loop\.terminate +\| - +\| ## Reason max_iterations/,
  );
  expect(await call(workspace, 'events', '--topic', 'none')).toBe('No matching events found.\n');
  await call(workspace, 'events', '--clear');
  expect(await call(workspace, 'events')).toContain('No event history found.');
});
