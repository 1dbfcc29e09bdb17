import { expect, test } from 'vitest';
import {
  hookSeconds,
  matchesHook,
  withoutTwins,
} from '../../../../src/backends/claude/plugins/running-hooks.js';
import { readHookSettings } from '../../../../src/backends/claude/stand-in/settings.js';

/** Matchers for which Claude Code 2.1.325 ran a hook before Bash, and those for which it did not. */
const RUNS = [
  ...['Bash', 'B.*', '^Bash$', 'Bash|Write', 'Bash, Write', 'Write , Bash', ' Bash ', 'Bash|', 'Bash,'],
  ...['.*', '*', '', '.ash', 'Bash?', 'a.*|Bash', 'Ba-|Bash', 'Write| Bash', 'Ba\\w', 'x|.as', '$', '(ash)'],
  ...['é|ash', 'ash.|ash', 'ash/|ash', 'ash:|ash', 'ash\t|ash', 'Béa|Bash'],
];
const RUNS_NOT = [
  ...['Bas', 'ash', 'bash', '|', 'Ba|sh', 'mcp__.*', '[', '(', 'Bash(', 'Bash(git *)', 'Bash(*)', '**'],
  ...['Write Bash', 'B-ash', 'Bash;Write', 'ba.h', '^as', 'as$', 'Bash.', 'Bash\nWrite', '!Write'],
  ...['ash-|ash', 'ash,ash', 'a sh|ash'],
];

test.each(RUNS)('%j selects Bash', (matcher) => {
  expect(matchesHook(matcher, 'Bash')).toBe(true);
});

test.each(RUNS_NOT)('%j does not select Bash', (matcher) => {
  expect(matchesHook(matcher, 'Bash')).toBe(false);
});

test('of twins, the place of the first and the options of the last count', () => {
  const handlers = [
    { command: 'a', timeout: 1 },
    { command: 'b', timeout: 2 },
    { command: 'a', timeout: 3 },
  ];
  expect(withoutTwins(handlers, ({ command }) => command)).toEqual([
    { command: 'a', timeout: 3 },
    { command: 'b', timeout: 2 },
  ]);
});

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
