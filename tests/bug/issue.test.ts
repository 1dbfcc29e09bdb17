import { expect, test } from 'vitest';
import { writeIssue } from '../../src/bug/reproduction.js';
import { HOSTILE_TEXTS } from '../report/support/hostile-corpus.js';
import { readOutline } from '../report/support/markdown-outline.js';

test.each(Object.entries(HOSTILE_TEXTS))('the text of an issue holds %s', (_, text) => {
  const said = { name: text, expected: text, actual: text, diff: null, suggestion: null };
  const check = {
    key: 'file',
    kind: 'fileContains',
    category: 'FileContains' as const,
    passed: false,
    ...said,
  };
  const issue = writeIssue({
    description: 'Ralph keeps files',
    reason: null,
    checks: [check],
    ralphVersion: '2.10.1',
    agent: 'Claude',
    cwd: '/nowhere',
    places: [],
  });
  const { problems, headings, bare } = readOutline(issue);
  expect(problems).toEqual([]);
  expect(headings).toHaveLength(7);
  expect(bare.filter((line) => /evil\.example|@octocat|#1\b|GH-1|CVE-/.test(line))).toEqual([]);
  expect(issue).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e]/);
});
