import { expect, test } from 'vitest';
import { agentWorkspace, HATS, Workspace } from '../support.js';

const SOLO = 'cli: {backend: custom, command: ./agent.sh}\n';

test('preflight tells what is wrong, as text and as JSON, and makes the folders that are missing', async () => {
  const workspace = new Workspace({ 'ralph.yml': 'cli: {backend: custom, command: ./gone}\n' });
  const human = await workspace.run({ argv: ['preflight', '--check', 'backend', '--check', 'paths'] });
  expect(human.code).toBe(1);
  expect(human.stdout).toBe(`Preflight checks for ralph.yml

  FAIL backend Custom backend not found
      Command not found: ./gone
  WARN paths   Workspace paths created
      Created: ${workspace.path}/.ralph/agent, ${workspace.path}/.ralph/specs/

Result: FAIL (1 failure(s), 1 warning(s))
`);
  const json = await workspace.run({ argv: ['preflight', '--check', 'paths', '--format', 'json'] });
  expect(json.code).toBe(0);
  expect(JSON.parse(json.stdout)).toEqual({
    passed: true,
    warnings: 0,
    failures: 0,
    checks: [{ name: 'paths', label: 'Workspace paths accessible', status: 'pass' }],
  });
});

test('warnings fail a strict preflight, and an unknown check is refused', async () => {
  const workspace = new Workspace({ 'ralph.yml': SOLO });
  const strict = await workspace.run({ argv: ['preflight', '--check', 'paths', '--strict'] });
  expect(strict).toMatchObject({ code: 1 });
  expect(strict.stdout).toContain('Note: strict mode treats warnings as failures.');
  expect(await workspace.run({ argv: ['preflight', '--check', 'luck'] })).toMatchObject({
    code: 1,
    stderr:
      'Error: Unknown check(s): luck. Available checks: config, hooks, backend, telegram, git, paths, tools, specs\n',
  });
});

test('with features.preflight a run that could not work does not start', async () => {
  const workspace = agentWorkspace('echo LOOP_COMPLETE', {
    yaml: 'features: {preflight: {enabled: true, skip: [git]}}',
  });
  workspace.write('ralph.yml', workspace.read('ralph.yml').replace('./agent.sh', './gone.sh'));
  const refused = await workspace.run();
  expect(refused).toMatchObject({ code: 1, hats: [] });
  expect(refused.stderr).toContain('Preflight: ✓ config ✓ hooks ✗ backend');
  expect(refused.stderr).toContain(
    'Error: Preflight checks failed (1 failure). Fix the issues above or use --skip-preflight to bypass.\n',
  );
  const bypassed = await workspace.run({ argv: ['run', '--no-tui', '-p', 'x', '--skip-preflight'] });
  expect(bypassed).toMatchObject({ code: 1, stderr: 'Error: No such file or directory (os error 2)\n' });
});

test('auto takes the first backend that answers, and says which it looked for', async () => {
  const workspace = new Workspace({
    'ralph.yml': 'cli: {backend: auto}\nagent_priority: [amp, forge]\nadapters: {amp: {enabled: false}}\n',
    'bin/amp': '#!/bin/sh\n',
    'bin/forge': '#!/bin/sh\n[ "$1" = --version ] || echo LOOP_COMPLETE\n',
  });
  const run = await workspace.run();
  expect(run).toMatchObject({ code: 0 });
  expect(run.stdout).toContain('· backend=forge ·');
  workspace.write('bin/forge', '#!/bin/sh\nexit 1\n');
  const none = await workspace.run();
  expect(none).toMatchObject({ code: 1 });
  expect(none.stderr).toMatch(/Error: No supported AI backend found in PATH\.\n\nChecked backends: forge\n/);
});

test('copilot and pi are understood in JSON lines', async () => {
  const line = (value: unknown) => `printf '%s\\n' '${JSON.stringify(value)}'\n`;
  const delta = (text: string) =>
    line({ type: 'message_update', assistantMessageEvent: { type: 'text_delta', delta: text } });
  const workspace = new Workspace({
    'ralph.yml': 'event_loop: {max_iterations: 2}\n',
    'bin/copilot': `#!/bin/sh\n${line({ type: 'assistant.message', data: { content: 'well\nLOOP_COMPLETE' } })}${line({ type: 'result', exitCode: 0 })}`,
    'bin/pi': `#!/bin/sh\n${line({ type: 'agent_start' })}${delta('LOOP_')}${delta('COMPLETE')}`,
  });
  const copilot = await workspace.run({ argv: ['run', '--no-tui', '-p', 'x', '-b', 'copilot'] });
  expect(copilot.code).toBe(0);
  expect(copilot.stdout).toContain('\nwell\nLOOP_COMPLETE\n[iter 1/2 done]');
  const pi = await workspace.run({ argv: ['run', '--no-tui', '-p', 'x', '-b', 'pi'] });
  expect(pi.code).toBe(0);
  expect(pi.stdout).toContain('{"type":"agent_start"}');
});

test('hats are listed by name, shown by id or name, and counted as JSON', async () => {
  const workspace = new Workspace({ 'ralph.yml': HATS });
  const list = await workspace.run({ argv: ['hats'] });
  expect(list.stdout).toContain('\nBuilder              builds things\nReviewer             reads things\n');
  const show = await workspace.run({ argv: ['hats', 'show', 'Builder'] });
  expect(show.stdout).toBe(`Builder
builds things

ID: builder

Triggers On:
  - build.task

Publishes:
  - build.finished

Instructions:
  Build with BRICKS.
`);
  const json = await workspace.run({ argv: ['hats', 'list', '--format', 'json'] });
  expect(JSON.parse(json.stdout).map((hat: { id: string }) => hat.id)).toEqual(['builder', 'reviewer']);
  expect(await workspace.run({ argv: ['hats', 'show', 'nobody'] })).toMatchObject({
    code: 1,
    stderr: "Error: Hat 'nobody' not found\n",
  });
});

test('a topology is valid with orphans, and invalid if nobody takes its first event', async () => {
  const orphan = 'hats: {a: {name: A, description: d, triggers: [a.do], publishes: [b.do]}}\n';
  const valid = await new Workspace({ 'ralph.yml': orphan }).run({ argv: ['hats', 'validate'] });
  expect(valid.code).toBe(0);
  expect(valid.stdout).toContain("  [warn] Event 'b.do' published by 'A' has no hat subscribers\n");
  expect(valid.stdout).toContain('Result: Valid (1 warnings)');
  const workspace = new Workspace({ 'ralph.yml': `${orphan}event_loop: {starting_event: c.do}\n` });
  expect(await workspace.run({ argv: ['hats', 'validate'] })).toMatchObject({
    code: 1,
    stderr: 'Error: Validation failed with 1 errors\n',
  });
});

test('init writes a configuration once, for a backend that exists', async () => {
  const workspace = new Workspace({ 'bin/gemini': '#!/bin/sh\necho LOOP_COMPLETE\n' });
  expect(await workspace.run({ argv: ['init', '--backend', 'auto'] })).toMatchObject({ code: 1 });
  expect(await workspace.run({ argv: ['init', '--backend', 'gemini'] })).toMatchObject({ code: 0 });
  expect(await workspace.run()).toMatchObject({ code: 0, label: 'Completion promise detected' });
  const again = await workspace.run({ argv: ['init', '--backend', 'claude'] });
  expect(again.stderr).toMatch(/^Error: ralph\.yml already exists\. Use --force to overwrite\.\n/);
  expect(workspace.read('ralph.yml')).toContain('backend: "gemini"');
});

test('clean removes notes, memories and tasks, or the diagnostics', async () => {
  const workspace = new Workspace({ '.ralph/agent/memories.md': 'x', '.ralph/diagnostics/a/b': 'y' });
  const dry = await workspace.run({ argv: ['clean', '--dry-run'] });
  expect(dry.stdout).toContain('Would delete directory and all contents:\n  .ralph/agent\n  memories.md\n');
  expect(workspace.has('.ralph/agent/memories.md')).toBe(true);
  await workspace.run({ argv: ['clean'] });
  expect(workspace.has('.ralph/agent')).toBe(false);
  expect(workspace.has('.ralph/diagnostics/a/b')).toBe(true);
  await workspace.run({ argv: ['clean', '--diagnostics'] });
  expect(workspace.has('.ralph/diagnostics')).toBe(false);
});

test.each([
  ['a command', ['doctor'], 'does not support `ralph doctor`'],
  ['waves', ['wave', 'emit', 'x'], 'does not support `ralph wave`'],
  ['a backend', ['run', '-p', 'x', '-b', 'kiro-acp'], "does not support the backend 'kiro-acp'"],
])('%s that is not played is refused by name', async (_, argv, message) => {
  const run = await new Workspace().run({ argv });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(message);
});
