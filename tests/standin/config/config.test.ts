import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentWorkspace, Workspace } from '../support.js';

test('the version says what it is', async () => {
  expect(await new Workspace().run({ argv: ['--version'] })).toMatchObject({
    code: 0,
    stdout: 'ralph 2.10.1 (ralph-e2e stand-in)\n',
  });
});

test.each([
  ['an unknown option', ['run', '--nope'], "error: unexpected argument '--nope' found"],
  ['two prompts', ['run', '-p', 'a', '-P', 'b'], "cannot be used with '--prompt-file <PROMPT_FILE>'"],
  ['two headless modes', ['run', '-a', '--no-tui'], 'cannot be used with'],
  ['a loop id without --continue', ['run', '--loop-id', 'x'], '--continue'],
  ['an option without its value', ['run', '-p'], "a value is required for '--prompt <PROMPT_TEXT>'"],
  [
    'a number that is none',
    ['run', '--max-iterations', 'many'],
    "invalid value 'many' for '--max-iterations",
  ],
  ['a surplus word', ['run', 'now'], "unexpected argument 'now' found"],
  ['an unknown command', ['memory'], "unrecognized subcommand 'memory'"],
])('%s is a usage error', async (_, argv, message) => {
  const run = await new Workspace().run({ argv });
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(message);
});

const VALIDATION = 'Error: Configuration validation failed\n\nCaused by:\n    ';
const PARSING = 'Error: Failed to parse merged core config from ralph.yml\n\nCaused by:\n    ';
const hat = (rest: string) => `{name: N, description: d, ${rest}}`;

test.each([
  ['cli: {backend: custom}', `${VALIDATION}Custom backend requires a command.`],
  [
    'event_loop: {completion_promise: " "}',
    `${VALIDATION}Invalid completion_promise: must be non-empty and non-whitespace`,
  ],
  ['hats: {a: {name: x}}', `${VALIDATION}Hat 'a' is missing required 'description' field`],
  [
    `hats: {a: ${hat('triggers: [task.start]')}}`,
    `${VALIDATION}Reserved trigger 'task.start' used by hat 'a'`,
  ],
  [
    `hats: {a: ${hat('triggers: [x.y]')}, b: ${hat('triggers: [x.y]')}}`,
    `${VALIDATION}Ambiguous routing: trigger 'x.y' is claimed by both 'a' and 'b'.`,
  ],
  ['hats: {a: {description: x}}', `${PARSING}missing field \`name\``],
  ['event_loop: {max_iterations: abc}', `${PARSING}invalid type: string "abc", expected u32`],
  ['cli: 3', `${PARSING}invalid type: integer \`3\`, expected struct CliConfig`],
  ['a: [1', 'Error: Failed to parse YAML from ralph.yml\n\nCaused by:\n    '],
])('the configuration %s is refused', async (yaml, message) => {
  const run = await new Workspace({ 'ralph.yml': yaml }).run();
  expect(run).toMatchObject({ code: 1, hats: [] });
  expect(run.stderr).toContain(message);
});

test('two prompts in the configuration exclude each other unless the command line decides', async () => {
  const workspace = agentWorkspace('echo LOOP_COMPLETE', { loop: 'prompt: a, prompt_file: b.md' });
  expect((await workspace.run({ argv: ['run', '--no-tui'] })).stderr).toContain(
    "Mutually exclusive fields: 'event_loop.prompt' and 'event_loop.prompt_file' cannot both be specified.",
  );
  expect((await workspace.run()).code).toBe(0);
});

test('suppressed warnings suppress errors too', async () => {
  const workspace = agentWorkspace('echo LOOP_COMPLETE', {
    yaml: `_suppress_warnings: true\nhats: {a: ${hat('triggers: [task.start], instructions: i')}}`,
  });
  expect(await workspace.run()).toMatchObject({ code: 0, hats: ['a'] });
});

test('a prompt that is nowhere is an error, a prompt file is read', async () => {
  const workspace = agentWorkspace('echo LOOP_COMPLETE');
  expect((await workspace.run({ argv: ['run', '--no-tui'] })).stderr).toBe(
    'Error: Prompt file \'PROMPT.md\' not found. Check the path or use -p "text" for inline prompt.\n',
  );
  workspace.write('PROMPT.md', 'from the default file');
  expect((await workspace.run({ argv: ['run', '--no-tui'] })).prompts.at(-1)).toContain(
    '> from the default file\n',
  );
  workspace.write('other.md', 'from another file');
  const run = await workspace.run({ argv: ['run', '--no-tui', '-P', 'other.md'] });
  expect(run.prompts.join()).toContain('> from another file\n');
  expect(run.stdout).toContain('· prompt=other.md ·');
});

test("the user's own file lies under the workspace's, options above both", async () => {
  const workspace = agentWorkspace('echo FIN', { loop: 'completion_promise: FIN' });
  mkdirSync(join(workspace.home, '.ralph'));
  writeFileSync(
    join(workspace.home, '.ralph', 'config.yml'),
    'event_loop: {max_iterations: 7, completion_promise: OTHER}',
  );
  const argv = ['run', '--no-tui', '-p', 'x'];
  const run = await workspace.run({ argv });
  expect(run.code).toBe(0);
  expect(run.stdout).toContain(' · 0/7 --');
  const overridden = await workspace.run({
    argv: [...argv, '--completion-promise', 'NEVER', '--max-iterations', '1'],
  });
  expect(overridden).toMatchObject({ code: 2, hats: ['ralph'] });
});

test('flat keys of the first version win over nested ones', async () => {
  const workspace = agentWorkspace('echo FIN', {
    loop: 'completion_promise: OLD',
    yaml: 'completion_promise: FIN',
  });
  expect(await workspace.run()).toMatchObject({ code: 0 });
});

test('a config file that is missing means defaults', async () => {
  const workspace = new Workspace({ 'bin/claude': '#!/bin/sh\ncat > /dev/null\necho LOOP_COMPLETE\n' });
  const run = await workspace.run({ argv: ['run', '-c', 'nowhere.yml', '--no-tui', '-p', 'x'] });
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/ WARN .*nowhere\.yml" not found, using defaults/);
  expect(run.stdout).toContain('backend=claude · prompt= · 0/100');
});

test('a dry run shows the configuration and touches nothing', async () => {
  const workspace = agentWorkspace('touch ran', { loop: 'max_iterations: 4' });
  const run = await workspace.run({
    argv: ['run', '--dry-run', '-a', '-p', 'x'],
    env: { RALPH_DIAGNOSTICS: '' },
  });
  expect(run.code).toBe(0);
  expect(run.stdout).toContain('  Backend: custom\n');
  expect(run.stdout).toContain('  Max iterations: 4\n');
  expect(workspace.has('.ralph')).toBe(false);
  expect(workspace.has('ran')).toBe(false);
});

test('logs go to a file unless the run is headless by name', async () => {
  const workspace = agentWorkspace('echo LOOP_COMPLETE');
  const run = await workspace.run({ argv: ['run', '-p', 'x'] });
  expect(run).toMatchObject({ code: 0, hats: ['ralph'] });
  expect(run.stdout).not.toContain(' INFO ');
  expect(workspace.has('.ralph/diagnostics/logs')).toBe(true);
});

test('a hat takes what it does not say itself from the file that it imports', async () => {
  const workspace = agentWorkspace('echo LOOP_COMPLETE', {
    loop: 'max_iterations: 2, starting_event: a.do',
    yaml: 'hats: {a: {import: hats/a.yml, description: mine}}',
  });
  workspace.write('hats/a.yml', 'name: A\ndescription: theirs\ntriggers: [a.do]\ninstructions: Do A.\n');
  const run = await workspace.run();
  expect(run).toMatchObject({ code: 0, hats: ['a'] });
  expect(run.prompts[0]).toContain('### A Instructions\n\nDo A.\n');
  workspace.write('hats/a.yml', 'import: b.yml\n');
  expect((await workspace.run()).stderr).toMatch(
    /^Error: failed to resolve hat import\n {2}--> ralph\.yml, hat 'a'\n {2}--> imports \.\/hats\/a\.yml\n\n {2}cause: imported hat files cannot contain 'import:'/,
  );
});
