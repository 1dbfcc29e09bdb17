import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadNamed } from '../../../src/cli/input/load-scenarios.js';
import { isKnownError } from '../../../src/domain/common/known-error.js';
import { rehearse } from '../../../src/run/attempt/rehearse.js';
import { selectScenarios } from '../../../src/run/select/select.js';
import { runCli, tempFolder } from '../../support/cli.js';

const INDEX = new URL('../../../dist/index.js', import.meta.url).href;

const BASE = `
import { completed, loop, onObjective, scenario } from '${INDEX}';

const common = { tier: 2, priority: 'must', phase: 'green', covers: [], backends: ['claude'] };
const arrange = () => ({ config: loop({ maxIterations: 3 }), prompt: 'Do it.' });
`;

/** What a run of the module's scenarios is refused with before anything starts; null where it is not. */
async function refusalOf(text: string, name = 'mine.mjs'): Promise<string | null> {
  const file = join(tempFolder(), name);
  writeFileSync(file, text);
  try {
    const catalogue = await loadNamed({ scenarios: [file] });
    rehearse(selectScenarios(catalogue, { backends: ['claude', 'kiro'], lane: 'sim', filters: [] }), 'sim');
    return null;
  } catch (error) {
    if (isKnownError(error)) return error.message;
    throw error;
  }
}

const GOOD =
  "scenario({ ...common, id: 'good', description: 'Good', arrange, expect: () => [completed()], agent: [onObjective('Do it').says('Done.').completes()] })";

describe('a module that exports something else than scenarios', () => {
  test.each([
    [
      'a list within a list',
      `export const all = [[${GOOD}]];`,
      /all\[0\]: expected a scenario, found a list inside a list/,
    ],
    [
      'an object of scenarios',
      `export const all = { good: ${GOOD} };`,
      /all: expected a scenario, found an object with good/,
    ],
    ['a map', `export const all = new Map([['good', ${GOOD}]]);`, /all: expected a scenario, found a Map/],
    ['a function', `export const make = () => ${GOOD};`, /make: expected a scenario, found a function/],
    [
      'a promise',
      `export const later = Promise.resolve(${GOOD});`,
      /later: expected a scenario, found a Promise/,
    ],
    ['nothing', 'export const missing = undefined;', /missing: expected a scenario, found undefined/],
    [
      'a definition',
      "export const plain = { id: 'x', arrange };",
      /plain: expected a scenario, found an object with id, arrange/,
    ],
    [
      'a copy without arrange',
      `const { arrange: arange, ...rest } = ${GOOD}; export const copy = { ...rest, arange };`,
      /copy: scenario "good": .*arrange/,
    ],
  ])('is refused by name before anything runs: %s', async (_name, text, wanted) => {
    expect(
      await refusalOf(`${BASE}\nexport const fine = ${GOOD.replace("'good'", "'fine'")};\n${text}`),
    ).toMatch(wanted);
  });

  test('is refused as a CommonJS module too, where all that it exports is one value', async () => {
    const text = `const lib = import('${INDEX}');\nmodule.exports = lib.then((it) => it);`;
    expect(await refusalOf(text, 'promise.cjs')).toMatch(/default: expected a scenario, found a Promise/);
  });

  test('takes a scenario that is exported by name and in a list for one', async () => {
    expect(await refusalOf(`${BASE}\nexport const good = ${GOOD};\nexport const all = [good];`)).toBeNull();
  });

  test('ends the call with exit code 2, and nothing runs', async () => {
    const cwd = tempFolder();
    writeFileSync(
      join(cwd, 'mine.mjs'),
      `${BASE}\nexport const good = ${GOOD};\nexport const all = [[good]];`,
    );
    const { code, stdout, stderr } = await runCli(['--mock', '--scenarios', 'mine.mjs'], { cwd });
    expect(stderr).toMatch(/^error: --scenarios mine\.mjs: all\[0\]: /);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect([stdout, code]).toEqual(['', 2]);
  });
});

describe('a scenario with a field that nobody knows, or of another type', () => {
  const field = (name: string, value: string) =>
    GOOD.replace("description: 'Good',", `description: 'Good', ${name}: ${value},`);
  test.each([
    ['a misspelt field', field('expct', '() => []'), /scenario "good": .*expct/],
    ['a time limit in words', field('timeoutSeconds', "'5'"), /scenario "good": timeoutSeconds: /],
    ['a time limit that is no number', field('timeoutSeconds', 'NaN'), /scenario "good": timeoutSeconds: /],
    ['iterations in words', field('expectedIterations', "'3'"), /scenario "good": expectedIterations: /],
    [
      'a known issue without a link',
      field('knownIssue', "{ upTo: '9.9.9', reason: 'r', link: null, breaks: { completed: /x/ } }"),
      /scenario "good": knownIssue\.link: /,
    ],
    [
      'a known issue that does not say how its checks break',
      field('knownIssue', "{ upTo: '9.9.9', reason: 'r', link: 'l', breaks: ['completed'] }"),
      /scenario "good": knownIssue\.breaks: expected .* each with what it then shows, found a list/,
    ],
    [
      'a known issue that breaks nothing',
      field('knownIssue', "{ upTo: '9.9.9', reason: 'r', link: 'l', breaks: {} }"),
      /scenario "good": knownIssue\.breaks: expected .*, found none/,
    ],
    [
      'a known issue with a pattern that cannot be read',
      field('knownIssue', "{ upTo: '9.9.9', reason: 'r', link: 'l', breaks: { completed: '/(/' } }"),
      /scenario "good": knownIssue\.shows\.completed: expected a regular expression/,
    ],
    [
      'half a pressure factor',
      field('pressure', "[{ name: 'x' }]"),
      /scenario "good": pressure\[0\]\.description: /,
    ],
    ['programs as a word', field('programs', "'python3'"), /scenario "good": programs: /],
    [
      'an unknown companion',
      field('companions', "() => ['nope']"),
      /scenario "good": what companions returns: \[0\]: /,
    ],
    [
      'a saboteur that kills nothing',
      field('saboteurs', "{ x: { agent: (s) => s, kills: [], failure: 'EventMissing' } }"),
      /scenario "good": saboteurs\.x\.kills: /,
    ],
    [
      'a misspelt field of the arrangement',
      GOOD.replace('arrange,', "arrange: () => ({ ...arrange(), promt: 'Do it.' }),"),
      /scenario "good": what arrange returns: .*promt/,
    ],
    [
      'no check at all',
      GOOD.replace('[completed()]', '[]'),
      /scenario "good": what expect returns: expected at least one check/,
    ],
    [
      'a check that is not called',
      GOOD.replace('[completed()]', '[completed]'),
      /scenario "good": what expect returns: \[0\]: expected a check/,
    ],
    ['a text for checks', GOOD.replace('[completed()]', "''"), /scenario "good": what expect returns: /],
    [
      'a set of checks',
      GOOD.replace('[completed()]', 'new Set([completed()])'),
      /scenario "good": what expect returns: /,
    ],
  ])('is refused by name before anything runs: %s', async (_name, text, wanted) => {
    expect(await refusalOf(`${BASE}\nexport const good = ${text};`)).toMatch(wanted);
  });

  test('ends the call with exit code 2, and nothing runs', async () => {
    const cwd = tempFolder();
    const empty = GOOD.replace('[completed()]', '[]');
    writeFileSync(join(cwd, 'mine.mjs'), `${BASE}\nexport const good = ${empty};`);
    const { code, stdout, stderr } = await runCli(['--mock', '--scenarios', 'mine.mjs'], { cwd });
    expect(stderr).toMatch(/^error: scenario "good": what expect returns: expected at least one check/);
    expect([stdout, code]).toEqual(['', 2]);
  });

  test('expectations that are empty on one of its backends are refused', async () => {
    const uneven = GOOD.replace(
      '() => [completed()]',
      "({ backend }) => (backend === 'kiro' ? [] : [completed()])",
    );
    const text = `${BASE}\nexport const good = ${uneven.replace('...common,', "...common, backends: ['claude', 'kiro'],")};`;
    expect(await refusalOf(text)).toMatch(/what expect returns: expected at least one check/);
  });
});

test('a path with a backslash, which Node cannot load, is refused with what to do', async () => {
  const cwd = tempFolder();
  mkdirSync(join(cwd, 'a\\b'));
  writeFileSync(join(cwd, 'a\\b/mine.mjs'), 'export const all = [];');
  const args = ['claude', '--mock', '--list', '--scenarios', 'a\\b/mine.mjs'];
  const { code, stderr } = await runCli(args, { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain(
    'Node loads no module from a path with a backslash: rename the folder or the file.',
  );
});

test('a folder is refused, with what runs the cases of `claude plugin eval`', async () => {
  const folder = tempFolder();
  await expect(loadNamed({ scenarios: [folder] })).rejects.toMatchObject({
    message: `--scenarios ${folder}: expected a module that exports scenarios, found a folder.`,
    hint: expect.stringContaining('claude plugin eval'),
  });
});

test('two scenarios with one id are refused with the places of both and what to do', async () => {
  const put = (name: string) => {
    const file = join(tempFolder(), name);
    writeFileSync(file, `${BASE}\nexport const good = ${GOOD.replace("'good'", "'hat-single'")};`);
    return file;
  };
  const [one, other] = [put('one.mjs'), put('other.mjs')];
  await expect(loadNamed({ addScenarios: [one] })).rejects.toMatchObject({
    message: `Two scenarios have the id "hat-single": one is built in, one in ${one}.`,
    hint: `Change the id of the one in ${one}, or use --scenarios to run your file alone.`,
  });
  await expect(loadNamed({ scenarios: [one, other] })).rejects.toMatchObject({
    message: `Two scenarios have the id "hat-single": one in ${one}, one in ${other}.`,
    hint: `Change the id of the one in ${other}.`,
  });
});

test('a fault of the stand-in that does not exist is refused with the one that is meant', async () => {
  const wrong = GOOD.replace(/ }\)$/, ", saboteurs: { x: { target: 'lose-event', kills: ['ends'] } } })");
  expect(await refusalOf(`${BASE}\nexport const good = ${wrong};`)).toContain(
    'saboteurs.x.target: unknown value "lose-event": did you mean "lose-events"?',
  );
  expect(await refusalOf(`${BASE}\nexport const good = ${wrong.replace('lose-event', 'zzz')};`)).toMatch(
    /unknown value "zzz": expected one of \d+ words, such as /,
  );
});
