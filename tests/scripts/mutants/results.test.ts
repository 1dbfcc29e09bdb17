import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  mergeResults,
  newSurvivors,
  type Result,
  readResults,
  resume,
  writeResults,
} from '../../../scripts/mutants/results.mjs';
import { tempFolder } from '../../support/cli.js';

function result(id: string, change: Partial<Result> = {}): Result {
  return {
    id,
    set: 'own',
    area: 'limits',
    file: 'ralph-core/src/config.rs',
    breaks: 'A limit holds.',
    status: 'noticed',
    note: null,
    test: 'max-iterations [claude]',
    check: 'the loop ends',
    tried: 1,
    diagnosis: { judgment: 'right', rule: 'limit-reached-early', blames: 'target', areas: ['limits'] },
    key: 'k1',
    ...change,
  };
}

const NEVER = { again: () => false };

test('a second call goes on with what has no result', () => {
  const mutants = ['a', 'b', 'c'].map((id) => ({ id, key: 'k1' }));
  const { held, open } = resume(mutants, [result('a'), result('c')], NEVER);
  expect([...held.keys()]).toEqual(['a', 'c']);
  expect(open.map(({ id }) => id)).toEqual(['b']);
});

test('a result of another change or another catalog does not hold', () => {
  expect(resume([{ id: 'a', key: 'k2' }], [result('a')], NEVER).open).toHaveLength(1);
});

test('results can be asked for again', () => {
  const { open } = resume([{ id: 'a', key: 'k1' }], [result('a')], { again: () => true });
  expect(open).toHaveLength(1);
});

test('new results replace old ones, and mutants that are gone disappear', () => {
  const known = ['b', 'a', 'not-run-yet'].map((id) => result(id, { breaks: 'Another wording.' }));
  const merged = mergeResults(
    [result('a'), result('gone'), result('b')],
    [result('b', { status: 'survived' })],
    known,
  );
  expect(merged.map(({ id, status }) => [id, status])).toEqual([
    ['b', 'survived'],
    ['a', 'noticed'],
  ]);
  expect(merged.map(({ breaks }) => breaks)).toEqual(['Another wording.', 'Another wording.']);
});

test('a survivor is new unless it is listed as a survivor', () => {
  const survivors = ['listed', 'was-noticed', 'unknown'].map((id) => result(id, { status: 'survived' }));
  const listed = [result('listed', { status: 'survived' }), result('was-noticed')];
  expect(newSurvivors(survivors, listed).map(({ id }) => id)).toEqual(['was-noticed', 'unknown']);
});

test('what is written can be read, one mutant a line', () => {
  const path = join(tempFolder(), 'folder', 'results.json');
  const results = { ralph: '2.10.1', seed: 3, total: 2, mutants: [result('a'), result('b')] };
  writeResults(path, results);
  expect(readResults(path)).toEqual(results);
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(10);
});

test('no file is no result, and a broken file is an error', () => {
  expect(readResults(join(tempFolder(), 'none.json'))).toBeNull();
  const path = join(tempFolder(), 'results.json');
  writeFileSync(path, '{"ralph": 2}');
  expect(() => readResults(path)).toThrow(/results\.json has an unexpected form/);
});
