import { expect, test } from 'vitest';
import { listHelpers, writeShellCheck } from '../../src/bug/shell-checks.js';
import type { About, CheckResult } from '../../src/domain/check.js';

const check = (kind: string, about: About): CheckResult => ({
  ...{ kind, about, name: 'a promise', category: 'Harness' as const, passed: false },
  ...{ expected: '', actual: '', diff: null, suggestion: null },
});
const FACTS = { after: ['tools memory list'], deeds: 'printf 1 > sum.txt' };

test.each<[string, About, string | null]>([
  ['completed', {}, 'ended 0 completed'],
  ['terminatedBecause', { reason: 'max_cost', exitCode: 2 }, 'ended 2 max_cost'],
  // Journals of an older ralph-e2e do not have the exit code among the facts.
  ['terminatedBecause', { reason: 'max_cost' }, null],
  ['fileEquals', { path: 'sum.txt', text: "it's" }, `equals sum.txt 'it'\\''s'`],
  // Nothing in the reproduction writes this file, so its absence says nothing.
  ['fileEquals', { path: 'other.txt', text: '1' }, null],
  [
    'fileContains',
    { path: 'sum.txt', pattern: '/^- \\d+ a\\.b$/m' },
    `grep -qE -e '^- [0-9]+ a\\.b$' sum.txt`,
  ],
  ['fileContains', { path: 'sum.txt', pattern: '/a[\\s\\S]*b/' }, null],
  ['fileContains', { path: 'sum.txt', pattern: '/^whole$/' }, null],
  ['keptOutOfPrompt', { iteration: 2, text: 'a b' }, `lacks "$BUG/prompt-2" 'a b'`],
  ['memoriesListed', { names: ['tools memory list'], texts: ['a\nb'] }, `holds "$dir/after-1.txt" '"a\\nb"'`],
  ['memoriesListed', { names: ['tools memory search'], texts: ['a'] }, null],
  ['somethingNew', {}, null],
])('%s of %o', (kind, about, said) => {
  expect(writeShellCheck(check(kind, about), FACTS)).toBe(said);
});

test('run.sh has the functions that its checks call, and those that these call', () => {
  const names = listHelpers(['told_only painter x']).map((line) => line.split('(')[0]);
  expect(names).toEqual(['holds', 'lacks', 'hats', 'told_only']);
});
