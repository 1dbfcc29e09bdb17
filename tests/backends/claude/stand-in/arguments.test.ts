import { expect, test } from 'vitest';
import { readArguments } from '../../../../src/backends/claude/stand-in/arguments.js';

test.each([
  [['--max-turns', 'abc'], "error: option '--max-turns <turns>' argument 'abc' is invalid. must be a number"],
  [['--autocompact', 'x'], /^error: option '--autocompact <auto\|tokens>' argument 'x' is invalid/],
  [['--setting-sources', 'nope'], /^Error processing --setting-sources: Invalid setting source: nope/],
  [['--settings'], "error: option '--settings <file-or-json>' argument missing"],
  [['--model'], "error: option '--model <model>' argument missing"],
  [
    ['--system-prompt-snapshot=x'],
    "error: option '--system-prompt-snapshot <on|off>' argument 'x' is invalid. Allowed choices are on, off.",
  ],
  [['--permission-prompts=x'], /^error: .* is invalid\. Allowed choices are host, none\.$/],
  [['--prompt-suggestions=x'], /^error: .* Allowed choices are true, false, 1, 0, yes, no, on, off\.$/],
  [['--permission-mode=x'], /^error: .* acceptEdits, auto, bypassPermissions, manual, dontAsk, plan\.$/],
  [['go', '--name'], "error: option '-n, --name <name>' argument missing"],
  [['go', '--allowed-tools'], "error: option '--allowedTools, --allowed-tools <tools...>' argument missing"],
  [['go', '--system-prompt-file'], "error: option '--system-prompt-file <file>' argument missing"],
  [['--nosuch'], "error: unknown option '--nosuch'"],
])('%j is refused in the words of the real one', (args, message) => {
  expect(readArguments(['-p', ...args])).toEqual({
    message: typeof message === 'string' ? message : expect.stringMatching(message),
    exitCode: 1,
  });
});

test.each(['--debug-file=x', '--tools=Bash', '--agents={}', '--bare', '--help'])(
  '%s is refused by name',
  (option) => {
    expect(readArguments(['-p', option, 'go'])).toMatchObject({
      exitCode: 70,
      message: expect.stringContaining(option.split('=')[0] ?? ''),
    });
  },
);

test('what follows two dashes is the prompt, also if it looks like an option', () => {
  expect(readArguments(['-p', '--', '-c'])).toMatchObject({ prompt: '-c', continues: false });
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
