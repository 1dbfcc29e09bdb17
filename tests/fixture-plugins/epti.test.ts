import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTestProject } from '../../src/kinds/conversation/projects/create-test-project.js';
import { setupGitRepo } from '../../src/kinds/conversation/projects/repo-and-files.js';
import { tempFolder } from '../support/cli.js';
import { runHook } from './run-hook.js';

async function makeProject() {
  const path = join(tempFolder(), 'project');
  await createTestProject({ type: 'library', language: 'javascript', path });
  await setupGitRepo(path);
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: path });
  const commit = (message: string) => git('commit', '--quiet', '--no-verify', '-m', message);
  return {
    ...{ path, write, git, commit },
    writeTest: (name = 'power') =>
      write(
        `test/${name}.test.js`,
        "import { test } from 'node:test';\nimport '../src/power.js';\ntest('x', () => {});\n",
      ),
    submit: (prompt: string) => runHook('epti', { event: 'UserPromptSubmit', prompt }, path).json,
    edit: (file: string) =>
      runHook(
        'epti',
        { event: 'PreToolUse', tool: 'Write', tool_input: { file_path: join(path, file) } },
        path,
      ).json,
    bash: (command: string) =>
      runHook('epti', { event: 'PreToolUse', tool: 'Bash', tool_input: { command } }, path).json,
    written: (file: string) =>
      runHook(
        'epti',
        { event: 'PostToolUse', tool: 'Edit', tool_input: { file_path: join(path, file) } },
        path,
      ).json,
  };
}

const denied = (reason: string) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining(reason),
  },
});

describe('implementing', () => {
  test('is blocked until tests are committed alone, and again after the code', async () => {
    const { submit, edit, writeTest, write, git, commit } = await makeProject();
    const blocked = { decision: 'block', reason: expect.stringContaining('commit the tests first') };
    expect(submit('/epti:implement power')).toEqual(blocked);
    expect(submit('/epti:write-tests power')).toBeUndefined();
    expect(edit('src/power.js')).toEqual(denied('src/power.js is code'));
    writeTest();
    expect(submit('/epti:implement power')).toEqual(blocked);
    git('add', 'test');
    commit('test: power');
    write('README.md', 'words\n');
    git('add', 'README.md');
    commit('docs: words');
    expect(submit('/epti:implement power')).toBeUndefined();
    expect(edit('src/power.js')).toBeUndefined();
    write('src/power.js', '');
    git('add', '--all');
    commit('feat: power');
    expect(submit('/epti:implement more')).toEqual(blocked);
  });

  test('a commit of tests with code does not count', async () => {
    const { submit, writeTest, write, git, commit } = await makeProject();
    writeTest();
    write('src/power.js', '');
    git('add', '--all');
    commit('test: and code');
    expect(submit('/epti:implement')).toMatchObject({ decision: 'block' });
  });

  test.each(['test/a.js', 'tests/deep/x.py', 'src/a.test.js', 'calc_test.go', 'test_calc.py', 'README.md'])(
    '%s may be written at any time',
    async (file) => expect((await makeProject()).edit(file)).toBeUndefined(),
  );

  test.each(['src/latest/a.js', 'contest.py', 'testing.go'])('%s is code', async (file) =>
    expect((await makeProject()).edit(file)).toEqual(denied(`${file} is code`)),
  );

  test('is blocked where nothing was ever committed', () => {
    const folder = tempFolder();
    const answer = runHook('epti', { event: 'UserPromptSubmit', prompt: '/epti:implement' }, folder);
    expect(answer.json).toMatchObject({ decision: 'block' });
  });
});

describe('a commit', () => {
  const red = denied('nothing but tests is committed while tests fail');

  test('of failing tests alone is allowed, however they are staged', async () => {
    const { writeTest, git, bash } = await makeProject();
    writeTest();
    expect(bash('git add test && git commit -m "test: power"')).toBeUndefined();
    expect(bash(`git add 'test/power.test.js'; git commit -m "test: -a b"`)).toBeUndefined();
    git('add', 'test');
    expect(bash('git commit -m "test: power"')).toBeUndefined();
  });

  test('of anything else is denied while tests fail, however it is staged', async () => {
    const { path, writeTest, git, bash, commit } = await makeProject();
    writeTest();
    appendFileSync(join(path, 'src/operations.js'), '\n// more\n');
    expect(bash('git add --all && git commit -m "feat: x"')).toEqual(red);
    expect(bash('git add test src && git commit -m "feat: x"')).toEqual(red);
    git('add', 'test');
    expect(bash('git commit -am "feat: x"')).toEqual(red);
    expect(bash('git commit -m "test: x, not -a"')).toBeUndefined();
    commit('test: x');
    git('add', 'src');
    expect(bash('git commit -m "feat: x"')).toEqual(red);
    expect(bash('git status')).toBeUndefined();
  });

  test('of code is allowed when the tests pass', async () => {
    const { path, bash } = await makeProject();
    appendFileSync(join(path, 'src/operations.js'), '\n// more\n');
    expect(bash('git commit -am "feat: x"')).toBeUndefined();
  });
});

test('after a change the agent is told how the tests end', async () => {
  const { writeTest, written } = await makeProject();
  const told = (words: string) => ({
    hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: expect.stringContaining(words) },
  });
  expect(written('src/operations.js')).toEqual(told('node --test passes'));
  writeTest();
  expect(written('test/power.test.js')).toEqual(told('node --test fails'));
  expect(written('README.md')).toBeUndefined();
});
