import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue } from '../../scenarios/index.js';
import type { Scenario } from '../../src/domain/scenario/scenario.js';
import { listDeclared } from './declared.js';
import { isPluginRequirement } from './functional-requirements.js';
import { NOT_TESTED, REQUIREMENTS, type RequirementId, WEAKER } from './requirements.js';

const DOCUMENT = new URL('../../docs/coverage.md', import.meta.url);

const declared = listDeclared();
const IDS = Object.keys(REQUIREMENTS).filter((id): id is RequirementId => id in REQUIREMENTS);

function scenariosFor(id: string): Scenario[] {
  return catalogue.filter(({ covers }) => covers.includes(id));
}

/** Whether nothing that holds a requirement runs without the real programs. */
function needsRealPrograms(id: string): boolean {
  const tests = declared.filter((test) => test.id === id);
  return (
    tests.every(({ file }) => /^(?:real|agreement)\//.test(file)) &&
    scenariosFor(id).every(({ lanes, unplayable }) => !lanes.includes('sim') || unplayable.sim !== undefined)
  );
}

test('all requirements are listed, in their order', () => {
  const ids = ['H', 'C', 'A'].flatMap((letter) =>
    Array.from({ length: 99 }, (_, index) => `${letter}${index + 1}`).filter(isPluginRequirement),
  );
  expect(IDS).toEqual(ids);
});

test('each is held by a scenario or a test, or says why it does not apply', () => {
  const held = (id: RequirementId) => declared.some((test) => test.id === id) || scenariosFor(id).length > 0;
  const open = IDS.filter((id) => (NOT_TESTED[id] === undefined) !== held(id));
  expect(open.map((id) => `${id} ${REQUIREMENTS[id]}`)).toEqual([]);
});

test('docs/coverage.md says the same', () => {
  const text = render();
  if (process.env.UPDATE_DOCS) writeFileSync(DOCUMENT, text);
  expect(readFileSync(DOCUMENT, 'utf8')).toBe(text);
});

function render(): string {
  return [
    '# What the conversation and plugin tests cover',
    '',
    'For whoever asks which test holds a requirement. Generated from the tests: a scenario declares in `covers` what it holds, a test with `covers(…)`. A requirement without either says why it does not apply, and one that is held only in part says what is missing. Tests in `tests/real` and `tests/agreement` run only with the real programs (`npm run test:real`, `npm run test:agreement`), as do scenarios that the stand-ins cannot play; a requirement that has nothing else is marked “real programs only”.',
    '',
    '| id | requirement | covered by |',
    '|---|---|---|',
    ...IDS.map((id) => `| ${id} | ${REQUIREMENTS[id]} | ${describe(id)} |`),
    '',
  ].join('\n');
}

function describe(id: RequirementId): string {
  const why = NOT_TESTED[id];
  if (why !== undefined) return `does not apply: ${why}`;
  const scenarios = scenariosFor(id);
  const shown = scenarios.slice(0, 4).map((scenario) => `\`${scenario.id}\``);
  const more = scenarios.length > 4 ? [`and ${scenarios.length - 4} more scenarios`] : [];
  const places = declared.filter((test) => test.id === id).map(({ file, name }) => `tests/${file}: ${name}`);
  const less = WEAKER[id] === undefined ? '' : `. **Weaker than asked:** ${WEAKER[id]}`;
  const real = needsRealPrograms(id) ? ' (real programs only)' : '';
  return `${[...shown, ...more, ...places].join('; ')}${real}${less}`;
}
