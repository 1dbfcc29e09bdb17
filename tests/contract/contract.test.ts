import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { CONTRACT } from '../../scenarios/contract/index.js';
import { catalogue } from '../../scenarios/index.js';
import { nameChecks } from '../../src/domain/check.js';
import { AREAS, type RalphPromise } from '../../src/domain/contract.js';
import { sampleContext } from '../../src/domain/scenario/sample-context.js';
import { BASES } from '../../src/kinds/ralph/diagnosis/basis/find-basis.js';
import { OBJECTIVE } from '../../src/kinds/ralph/diagnosis/prompt.js';
import { declareChecks } from '../../src/run/prove/plan.js';
import { OUTSIDE } from './outside.js';

const DOCUMENT = new URL('../../docs/ralph-contract.md', import.meta.url);
const SURFACE = z
  .array(z.string())
  .parse(JSON.parse(readFileSync(new URL('surface.json', import.meta.url), 'utf8')));

const PROMISES = Object.entries(CONTRACT).flatMap(([area, promises]) =>
  Object.entries(promises).map(([name, promise]) => ({ id: `${area}/${name}`, ...promise })),
);

test('every promise is held by a scenario or says why not', () => {
  const held = ({ heldBy = {} }: RalphPromise) => Object.keys(heldBy).length > 0;
  expect(PROMISES.filter((promise) => held(promise) && promise.not !== undefined)).toEqual([]);
  const open = PROMISES.filter((promise) => !held(promise) && promise.not === undefined);
  expect(open.map(({ id }) => id)).toEqual([]);
});

test('the scenarios and checks that hold a promise exist', () => {
  const checks = new Map(catalogue.map((scenario) => [scenario.id, checksOf(scenario)]));
  const missing = PROMISES.flatMap(({ id, heldBy = {} }) =>
    Object.entries(heldBy).flatMap(([scenario, names]) =>
      names
        .filter((name) => !checks.get(scenario)?.includes(name))
        .map((name) => `${id}: ${scenario}: ${name}`),
    ),
  );
  expect(missing).toEqual([]);
});

test('what special promises depend on is promised word for word', () => {
  const wording = ({ promise, source }: Pick<RalphPromise, 'promise' | 'source'>) => `${promise} ${source}`;
  const known = PROMISES.map(wording);
  const named = [...BASES.map(({ promise }) => promise), OBJECTIVE].map(wording);
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

test('promises and reasons name parts of the surface that exist', () => {
  const named = [
    ...PROMISES.flatMap(({ id, about = [] }) => about.map((part) => [id, part] as const)),
    ...Object.keys(OUTSIDE).map((part) => ['outside', part] as const),
  ];
  expect(named.filter(([, part]) => !SURFACE.includes(part)).map((pair) => pair.join(': '))).toEqual([]);
});

test('docs/ralph-contract.md says the same', () => {
  const text = render();
  if (process.env.UPDATE_DOCS) writeFileSync(DOCUMENT, text);
  expect(readFileSync(DOCUMENT, 'utf8')).toBe(text);
});

function checksOf(scenario: (typeof catalogue)[number]): readonly string[] {
  return scenario.backends.flatMap((backend) =>
    scenario.lanes.flatMap((lane) =>
      declareChecks(scenario, sampleContext(backend, lane)).map(({ key }) => key),
    ),
  );
}

function isOutside(part: string): boolean {
  const [kind, ...words] = part.split(' ');
  return Object.keys(OUTSIDE).some((outside) => {
    const [, ...prefix] = outside.split(' ');
    const below =
      kind === 'command' || kind === 'flag' ? prefix.every((word, at) => words[at] === word) : false;
    return part === outside || (outside.startsWith('command ') && below);
  });
}

function render(): string {
  return [
    '# What a user of Ralph can rely on',
    '',
    'Generated from scenarios/contract. Each promise has the place in Ralph where it is decided, and the scenarios that hold Ralph to it, with the names of their checks. Every command, flag, configuration key, hook phase, topic with a meaning and termination reason of Ralph belongs to a promise, or to the list at the end.',
    '',
    ...Object.entries(CONTRACT).flatMap(([area, promises]) => renderArea(area, Object.values(promises))),
    '## Not part of it',
    '',
    '| part of Ralph | why |',
    '|---|---|',
    ...Object.entries(OUTSIDE).map(([part, why]) => `| ${part} | ${why} |`),
    '',
  ].join('\n');
}

const titles = new Map<string, string>(Object.entries(AREAS));

function renderArea(area: string, promises: readonly RalphPromise[]): readonly string[] {
  const rows = promises.map(
    (promise) => `| ${promise.promise} | ${describeHolders(promise)} | ${promise.source} |`,
  );
  return [`## ${titles.get(area)}`, '', '| promise | held by | source |', '|---|---|---|', ...rows, ''];
}

function describeHolders({ heldBy = {}, not }: RalphPromise): string {
  if (not !== undefined) return `nobody: ${not}`;
  return Object.entries(heldBy)
    .map(([scenario, checks]) => `\`${scenario}\` (${checks.join(', ')})`)
    .join(', ');
}
