import { describe, expect, test } from 'vitest';
import * as checks from '../../../../src/authoring.js';
import type { Check } from '../../../../src/domain/check.js';
import type { ErrandRecord, Evidence, Memory } from '../../../../src/domain/evidence/evidence.js';
import { parseMemories } from '../../../../src/kinds/ralph/evidence/memory-text.js';
import { makeEvidence, makeIteration } from '../../../domain/support/evidence.js';

const MEMORY: Memory = {
  id: 'mem-1700000001-aaaa',
  type: 'fix',
  content: 'restart it',
  tags: ['a', 'b'],
  created: '2026-01-31',
};

/** A prompt as Ralph builds it: memories, then the orientation, whose quotes are not memories. */
const inPrompt = (memories: string, next = '### 0a. ORIENTATION') => ({
  iterations: [makeIteration(`<ready-tasks>\n</ready-tasks>\n\n${memories}\n\n${next}\n\n> the objective`)],
});
const block = (...contents: readonly string[]) =>
  `# Memories\n\n## Fixes\n${contents
    .map((content) => `\n### mem-1700000001-aaaa\n> ${content}\n<!-- tags: a, b | created: 2026-01-31 -->\n`)
    .join('')}`;
const NOTE = '\n\n<!-- truncated: budget 30 tokens exceeded -->';

const errand = (stdout: string, change: Partial<ErrandRecord> = {}): Partial<Evidence> => ({
  errands: [
    { when: 'after', command: ['/bin/ralph', 'list', 'x'], exitCode: 0, stdout, stderr: '', ...change },
  ],
});
const LISTED = JSON.stringify([{ content: 'two' }, { content: 'one' }]);

/** For each check: evidence on which it passes, and the smallest changes that must make it fail. */
const CASES: [Check, Partial<Evidence>, ...Partial<Evidence>[]][] = [
  [
    checks.memoryStored({ content: 'restart it', type: 'fix', tags: ['a', 'b'] }),
    { memories: [MEMORY] },
    {},
    { memories: [{ ...MEMORY, content: 'restart it!' }] },
    { memories: [{ ...MEMORY, type: 'pattern' }] },
    { memories: [{ ...MEMORY, tags: ['a'] }] },
  ],
  [
    checks.memoryAbsent('restart it'),
    { memories: [{ ...MEMORY, content: 'other' }] },
    { memories: [MEMORY] },
  ],
  [
    checks.memoryInjected({ content: 'restart it', type: 'fix', tags: ['a', 'b'] }, { iteration: 1 }),
    inPrompt(block('other', 'restart it')),
    { iterations: [makeIteration(null)] },
    { iterations: [makeIteration(block('restart it'), 2)] },
    inPrompt(block('other')),
    inPrompt(block('restart it').replace('Fixes', 'Patterns')),
    // Text in the objective is not a memory.
    inPrompt('restart it'),
    inPrompt('', '> restart it'),
  ],
  [
    checks.keptOutOfPrompt('restart it'),
    inPrompt(block('other')),
    inPrompt(block('restart it')),
    inPrompt('', 'restart it'),
    { iterations: [] },
  ],
  [
    checks.noMemoriesInjected({ iteration: 1 }),
    inPrompt(''),
    inPrompt(block('other')),
    { iterations: [makeIteration(null)] },
  ],
  [
    checks.memoryBudgetKept(30, { iteration: 1 }),
    inPrompt(`${block('x'.repeat(10)).trimEnd()}${NOTE}`, '<ralph-tools-skill>'),
    inPrompt(''),
    inPrompt(block('x'.repeat(10)).trimEnd()),
    inPrompt(`${block('x'.repeat(60)).trimEnd()}${NOTE}`),
    inPrompt(`${block('x'.repeat(10)).trimEnd()}${NOTE.replace('30', '31')}`),
    inPrompt(`# Memories\n\n## Fixes\n\n### mem-1700000001-aaaa\n> xx${NOTE}`),
  ],
  [
    checks.errandAnswered('list x', { exitCode: 1, stdout: 'out', stderr: /^err/ }),
    errand('an out', { exitCode: 1, stderr: 'err or' }),
    {},
    errand('an out', { exitCode: 0, stderr: 'err or' }),
    errand('nothing', { exitCode: 1, stderr: 'err or' }),
    errand('an out', { exitCode: 1, stderr: 'no err' }),
    errand('an out', { exitCode: 1, stderr: 'err or', command: ['/bin/ralph', 'list'] }),
  ],
  [
    checks.errandAnswered('list x', {}),
    errand(''),
    errand('', { exitCode: 1 }),
    // It timed out.
    errand('', { exitCode: null }),
  ],
  [
    checks.memoriesListed('list x', ['one', 'two']),
    errand(LISTED),
    {},
    errand(LISTED, { exitCode: 2 }),
    errand('No memories yet.'),
    errand('{}'),
    errand(JSON.stringify([{ content: 'one' }])),
    errand(JSON.stringify([{ content: 'one' }, { content: 'two' }, { content: 'two' }])),
  ],
  [
    checks.taskIs('sweep', 'closed'),
    { tasks: [{ id: 't', title: 'sweep', status: 'closed' }] },
    {},
    { tasks: [{ id: 't', title: 'sweep', status: 'open' }] },
    { tasks: [{ id: 't', title: 'sweep up', status: 'closed' }] },
  ],
];

describe('checks of memories, tasks and errands', () => {
  test.each(CASES.map(([check, ...evidence]) => [check.name, check, evidence] as const))(
    '%s: holds and can be broken',
    (_name, check, [holds, ...breaks]) => {
      expect(check.judge(makeEvidence(holds))).toMatchObject({ passed: true });
      for (const change of breaks) {
        const verdict = check.judge(makeEvidence(change));
        expect(verdict, JSON.stringify(change)).toMatchObject({ passed: false });
        expect(verdict.expected).not.toBe('');
        expect(verdict.actual).not.toBe('');
      }
    },
  );

  test('the last answer counts when a command was run before and after', () => {
    const check = checks.errandAnswered('list x', { stdout: 'new' });
    const [before] = errand('old', { when: 'before' }).errands ?? [];
    const [after] = errand('new').errands ?? [];
    const run = (...records: (ErrandRecord | undefined)[]) =>
      check.judge(makeEvidence({ errands: records.flatMap((record) => record ?? []) })).passed;
    expect([run(before, after), run(after, before)]).toEqual([true, false]);
  });

  test('a lost blank line is seen in what a check says', () => {
    const { expected, actual } = checks
      .memoriesListed('list x', ['a\n\nb'])
      .judge(makeEvidence(errand(JSON.stringify([{ content: 'a\nb' }]))));
    expect([expected, actual]).toEqual([
      'exit code 0 and JSON with "a\\n\\nb"',
      'exit code 0 and JSON with "a\\nb"',
    ]);
  });

  test('a long memory is named by its two ends', () => {
    const { name } = checks.memoryStored({ content: `begin ${'x'.repeat(500)} end` });
    expect(name).toMatch(/^the memory "begin x+" … "x+ end" is stored$/);
    expect(name.length).toBeLessThan(120);
  });

  test('a memory that is found reads the same whatever is wanted: known issues are recognized by that text', () => {
    const content = `begin ${'x'.repeat(500)} end`;
    const read = (wanted: string) =>
      checks.memoryStored({ content: wanted }).judge(makeEvidence({ memories: [{ ...MEMORY, content }] }))
        .actual;
    expect(read(`${content}ed`)).toBe(read('something else'));
  });
});

test('a section ends the memory before it: a quote under it belongs to no memory', () => {
  const text = `${block('restart it')}\n## Context\n\n> nobody's words\n`;
  expect(parseMemories(text).map(({ content }) => content)).toEqual(['restart it']);
});
