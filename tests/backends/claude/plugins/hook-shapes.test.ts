import { describe, expect, test } from 'vitest';
import {
  findGroupMistake,
  findGuardMistake,
  findHandlerMistake,
} from '../../../../src/backends/claude/plugins/hook-shapes.js';

const COMMAND = { type: 'command', command: 'true' };

/** Handlers that Claude Code 2.1.325 rejects, and its words. */
const BAD: readonly (readonly [unknown, string])[] = [
  [{ ...COMMAND, timeout: 0 }, 'Invalid command hook (timeout: Too small: expected number to be >0)'],
  [{ ...COMMAND, timeout: -1 }, 'Invalid command hook (timeout: Too small: expected number to be >0)'],
  [
    { ...COMMAND, timeout: '10' },
    'Invalid command hook (timeout: Invalid input: expected number, received string)',
  ],
  [
    { ...COMMAND, timeout: null },
    'Invalid command hook (timeout: Invalid input: expected number, received null)',
  ],
  [{ type: 'weird' }, 'Unknown hook type "weird"'],
  [{ type: 'command' }, 'Invalid command hook (command: Invalid input: expected string, received undefined)'],
  [
    { type: 'command', command: 5 },
    'Invalid command hook (command: Invalid input: expected string, received number)',
  ],
  [null, 'Hook entry must be an object; received null'],
  ['x', 'Hook entry must be an object; received a string'],
  [{ command: 'true' }, 'Hook entry has no "type"'],
  [{ ...COMMAND, if: 5 }, 'Invalid command hook (if: Invalid input: expected string, received number)'],
  [
    { ...COMMAND, async: 'x' },
    'Invalid command hook (async: Invalid input: expected boolean, received string)',
  ],
  [{ type: 'prompt' }, 'Invalid prompt hook (prompt: Invalid input: expected string, received undefined)'],
  [{ type: 'http', url: 'nope' }, 'Invalid http hook (url: Invalid URL)'],
  [
    { type: 'mcp_tool' },
    'Invalid mcp_tool hook (server: Invalid input: expected string, received undefined; tool: Invalid input: expected string, received undefined)',
  ],
  [
    { ...COMMAND, shell: 'zsh' },
    'Invalid command hook (shell: Invalid option: expected one of "bash"|"powershell")',
  ],
  [{ ...COMMAND, once: 1 }, 'Invalid command hook (once: Invalid input: expected boolean, received number)'],
  [{ ...COMMAND, args: 5 }, 'Invalid command hook (args: Invalid input: expected array, received number)'],
  [
    { ...COMMAND, statusMessage: 5 },
    'Invalid command hook (statusMessage: Invalid input: expected string, received number)',
  ],
];

test.each(BAD)('the handler %j is wrong', (handler, mistake) => {
  expect(findHandlerMistake(handler)).toBe(mistake);
});

test.each([
  COMMAND,
  { type: 'command', command: '' },
  { ...COMMAND, zzz: 1 },
  { ...COMMAND, timeout: 0.5 },
  { ...COMMAND, shell: 'bash', once: true, async: false, args: ['x'], if: 'Bash(ls)' },
])('the handler %j is right', (handler) => {
  expect(findHandlerMistake(handler)).toBeNull();
});

test.each([
  [
    { matcher: 5, hooks: [] },
    'Invalid hook matcher (matcher: Invalid input: expected string, received number)',
  ],
  [
    { matcher: null, hooks: [] },
    'Invalid hook matcher (matcher: Invalid input: expected string, received null)',
  ],
  [{ matcher: 'Bash' }, 'Hook matcher "hooks" must be an array of hook entries; received undefined'],
  [{ hooks: {} }, 'Hook matcher "hooks" must be an array of hook entries; received an object'],
  [null, 'Hook matcher must be an object; received null'],
  ['x', 'Hook matcher must be an object; received a string'],
])('the group %j is wrong', (group, mistake) => {
  expect(findGroupMistake(group)).toBe(mistake);
});

describe('hooks that may deny something', () => {
  test.each([
    ['PreToolUse', {}, 'hooks.PreToolUse: must be an array of matchers; received an object'],
    ['PreToolUse', 'x', 'hooks.PreToolUse: must be an array of matchers; received a string'],
    ['PermissionRequest', [null], 'hooks.PermissionRequest.0: Hook matcher must be an object; received null'],
    [
      'PreToolUse',
      [{ hooks: [COMMAND, { type: 'weird' }, null] }],
      'hooks.PreToolUse.0.hooks.1: Unknown hook type "weird"; hooks.PreToolUse.0.hooks.2: Hook entry must be an object; received null',
    ],
  ])('%s: %j fails the plugin', (event, groups, mistake) => {
    expect(findGuardMistake({ [event]: groups })?.split(' — ')[0]).toBe(mistake);
  });

  test.each([{ PreToolUse: null }, { Stop: {} }, { UserPromptSubmit: [{ hooks: [{ type: 'weird' }] }] }])(
    '%j does not',
    (events) => {
      expect(findGuardMistake(events)).toBeNull();
    },
  );
});
