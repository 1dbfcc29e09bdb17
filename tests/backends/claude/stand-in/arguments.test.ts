import { expect, test } from 'vitest';
import { readArguments } from '../../../../src/backends/claude/stand-in/arguments.js';

test.each([
  ['--max-turns', 'abc'],
  ['--setting-sources', 'nope'],
  ['--permission-mode', 'x'],
  ['--output-format', 'x'],
  ['--output-format', 'json', '--verbose'],
  ['--input-format', 'json'],
  ['--session-id', 'abc'],
  ['--session-id='],
  ['--resume', 'abc'],
  ['--resume'],
  ['--continue'],
  ['--mcp-config', '{}'],
  ['--fork-session'],
  ['--add-dir', 'x'],
  ['--settings'],
  ['--model'],
  ['--allowedTools'],
  ['--nosuch'],
  ['--include-partial-messages'],
  ['--system-prompt-file=x'],
  ['--debug-file=x'],
  ['--tools=Bash'],
  ['--agents={}'],
  ['--bare'],
  ['--help'],
])('%s %s is refused by name', (...option) => {
  const message = new RegExp(`does not support ${option[0]?.split('=')[0]}.* The scripted lane does`);
  expect(() => readArguments(['-p', 'go', ...option])).toThrow(message);
});

test('what follows two dashes is the prompt, also if it looks like an option', () => {
  expect(readArguments(['-p', '--', '-p'])).toMatchObject({ prompt: '-p' });
  expect(readArguments(['-p', '--', '--model'])).toMatchObject({ prompt: '--model' });
});

test('no limit of turns is 0, and empty parentheses in a call name the whole tool', () => {
  const args = readArguments(['-p', '--max-turns', '0', '--allowedTools=Bash()', '--setting-sources=', 'go']);
  expect(args).toMatchObject({ maxTurns: undefined, allowed: ['Bash'], settingSources: [], prompt: 'go' });
});

test('a rule whose parenthesis is never closed allows nothing', () => {
  const args = readArguments(['-p', '--allowedTools=Read,Bash(ls *) Bash(touch', 'go']);
  expect(args).toMatchObject({ allowed: ['Read', 'Bash(ls *)', 'Bash(touch'] });
});
