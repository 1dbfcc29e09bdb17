import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { catalogue } from '../../scenarios/index.js';
import { readContract } from '../../scripts/contract.mjs';
import { BACKEND_IDS } from '../../src/domain/backends.js';
import { nameChecks } from '../../src/domain/check.js';
import type { HeldPromise } from '../../src/domain/contract.js';
import { sampleContext } from '../../src/domain/scenario/sample-context.js';
import { FACTS } from '../../src/kinds/ralph/diagnosis/facts.js';
import { declareChecks } from '../../src/run/prove/plan.js';

const SURFACE = z
  .array(z.string())
  .parse(JSON.parse(readFileSync(new URL('surface.json', import.meta.url), 'utf8')));

const {
  promises: PROMISES,
  outside: OUTSIDE,
  classes: CLASSES,
} = readContract(readFileSync(new URL('../../docs/ralph-contract.md', import.meta.url), 'utf8'));

test('the scenarios and checks that hold a promise exist', () => {
  const checks = new Map(catalogue.map((scenario) => [scenario.id, checksOf(scenario)]));
  const missing = PROMISES.flatMap(({ area, id, holders }) =>
    holders.flatMap(({ scenario, except, checks: names }) => [
      ...except.filter((backend) => !BACKEND_IDS.some((known) => known === backend)),
      ...BACKEND_IDS.filter((backend) => !except.includes(backend))
        .map((backend) => scenario.replace('<backend>', backend))
        .flatMap((holder) => names.map((name) => [holder, name] as const))
        .filter(([holder, name]) => !checks.get(holder)?.includes(name))
        .map((pair) => `${area}/${id}: ${pair.join(': ')}`),
    ]),
  );
  expect([...new Set(missing)]).toEqual([]);
});

test('a scenario names promises only in areas of the page', () => {
  const areas = PROMISES.map(({ area }) => area);
  const named = catalogue.flatMap(({ promises }) => Object.values(promises).flat());
  expect(named.filter(({ area }) => !areas.includes(area))).toEqual([]);
});

test('what the diagnosis calls broken in general is promised word for word', () => {
  const wording = ({ area, promise, source }: Pick<HeldPromise, 'area' | 'promise' | 'source'>) =>
    `${area}: ${promise} ${source}`;
  const known = PROMISES.map(wording);
  const named = FACTS.map(({ promise }) => wording(promise));
  expect(named.filter((one) => !known.includes(one))).toEqual([]);
});

test('every scenario of Ralph holds it to a promise', () => {
  const idle = catalogue.filter(
    ({ kind, promises }) => kind === 'ralph' && Object.keys(promises).length === 0,
  );
  expect(idle.map(({ id }) => id)).toEqual([]);
});

test('a check on a command with -H holds Ralph to a promise about -H', () => {
  const silent = catalogue.flatMap((scenario) =>
    nameChecks(scenario.expect(sampleContext('claude', 'sim')))
      .filter(({ kind, about }) => kind === 'errandAnswered' && / -H /.test(` ${about?.names?.[0] ?? ''} `))
      .filter(({ key }) => !scenario.promises[key]?.some(({ about }) => about?.includes('flag --hats')))
      .map(({ key }) => `${scenario.id}: ${key}`),
  );
  expect(silent).toEqual([]);
});

test('every part of the surface has a promise about it, or a reason why not', () => {
  const about = new Set(PROMISES.flatMap((promise) => promise.about ?? []));
  expect(SURFACE.filter((part) => !about.has(part) && !isOutside(part))).toEqual([]);
});

test('each of the eight classes of regressions has promises, and the checks that cover them hold them', () => {
  expect(CLASSES.map(({ covers }) => covers.length > 0)).toEqual(Array.from({ length: 8 }, () => true));
  const held = new Set(PROMISES.flatMap(({ area, id, holders }) => pairsOf(`${area}/${id}`, holders)));
  const covered = CLASSES.flatMap(({ covers }) =>
    covers.flatMap(({ promise, holders }) => pairsOf(promise, holders)),
  );
  expect(covered.filter((pair) => !held.has(pair))).toEqual([]);
});

/** Words of a promise that put it into a class of regressions, by the number of the class. */
const TELLTALES: Readonly<Record<number, RegExp>> = {
  1: /\bcut\b|\bASCII\b/,
  2: /\bat the same time\b/,
  3: /\bfolder below\b|\bcurrent folder\b/,
  5: /\bexactly\b|\bbudget\b|\btotal\b/,
};

test.each(Object.entries(TELLTALES))('class %s has every promise that says so', (number, words) => {
  const covers = CLASSES[Number(number) - 1]?.covers ?? [];
  const named = new Set(covers.map(({ promise }) => promise));
  const telling = PROMISES.filter(({ promise }) => words.test(promise));
  expect(telling.map(({ area, id }) => `${area}/${id}`).filter((promise) => !named.has(promise))).toEqual([]);
});

test('promises and reasons name parts of the surface that exist', () => {
  const named = [
    ...PROMISES.flatMap(({ area, id, about = [] }) => about.map((part) => [`${area}/${id}`, part] as const)),
    ...Object.keys(OUTSIDE).map((part) => ['outside', part] as const),
  ];
  expect(named.filter(([, part]) => !SURFACE.includes(part)).map((pair) => pair.join(': '))).toEqual([]);
});

function pairsOf(promise: string, holders: (typeof PROMISES)[number]['holders']): readonly string[] {
  return holders.flatMap(({ scenario, checks }) => checks.map((name) => `${promise}: ${scenario}: ${name}`));
}

function checksOf(scenario: (typeof catalogue)[number]): readonly string[] {
  return scenario.backends.flatMap((backend) =>
    scenario.lanes.flatMap((lane) =>
      declareChecks(scenario, sampleContext(backend, lane)).map(({ key }) => key),
    ),
  );
}

/** An entry covers what is below it, too: `command web` covers `flag web --no-open`. */
function isOutside(part: string): boolean {
  const [kind, ...words] = part.split(' ');
  return Object.keys(OUTSIDE).some((outside) => {
    const [, ...prefix] = outside.split(' ');
    const below =
      kind === 'command' || kind === 'flag' ? prefix.every((word, at) => words[at] === word) : false;
    return part === outside || (outside.startsWith('command ') && below);
  });
}
