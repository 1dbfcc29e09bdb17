import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { listHelpers, writeShellCheck } from '../../src/bug/shell-checks.js';
import type { About, CheckResult } from '../../src/domain/check.js';
import { tempFolder } from '../support/cli.js';
import { posixPath } from '../support/posix-path.js';

const check = (kind: string, about: About): CheckResult => ({
  ...{ key: kind, kind, about, name: 'a promise', category: 'Harness' as const, passed: false },
  ...{ expected: '', actual: '', diff: null, suggestion: null },
});
const FACTS = { answers: new Map([['tools memory list', 'after-1']]), deeds: 'write sum.txt 1' };

test.each<[string, About, string | null]>([
  ['completed', {}, 'ended 0 completed'],
  ['terminatedBecause', { reason: 'max_cost', exitCode: 2 }, 'ended 2 max_cost'],
  // Journals of an older ralph-e2e do not have the exit code among the facts.
  ['terminatedBecause', { reason: 'max_cost' }, null],
  ['fileEquals', { path: 'sum.txt', text: "it's" }, `equals sum.txt 'it'\\''s'`],
  ['fileEquals', { path: 'sum.txt', text: '1\n' }, 'equals sum.txt 1'],
  // Nothing in the reproduction writes this file, so its absence says nothing.
  ['fileEquals', { path: 'other.txt', text: '1' }, null],
  ['fileContains', { path: 'sum.txt', pattern: '/^- \\d+ a\\/b$/m' }, `matches '^- [0-9]+ a/b$' sum.txt`],
  [
    'fileContains',
    { path: 'sum.txt', pattern: '/(?:\\S[\\w-]+) \\+?/' },
    `matches '([^[:space:]][A-Za-z0-9_-]+) \\+?' sum.txt`,
  ],
  ['fileContains', { path: 'sum.txt', pattern: '/^a\\.\\n\\nb$/m' }, `holds 'a.\n\nb' sum.txt`],
  // grep reads line by line, and knows neither these escapes nor these groups and quantifiers.
  ['fileContains', { path: 'sum.txt', pattern: '/a\\n[\\s\\S]*b/' }, null],
  ['fileContains', { path: 'sum.txt', pattern: '/^a.$/' }, null],
  ['fileContains', { path: 'sum.txt', pattern: '/a\\s+b/' }, null],
  ['fileContains', { path: 'sum.txt', pattern: '/a[^b]+/' }, null],
  ['fileContains', { path: 'sum.txt', pattern: '/[\\w.]a/' }, null],
  ['fileContains', { path: 'sum.txt', pattern: '/a(?!b)/' }, null],
  ['fileContains', { path: 'sum.txt', pattern: '/a+?/' }, null],
  ['fileContains', { path: 'sum.txt', pattern: '/(a)\\1/' }, null],
  ['fileContains', { path: 'sum.txt', pattern: '/a./i' }, null],
  ['fileContains', { path: 'sum.txt', pattern: '/\\u2713/u' }, null],
  ['keptOutOfPrompt', { iteration: 2, text: 'a b' }, `lacks holds 'a b' "$BUG"/prompt-2`],
  ['promptLacked', { pattern: '/^Event: a/m' }, `lacks matches '^Event: a' "$BUG"/prompt-*`],
  [
    'errandAnswered',
    { names: ['tools memory list'], exitCode: 1, pattern: '/no (a|b)/' },
    `answered after-1 1 matches 'no (a|b)'`,
  ],
  // A JSON value, which shell cannot compare.
  ['errandAnswered', { names: ['tools memory list'], exitCode: 0, text: '{a: 1}' }, null],
  ['memoriesListed', { names: ['tools memory list'], texts: ['a\nb'] }, `lists after-1 '"a\\nb"'`],
  ['memoriesListed', { names: ['tools memory search'], texts: ['a'] }, null],
  ['somethingNew', {}, null],
])('%s of %o', (kind, about, said) => {
  expect(writeShellCheck(check(kind, about), FACTS)).toBe(said);
});

test('run.sh has the functions that its checks call, and those that these call', () => {
  const names = listHelpers(['told_only painter holds x']).map((line) => line.split('(')[0]);
  expect(names).toEqual(['holds', 'lacks', 'hats', 'told_only']);
});

test.each([
  ['holds b c', 0],
  [
    `holds 'b
' c`,
    0,
  ],
  ['holds b a', 1],
  [`matches '^b$' a c`, 0],
  [`matches '^b$' a`, 1],
  ['lacks holds b a', 0],
  [`lacks matches b c`, 1],
  // A prompt that Ralph never sent lacks nothing.
  ['lacks holds b d', 1],
])('%s exits with %i', (command, code) => {
  const files = `cd "$1" && printf 'a\\n' > a && printf 'a\\nb\\n' > c`;
  const script = [files, ...listHelpers([command]), command].join('\n');
  expect(spawnSync('sh', ['-c', script, 'sh', tempFolder()], { env: { PATH: posixPath() } }).status).toBe(
    code,
  );
});

test('an event that is on record was published by Ralph or its agent, any other by somebody else', () => {
  const script = [
    'cd "$1" && BUG=. && mkdir .ralph && echo .ralph/events > .ralph/current-events',
    "echo 'Event: a.b - x' > prompt-2",
    `echo '{"topic":"'"$2"'","ts":"x"}' > .ralph/events`,
    ...listHelpers(['published']),
    'published a.b 2',
  ].join('\n');
  const run = (recorded: string) =>
    spawnSync('sh', ['-c', script, 'sh', tempFolder(), recorded], { env: { PATH: posixPath() } }).status;
  expect([run('a.b'), run('other')]).toEqual([1, 0]);
});
