import { expect, test } from 'vitest';
import { readTraces } from '../../../scripts/mutants/baseline.mjs';
import { findGuilty } from '../../../scripts/mutants/compiler-errors.mjs';
import { type Diagnosis, judgeDiagnosis, type TestResult, tryMutant } from '../../../scripts/mutants/run.mjs';
import { unpin } from '../../../scripts/mutants/sources.mjs';

const MUTANT = { id: 'm', area: 'memories', file: 'ralph-core/src/memory_store.rs' };

const DIAGNOSIS: Diagnosis = {
  rule: 'store-differs',
  failure_type: 'AssertionMismatch',
  blames: 'target',
  areas: ['memories'],
  root_cause_hypothesis: '',
  suggested_investigations: [],
  potential_fixes: [],
};

/** Plays ralph-e2e: each call gets the outcomes of its tests, up to the first failure. */
function fakeRuns(outcomes: Record<string, string>) {
  const calls: string[][] = [];
  const run = async ({ tests, backends }: { tests: readonly string[]; backends: readonly string[] }) => {
    calls.push([...backends, ...tests]);
    const results: TestResult[] = [];
    for (const id of tests) {
      const outcome = outcomes[id] ?? 'passed';
      const passed = outcome === 'passed' || outcome === 'known-issue';
      results.push({
        scenario_id: id,
        backend: backends[0] ?? '',
        outcome,
        inconclusive: false,
        duration_seconds: 1,
        error: null,
        assertions: [{ key: 'holds', passed }],
        diagnosis: passed ? null : DIAGNOSIS,
      });
      if (!passed) return { code: 1, results, said: '' };
    }
    return { code: 0, results, said: '' };
  };
  return { calls, run };
}

const reached = () => ['hooks-run', 'memory-add', 'hat-single', 'memory-list'];

test('the likeliest scenarios run first, and the first failure ends it', async () => {
  const { calls, run } = fakeRuns({ 'memory-list': 'failed' });
  const verdict = await tryMutant(MUTANT, { ralph: 'x', jobs: 1, reached, run });
  expect(calls).toEqual([['claude', 'memory-add', 'memory-list']]);
  expect(verdict).toEqual({
    status: 'noticed',
    tried: 2,
    test: 'memory-list [claude]',
    check: 'holds',
    diagnosis: { judgment: 'right', rule: 'store-differs', blames: 'target', areas: ['memories'] },
  });
});

test('the test that noticed it the last time runs first', async () => {
  const { calls, run } = fakeRuns({ 'hat-single': 'failed' });
  const last = 'hat-single [claude]';
  const verdict = await tryMutant(MUTANT, { ralph: 'x', jobs: 1, reached, last, run });
  expect(calls).toEqual([['claude', 'hat-single']]);
  expect(verdict).toMatchObject({ status: 'noticed', tried: 1, test: last });
});

test('when that test no longer notices it, everything else runs once', async () => {
  const { calls, run } = fakeRuns({});
  const verdict = await tryMutant(MUTANT, { ralph: 'x', jobs: 1, reached, last: 'hat-single [claude]', run });
  expect(
    calls
      .flat()
      .filter((id) => id !== 'claude')
      .sort(),
  ).toEqual([...reached()].sort());
  expect(verdict).toMatchObject({ status: 'survived', tried: 4 });
});

test('a survivor has run everything that reaches it; a known issue notices nothing', async () => {
  const { calls, run } = fakeRuns({ 'memory-add': 'known-issue' });
  const verdict = await tryMutant(MUTANT, { ralph: 'x', jobs: 1, reached, run });
  expect(calls).toHaveLength(2);
  expect(verdict).toMatchObject({ status: 'survived', tried: 4, test: null });
});

test('a mutant that no scenario reaches survives without a run', async () => {
  const { calls, run } = fakeRuns({});
  const verdict = await tryMutant(MUTANT, { ralph: 'x', jobs: 1, reached: () => [], run });
  expect(calls).toEqual([]);
  expect(verdict).toMatchObject({ status: 'survived', tried: 0 });
});

test('a test without a verdict does not end it: the others still run', async () => {
  const { calls, run } = fakeRuns({ 'memory-add': 'error', 'hooks-run': 'failed' });
  const verdict = await tryMutant(MUTANT, { ralph: 'x', jobs: 1, reached, run });
  expect(calls.flat()).toContain('memory-list');
  expect(verdict).toMatchObject({ status: 'noticed', test: 'hooks-run [claude]' });
});

test('if nothing but tests without a verdict is left, the mutant is not noticed', async () => {
  const { run } = fakeRuns({ 'memory-add': 'error' });
  expect(await tryMutant(MUTANT, { ralph: 'x', jobs: 1, reached, run })).toMatchObject({
    status: 'inconclusive',
  });
});

test('a harness that fails without a failed test is an error, not a result', async () => {
  const run = async () => ({ code: 2, results: [], said: 'no space left' });
  await expect(tryMutant(MUTANT, { ralph: 'x', jobs: 1, reached, run })).rejects.toThrow(/no space left/);
});

test('a Ralph that cannot even say its version is noticed', async () => {
  const run = async () => ({
    code: 2,
    results: [],
    said: '/x/ralph (from --ralph) is not Ralph: expected "ralph <version>"',
  });
  expect(await tryMutant(MUTANT, { ralph: 'x', jobs: 1, reached, run })).toMatchObject({
    status: 'noticed',
    test: '`ralph --version`',
  });
});

test('each test has the switches that were passed in its workspace, also below it', () => {
  const notes = [
    '/out/claude-connect\ta',
    '/out/hat-single-kiro/sub\tb',
    '/out/hat-single-kiro\tb',
    '/tmp\tc',
    '',
  ].join('\n');
  const tests = [
    { scenario: 'claude-connect', backend: 'claude' },
    { scenario: 'hat-single', backend: 'kiro' },
    { scenario: 'hat-single', backend: 'claude' },
  ];
  expect(readTraces(notes, '/out', tests).map(({ ids }) => ids)).toEqual([['a', 'c'], ['b', 'c'], ['c']]);
});

test.each([
  ['names the area', {}, 'right'],
  [
    'names the file',
    { areas: [], potential_fixes: [{ description: '', file_to_modify: `crates/${MUTANT.file}` }] },
    'right',
  ],
  ['names nothing', { areas: [] }, 'vague'],
  ['names another area', { areas: ['gates'] }, 'misleading'],
  ['blames the agent', { blames: 'agent' }, 'misleading'],
] as const)('a diagnosis that %s', (_, change, judgment) => {
  expect(
    judgeDiagnosis(
      {
        ...DIAGNOSIS,
        ...change,
        areas: 'areas' in change ? [...change.areas] : DIAGNOSIS.areas,
        potential_fixes: [...('potential_fixes' in change ? change.potential_fixes : [])],
      },
      MUTANT,
    ),
  ).toBe(judgment);
});

const PLACES = new Map([
  [
    'ralph-core/src/a.rs',
    [
      { ids: ['outer'], start: 0, end: 100 },
      { ids: ['inner'], start: 10, end: 20 },
      { ids: ['own'], start: 200, end: 210 },
    ],
  ],
]);

function compilerError(byte_start: number, byte_end: number) {
  const spans = [{ file_name: 'src/a.rs', byte_start, byte_end }];
  const message = { level: 'error', rendered: 'error[E0308]: mismatched types', spans };
  return { reason: 'compiler-message', manifest_path: '/cache/ralph-core/Cargo.toml', message };
}

test('an error is blamed on the smallest drawn mutant around it', () => {
  const guilty = findGuilty([compilerError(12, 13), compilerError(50, 51)], PLACES, new Set(['own']));
  expect([...guilty]).toEqual(['inner', 'outer']);
});

test('an error in an own mutant names it, and one outside of all says so', () => {
  expect(() => findGuilty([compilerError(201, 202)], PLACES, new Set(['own']))).toThrow(
    /in own:\nerror\[E0308\]/,
  );
  expect(() => findGuilty([compilerError(300, 301)], PLACES, new Set(['own']))).toThrow(
    /outside of all mutants/,
  );
});

test('only the copied crates lose their source in the lock file', () => {
  const block = (name: string) =>
    `[[package]]\nname = "${name}"\nversion = "1.0.0"\nsource = "registry"\nchecksum = "abc"\n`;
  expect(unpin([block('ralph-core'), block('ralph-tui')].join('\n'), ['ralph-core'])).toBe(
    ['[[package]]\nname = "ralph-core"\nversion = "1.0.0"\n', block('ralph-tui')].join('\n'),
  );
});
