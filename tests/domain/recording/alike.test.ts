import { describe, expect, test } from 'vitest';
import { compareTexts, renameIn } from '../../../src/domain/recording/alike.js';

const OLD = '/old/place';
const NEW = '/new/place';
const compare = (recorded: string, received: string) =>
  compareTexts({ text: recorded, workspace: OLD }, { text: received, workspace: NEW });

describe('two prompts are alike', () => {
  test.each([
    ['the folder differs', 'See /old/place/notes.md.', 'See /new/place/notes.md.'],
    ['the ids of tasks differ', '- Sand (task-1794898642-e74c)', '- Sand (task-1794898999-b276)'],
    [
      'times differ',
      'created: 2026-11-17 at 2026-11-17T07:00:00Z',
      'created: 2027-01-02 at 2027-01-02T09:10:11Z',
    ],
    [
      'the names of event files differ',
      '.ralph/events-20261117-065049.jsonl',
      '.ralph/events-20261201-101112.jsonl',
    ],
    ['only blank ends differ', 'Go on.\n', 'Go on.'],
  ])('if %s', (_, recorded, received) => {
    expect(compare(recorded, received)).toMatchObject({ alike: true });
  });

  test('and tell what has another name now', () => {
    const found = compare('Close task-1794898642-e74c.', 'Close task-1794898999-b276.');
    expect(found.alike && [...found.renamed]).toEqual([['task-1794898642-e74c', 'task-1794898999-b276']]);
  });
});

describe('two prompts differ', () => {
  test.each([
    ['a word differs', 'Say yes.', 'Say no.'],
    ['a line is missing', 'a\nb\nc', 'a\nc'],
    ['a number differs', 'Work out 12 + 30.', 'Work out 12 + 31.'],
    ['a time limit differs', 'You have 30s.', 'You have 60s.'],
    [
      'one id became two',
      'task-1794898642-e74c blocks task-1794898642-e74c',
      'task-1794898999-b276 blocks task-1794898999-0000',
    ],
    [
      'two ids became one',
      'task-1794898642-e74c blocks task-1794898642-0000',
      'task-1794898999-b276 blocks task-1794898999-b276',
    ],
    ['a memory became a task', 'See mem-1794898642-e74c.', 'See task-1794898999-b276.'],
    ['a date became an age', 'Due 2026-01-01.', 'Due just now.'],
  ])('if %s', (_, recorded, received) => {
    expect(compare(recorded, received)).toMatchObject({ alike: false });
  });

  test('and the difference shows the lines in both places, without what is the same', () => {
    const found = compare(
      'head\nold one\nsame\nmore\nsame\nold two\nend',
      'head\nsame\nmore\nsame\nnew two\nend',
    );
    expect(found).toEqual({
      alike: false,
      difference: ['  head', '- old one', '  same', '- old two', '+ new two'].join('\n'),
    });
  });

  test('and a long difference is cut', () => {
    const lines = (word: string) => Array.from({ length: 100 }, (_, index) => `${word} ${index}`).join('\n');
    const found = compare(lines('old'), lines('new'));
    expect(found.alike ? '' : found.difference.split('\n')).toHaveLength(25);
    expect(found.alike ? '' : found.difference).toMatch(/\n\(176 more lines\)$/);
  });
});

test('a recorded text is written with the new folder and the new ids', () => {
  const renamed = new Map([['mem-1794898642-e74c', 'mem-1794898999-b276']]);
  expect(
    renameIn('cat /old/place/a && ralph tools memory show mem-1794898642-e74c', {
      from: OLD,
      to: NEW,
      renamed,
    }),
  ).toBe('cat /new/place/a && ralph tools memory show mem-1794898999-b276');
});
