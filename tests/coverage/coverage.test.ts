import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue } from '../../scenarios/index.js';
import { isPluginRequirement } from '../../src/domain/scenario/requirements.js';
import { REQUIREMENTS, type Requirement } from './requirements.js';

const DOCUMENT = new URL('../../docs/coverage.md', import.meta.url);
const TESTS = new URL('../', import.meta.url);

const ENTRIES = Object.entries(REQUIREMENTS);

function scenariosFor(id: string): string[] {
  return catalogue.filter(({ covers }) => covers.includes(id)).map((scenario) => scenario.id);
}

test('all requirements are listed, in their order', () => {
  const ids = ['H', 'C', 'A'].flatMap((letter) =>
    Array.from({ length: 99 }, (_, index) => `${letter}${index + 1}`).filter(isPluginRequirement),
  );
  expect(ENTRIES.map(([id]) => id)).toEqual(ids);
});

test('each is held by a scenario or a test, or says why it does not apply', () => {
  const open = ENTRIES.filter(
    ([id, { tests = [], not }]) => not === undefined && tests.length === 0 && scenariosFor(id).length === 0,
  );
  expect(open.map(([id, { what }]) => `${id} ${what}`)).toEqual([]);
});

test('every test that is named exists under that name', () => {
  const missing = ENTRIES.flatMap(([id, { tests = [] }]) =>
    tests.flatMap(([file, name]) => {
      const path = new URL(file, TESTS);
      return existsSync(path) && readFileSync(path, 'utf8').includes(name) ? [] : [`${id}: ${file}: ${name}`];
    }),
  );
  expect(missing).toEqual([]);
});

test('docs/coverage.md says the same', () => {
  const text = render();
  if (process.env.UPDATE_DOCS) writeFileSync(DOCUMENT, text);
  expect(readFileSync(DOCUMENT, 'utf8')).toBe(text);
});

function render(): string {
  const rows = ENTRIES.map(
    ([id, requirement]) => `| ${id} | ${requirement.what} | ${describe(id, requirement)} |`,
  );
  return [
    '# What the conversation and plugin tests cover',
    '',
    'Generated from the tests. Each requirement has the scenarios and tests that cover it, or the reason why it does not apply.',
    '',
    '| id | requirement | covered by |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function describe(id: string, { tests = [], not }: Requirement): string {
  if (not !== undefined) return `does not apply: ${not}`;
  const scenarios = scenariosFor(id);
  const shown = scenarios.slice(0, 4).map((name) => `\`${name}\``);
  const more = scenarios.length > 4 ? [`and ${scenarios.length - 4} more scenarios`] : [];
  const places = tests.map(([file, name]) => `tests/${file}: ${name}`);
  return [...shown, ...more, ...places].join('; ');
}
