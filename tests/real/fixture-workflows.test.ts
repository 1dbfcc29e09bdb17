import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onPrompt } from '../../src/agent/builder.js';
import { git, talk } from './support/talk.js';

describe('agent-loop', () => {
  const commit = 'git commit --quiet --allow-empty -m "fix(calculator): add adds"';

  test('stops a commit without a plan, and lets it pass with one', async () => {
    const { send, project } = await talk(
      ['agent-loop'],
      [
        onPrompt('Plan stage of agent-loop').writes('PLAN.md', '1. add adds\n').says('STAGE: planning'),
        onPrompt('Commit stage of agent-loop').runs(commit).says('STAGE: committing'),
      ],
    );
    const early = await send('/commit');
    expect(early.results).toEqual(['Bash failed']);
    expect(early.hooks.find(({ blocked }) => blocked)).toMatchObject({
      name: 'PreToolUse:Bash',
      exitCode: 2,
      callId: early.calls[0]?.id,
    });
    expect(early.calls[0]?.result).toContain('Expected PLAN.md, found none');
    expect(early.denied).toEqual([early.calls[0]?.id]);
    expect((await send('/plan the fix')).results).toEqual(['Write done']);
    expect((await send('/commit')).results).toEqual(['Bash done']);
    expect(git(project, 'log', '--format=%s')).toBe('fix(calculator): add adds\nInitial commit');
  });

  test('warns of code before a plan, and reminds of the tests after a change', async () => {
    const { send } = await talk(
      ['agent-loop'],
      [
        onPrompt('Code stage of agent-loop')
          .edits(
            'calculator/operations.py',
            '(a, b):\n    return a - b\n\n\ndef subtract',
            '(a, b):\n    return a + b\n\n\ndef subtract',
          )
          .says('Done'),
      ],
    );
    const turn = await send('/code');
    const said = turn.hooks
      .filter(({ stdout }) => stdout !== '')
      .map(({ event, stdout }) => [event, JSON.parse(stdout)]);
    expect(turn.results.at(-1)).toBe('Edit done');
    expect(said).toEqual([
      [
        'UserPromptSubmit',
        {
          hookSpecificOutput: expect.objectContaining({
            additionalContext: expect.stringContaining('no PLAN.md'),
          }),
        },
      ],
      [
        'PostToolUse',
        {
          hookSpecificOutput: expect.objectContaining({
            additionalContext: expect.stringContaining('Run the tests'),
          }),
        },
      ],
    ]);
  });
});

describe('epti', () => {
  const MODULE = 'calculator/power.py';
  const TESTS = `import unittest

from calculator.power import power


class PowerTest(unittest.TestCase):
    def test_power(self):
        self.assertEqual(power(2, 3), 8)
`;

  test('lets nobody implement before the tests are committed, nor commit code on red', async () => {
    const { send, project } = await talk(
      ['epti'],
      [
        onPrompt('just implement it').writes(MODULE, 'x = 1\n').says('I tried.'),
        onPrompt('Write-tests stage').writes('tests/test_power.py', TESTS).says('STAGE: writing-tests'),
        onPrompt('Commit-tests stage')
          .runs('git add tests && git commit --quiet -m "test: add tests for power"')
          .says('STAGE: committing-tests'),
        onPrompt('Implement stage')
          .writes(MODULE, 'def power(a, b):\n    return a * b\n')
          .says('STAGE: implementing'),
        onPrompt('Commit-code stage')
          .runs('git add --all && git commit --quiet -m "feat(calculator): implement power"')
          .says('STAGE: committing-code'),
        onPrompt('Iterate stage').edits(MODULE, 'a * b', 'a ** b').says('STAGE: iterating'),
      ],
      { defect: [] },
    );
    const blocked = await send('/implement');
    expect(blocked.outcome).toEqual({
      kind: 'blocked',
      reason: expect.stringContaining('commit the tests first'),
    });
    const early = await send('just implement it');
    expect(early.results).toEqual(['Write failed']);
    expect(early.calls[0]?.result).toContain(`commit the tests first; ${MODULE} is code`);
    expect(existsSync(join(project, MODULE))).toBe(false);

    const written = await send('/write-tests power');
    expect(written.results).toEqual(['Write done']);
    expect(written.hooks.find(({ event }) => event === 'PostToolUse')?.stdout).toMatch(/unittest.* fails/);
    expect((await send('/commit-tests')).results).toEqual(['Bash done']);
    expect((await send('/implement')).results).toEqual(['Write done']);
    const red = await send('/commit-code');
    expect(red.results).toEqual(['Bash failed']);
    expect(red.calls[0]?.result).toContain('nothing but tests is committed while tests fail');
    expect((await send('/iterate')).results.at(-1)).toBe('Edit done');
    expect((await send('/commit-code')).results).toEqual(['Bash done']);
    expect(git(project, 'log', '--format=%s', '-2')).toBe(
      'feat(calculator): implement power\ntest: add tests for power',
    );
  });
});
