import { expect, test } from 'vitest';
import { hookSeconds } from '../../../../src/backends/claude/plugins/hook-seconds.js';
import { readHookSettings } from '../../../../src/backends/claude/stand-in/settings.js';

test('a hook has the time that Claude Code gives it', () => {
  const seconds = (event: string, timeoutSeconds: number | null, isOfPlugin = true) =>
    hookSeconds({ event, timeoutSeconds, isOfPlugin }, {});
  expect(seconds('PreToolUse', null)).toBe(600);
  expect(seconds('PreToolUse', 900)).toBe(900);
  expect(seconds('UserPromptSubmit', null)).toBe(30);
  expect(seconds('UserPromptSubmit', 45)).toBe(45);
  // What a plugin declares for the end of a session does not count.
  expect(seconds('SessionEnd', null)).toBe(1.5);
  expect(seconds('SessionEnd', 5)).toBe(1.5);
  expect(seconds('SessionEnd', 5, false)).toBe(5);
  expect(seconds('SessionEnd', 100, false)).toBe(60);
  const env = { CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS: '6000' };
  expect(hookSeconds({ event: 'SessionEnd', timeoutSeconds: null, isOfPlugin: true }, env)).toBe(6);
});

test('the hooks of settings files have the same limits in the stand-in', () => {
  const hooks = (event: string) => ({ [event]: [{ hooks: [{ type: 'command', command: 'true' }] }] });
  const seconds = (event: string) => readHookSettings(hooks(event))[0]?.timeoutSeconds;
  expect([seconds('Stop'), seconds('UserPromptSubmit'), seconds('SessionEnd')]).toEqual([600, 30, 1.5]);
});
