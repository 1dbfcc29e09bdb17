import { expect, test } from 'vitest';
import { matchesHook, withoutTwins } from '../../../../src/backends/claude/plugins/hook-matcher.js';

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
