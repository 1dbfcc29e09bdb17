import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../support/cli.js';
import { runHook } from './run-hook.js';

const bash = (command: string, project: string) =>
  runHook('agent-loop', { event: 'PreToolUse', tool: 'Bash', tool_input: { command } }, project);

describe('a commit without a plan', () => {
  test.each([
    'git commit -m "fix: it"',
    'git add -A && git commit -m x',
    'git -C sub -c user.name=x commit',
    'GIT_AUTHOR_NAME=x git commit --amend',
    'make test; git commit -am x',
    '(git commit -m x)',
    'true\ngit commit',
  ])('is stopped: %j', (command) => {
    const { code, stderr } = bash(command, tempFolder());
    expect(code).toBe(2);
    expect(stderr).toContain('/agent-loop:plan');
  });

  test.each([
    'git log --grep commit',
    'echo git commit',
    'git commit-tree HEAD',
    'git status',
    'digit commit',
  ])('is none: %j', (command) => expect(bash(command, tempFolder())).toMatchObject({ code: 0, stderr: '' }));
});

test.each(['PLAN.md', '.plan.md', '.agent_planning'])('%s is a plan', (name) => {
  const project = tempFolder();
  if (name.startsWith('.agent')) mkdirSync(join(project, name));
  else writeFileSync(join(project, name), '1. do it\n');
  expect(bash('git commit -m x', project).code).toBe(0);
});

test('code before a plan is warned of, other prompts are not', () => {
  const project = tempFolder();
  const ask = (prompt: string) => runHook('agent-loop', { event: 'UserPromptSubmit', prompt }, project).json;
  expect(ask('/agent-loop:code now')).toMatchObject({
    hookSpecificOutput: {
      hookEventName: 'UserPromptSubmit',
      additionalContext: expect.stringContaining('PLAN.md'),
    },
  });
  expect(
    [ask('/agent-loop:codex'), ask('write code'), ask('/agent-loop:explore')].every(
      (said) => said === undefined,
    ),
  ).toBe(true);
  writeFileSync(join(project, 'PLAN.md'), '');
  expect(ask('/agent-loop:code now')).toBeUndefined();
});

test('a changed file is followed by a reminder, a changed document is not', () => {
  const after = (file_path: string) =>
    runHook('agent-loop', { event: 'PostToolUse', tool: 'Edit', tool_input: { file_path } }, tempFolder())
      .json;
  expect(after('/x/calculator/operations.py')).toMatchObject({
    hookSpecificOutput: {
      hookEventName: 'PostToolUse',
      additionalContext: expect.stringContaining('operations.py'),
    },
  });
  expect(after('/x/PLAN.md')).toBeUndefined();
});
