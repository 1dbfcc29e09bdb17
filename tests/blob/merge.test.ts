import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { mergeRuns } from '../../src/blob/merge.js';
import { mergeReportsCommand } from '../../src/cli/commands/merge-reports.js';
import { KnownError } from '../../src/domain/common/known-error.js';
import type { Readiness } from '../../src/domain/evidence/readiness.js';
import { type RunCall, runCallSchema } from '../../src/domain/run-call.js';
import { writeUp } from '../../src/harness/harness.js';
import { ROOT_MARKER } from '../../src/workspace/workspace-root.js';
import { tempFolder } from '../support/cli.js';
import { type Part, PLAN, writePart } from './support/archive.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Merges blobs into a new folder, and returns what came out and where. */
async function merge(folder: string, blobs: readonly string[]) {
  const output = join(folder, 'merged');
  const call = { blobs, output, program: ['ralph-e2e'], startedIn: folder };
  return { ...(await mergeRuns(call, (run) => writeUp(run, ['json'], {}))), output };
}

/** Merges two shards that do not fit, and returns the error. Nothing may be written. */
async function refusalOf(one: Part, other: Part): Promise<string> {
  const folder = tempFolder();
  const blobs = [await writePart(join(folder, 'a'), one), await writePart(join(folder, 'b'), other)];
  const error = await merge(folder, blobs).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(KnownError);
  expect(existsSync(join(folder, 'merged'))).toBe(false);
  const { message, hint } = error instanceof KnownError ? error : new KnownError('');
  return `${message} ${hint}`;
}

describe('merging', () => {
  test('leaves nothing in the folder for temporary files if a second Ctrl-C ends the program', async () => {
    const folder = tempFolder();
    const temporary = tempFolder();
    vi.stubEnv('TMPDIR', temporary);
    const blobs = [await writePart(folder, { index: 1 }), await writePart(folder, { index: 2 })];
    const merge = { blobs, output: join(folder, 'merged'), program: ['ralph-e2e'], startedIn: folder };
    const before = process.listeners('exit');
    const left = await mergeRuns(merge, () => {
      const whole = readdirSync(temporary).length;
      for (const end of process.listeners('exit')) if (!before.includes(end)) end(130);
      return Promise.resolve([whole, readdirSync(temporary).length]);
    });
    expect(left).toEqual([1, 0]);
    expect(process.listeners('exit')).toEqual(before);
  });

  test('gives the tests in the order of the plan, in whatever order the blobs are named', async () => {
    const folder = tempFolder();
    const blobs = [await writePart(folder, { index: 2 }), await writePart(folder, { index: 1 })];
    const { report, output } = await merge(folder, blobs);
    expect(report.results.map(({ scenario_id, outcome }) => `${scenario_id} ${outcome}`)).toEqual([
      'test-1 passed',
      'test-2 failed',
      'test-3 passed',
      'test-4 passed',
    ]);
    expect(report.shards?.map(({ index, tests }) => [index, tests])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(report.duration_seconds).toBe(20);
    for (const { artifacts } of report.results) expect(artifacts?.startsWith(`${output}/runs/`)).toBe(true);
  });

  test('takes one result of a test that several shards ran, as live shards run connect scenarios: a red one', async () => {
    const folder = tempFolder();
    const live: Omit<Part, 'index'> = { gates: ['test-1'], run: { lane: 'live' } };
    const red: Part = { ...live, index: 2, also: ['test-1'], failed: ['test-1'] };
    const blobs = [await writePart(folder, { ...live, index: 1 }), await writePart(folder, red)];
    const { report } = await merge(folder, blobs);
    expect(report.results.map(({ scenario_id, outcome }) => `${scenario_id} ${outcome}`)).toEqual([
      'test-1 failed',
      'test-2 passed',
      'test-3 passed',
      'test-4 passed',
    ]);
    expect(report.results[0]?.attempts).toHaveLength(1);
    expect(report.shards?.map(({ tests }) => tests)).toEqual([2, 3]);
  });

  test('takes along what reports link to, and nothing that others wrote', async () => {
    const folder = tempFolder();
    const blobs = [await writePart(folder, { index: 1 }), await writePart(folder, { index: 2 })];
    const { report, output } = await merge(folder, blobs);
    const attempt = join(output, 'runs', report.run_id, 'test-2-claude/1');
    expect(readdirSync(attempt)).toEqual(['stdout.txt']);
    expect(readFileSync(join(attempt, 'stdout.txt'), 'utf8')).toBe('test-2 says hello\n');
  });

  test('finds the blobs in folders of folders, as they come from several machines', async () => {
    const folder = tempFolder();
    await writePart(join(folder, 'artifacts/one'), { index: 1 });
    await writePart(join(folder, 'artifacts/two'), { index: 2 });
    expect((await merge(folder, [join(folder, 'artifacts')])).report.results).toHaveLength(4);
    await expect(merge(folder, [join(folder, 'merged/report')])).rejects.toThrow(
      'expected a folder with blobs',
    );
  });

  test('counts a run as interrupted if a shard was', async () => {
    const folder = tempFolder();
    const blobs = [
      await writePart(folder, { index: 1 }),
      await writePart(folder, { index: 2, interrupted: true }),
    ];
    const { report } = await merge(folder, blobs);
    expect(report).toMatchObject({ interrupted: true, passed: false, resume_command: null });
  });

  test('takes a shard that was interrupted before all its tests had a result', async () => {
    const folder = tempFolder();
    const blobs = [
      await writePart(folder, { index: 1 }),
      await writePart(folder, { index: 2, interrupted: true, lost: ['test-2'] }),
    ];
    expect((await merge(folder, blobs)).report).toMatchObject({ interrupted: true, passed: false });
  });

  test('takes shards on which a backend cannot be used for different reasons', async () => {
    const folder = tempFolder();
    const without = (reason: string) => ({ backends: [{ ...READY, ready: false, reason }] });
    const blobs = [
      await writePart(folder, { index: 1, run: without('not logged in') }),
      await writePart(folder, { index: 2, run: without('not on PATH') }),
    ];
    expect((await merge(folder, blobs)).report.results).toHaveLength(4);
  });

  test('with --last-failed names the backends that had something to run', async () => {
    const folder = tempFolder();
    const named: RunCall['named'] = ['claude', 'kiro'];
    const run = { named: ['claude' as const], call: { ...CALL, lastFailed: true, named, backends: named } };
    const blobs = [await writePart(folder, { index: 1, run }), await writePart(folder, { index: 2, run })];
    expect((await merge(folder, blobs)).report.backends_named).toEqual(['claude']);
  });

  test('takes only the blobs at the top of a folder of runs: agents can write the others', async () => {
    const folder = tempFolder();
    const root = join(folder, 'root');
    await writePart(root, { index: 1 });
    writeFileSync(join(root, ROOT_MARKER), '');
    await writePart(join(root, 'a-workspace'), { index: 1 });
    await writePart(join(folder, 'other'), { index: 2 });
    expect((await merge(folder, [root, join(folder, 'other')])).report.results).toHaveLength(4);
  });

  test('removes what it wrote if it is interrupted', async () => {
    const folder = tempFolder();
    vi.stubEnv('TMPDIR', folder);
    const blobs = [await writePart(folder, { index: 1 }), await writePart(folder, { index: 2 })];
    const before = readdirSync(folder);
    const flags = { report: [], output: join(folder, 'merged') };
    const merging = mergeReportsCommand(blobs, flags);
    process.emit('SIGTERM');
    expect(await merging).toBe(130);
    expect(readdirSync(folder)).toEqual(before);
  });

  test('of one run without --shard gives that run', async () => {
    const folder = tempFolder();
    const blob = await writePart(folder, {
      ...{ index: 1, total: 1, plan: PLAN.slice(0, 1) },
      run: { shard: undefined },
    });
    expect((await merge(folder, [blob])).report.results.map(({ outcome }) => outcome)).toEqual(['passed']);
  });
});

const CALL: RunCall = runCallSchema.parse({
  ...{
    lane: 'sim',
    backends: ['claude'],
    named: ['claude'],
    suite: 'all',
    filters: [],
    tests: [],
    excludes: [],
  },
  ...{ lastFailed: false, shuffleSeed: null, scenarios: null, addScenarios: [] },
  ...{
    knownIssues: null,
    ralph: null,
    jobs: null,
    retries: 0,
    bail: false,
    timeoutSeconds: null,
    model: null,
  },
  ...{ passEnv: [], output: '/repo', keepWorkspace: false, keepReports: false },
  ...{ isolation: 'host', container: null, maxUsd: null, analysis: null, examination: true, reports: [] },
  ...{ allow: [], failOn: [] },
});
const REAL = { kind: 'real', path: '/opt/ralph', version: '2.10.1', sha256: 'a'.repeat(64) } as const;
const READY: Readiness = {
  ...{ backend: 'claude', ready: true, available: true, path: '/bin/claude', version: '2.1.0' },
  ...{ authentication: null, reason: null, fix: null },
};

describe('blobs that are not the shards of one run are refused:', () => {
  test.each<[string, Part, Part, string]>([
    ['a shard twice', { index: 1 }, { index: 1 }, 'Expected each shard once, found shard 1 of 2'],
    ['another total', { index: 1 }, { index: 2, total: 3 }, 'another number of shards'],
    ['another lane', { index: 1 }, { index: 2, run: { lane: 'scripted' } }, 'another lane: sim and scripted'],
    [
      'another ralph-e2e',
      { index: 1 },
      { index: 2, run: { harnessVersion: '9.9.9' } },
      'another ralph-e2e: 0.1.0 and 9.9.9',
    ],
    [
      'another Ralph with the same version',
      { index: 1, run: { target: REAL } },
      { index: 2, run: { target: { ...REAL, sha256: 'b'.repeat(64) } } },
      'another Ralph: ralph 2.10.1 (SHA-256 aaaaaaaaaaaaaaaa) and ralph 2.10.1 (SHA-256 bbbbbbbbbbbbbbbb)',
    ],
    [
      'a stand-in with other faults',
      { index: 1 },
      {
        index: 2,
        run: { target: { kind: 'stand-in', path: '/opt/ralph', version: '2.10.1', faults: ['crash'] } },
      },
      'another Ralph: the stand-in 2.10.1 and the stand-in 2.10.1 with crash',
    ],
    [
      'other repeats',
      { index: 1, run: { repeat: { times: 3, threshold: null } } },
      { index: 2, run: { repeat: { times: 3, threshold: 0.9 } } },
      'another --repeat or --threshold',
    ],
    [
      'other options',
      { index: 1, run: { call: CALL } },
      { index: 2, run: { call: { ...CALL, filters: ['hat'], failOn: ['flaky'] } } },
      'other options: --filter, --fail-on',
    ],
    [
      'other files',
      { index: 1, run: { files: [{ path: '/a', sha256: '1' }] } },
      { index: 2, run: { files: [{ path: '/a', sha256: '2' }] } },
      'other scenario or known-issue files',
    ],
    [
      'a test that the other does not know',
      { index: 1 },
      { index: 2, plan: PLAN.slice(0, 3) },
      'another selection or catalog: test-4 [claude]',
    ],
    [
      'a scenario that was changed',
      { index: 1 },
      { index: 2, plan: PLAN.map((one) => (one.scenarioId === 'test-1' ? { ...one, hash: 'other' } : one)) },
      'another selection or catalog: test-1 [claude]',
    ],
    [
      'a test without a result',
      { index: 1 },
      { index: 2, lost: ['test-4'] },
      'Expected a result of each test of shard 2 of 2',
    ],
    [
      'a test of another shard in a lane that costs nothing',
      { index: 1, gates: ['test-1'] },
      { index: 2, gates: ['test-1'], also: ['test-1'] },
      'test-1 on claude, which is in the part of shard 1',
    ],
    [
      'a test of another shard that is no connect scenario',
      { index: 1, run: { lane: 'live' } },
      { index: 2, run: { lane: 'live' }, also: ['test-1'] },
      'test-1 on claude, which is in the part of shard 1',
    ],
    [
      'a test that is not as in the plan of all shards',
      { index: 1, changed: ['test-3'] },
      { index: 2 },
      'another test-3 on claude than in the plan of all shards',
    ],
    [
      'another CI run',
      { index: 1, ciRun: 'CI_PIPELINE_ID=7' },
      { index: 2, ciRun: 'CI_PIPELINE_ID=6' },
      'another CI run: CI_PIPELINE_ID=7 and CI_PIPELINE_ID=6. Name only the blobs of one run',
    ],
    [
      'a backend in another version',
      { index: 1, run: { backends: [READY] } },
      { index: 2, run: { backends: [{ ...READY, version: '2.2.0' }] } },
      'Expected claude to be the same everywhere',
    ],
    [
      'a backend that only one can use',
      { index: 1, run: { backends: [READY] } },
      { index: 2, run: { backends: [{ ...READY, ready: false, reason: 'not logged in' }] } },
      'ready (2.1.0) for shard 1 of 2',
    ],
  ])('%s', async (_, one, other, found) => {
    const refusal = await refusalOf(one, other);
    expect(refusal).toContain(found);
    expect(refusal).toMatch(/shard [12] of/);
  });

  test('and what a blob says stays on one line, without control characters', async () => {
    const folder = tempFolder();
    const evil = '9\n::error::owned\u001b[2J';
    const blobs = [
      await writePart(folder, { index: 1 }),
      await writePart(folder, { index: 2, run: { harnessVersion: evil } }),
    ];
    const flags = { report: [], output: join(folder, 'merged') };
    await expect(mergeReportsCommand(blobs, flags)).rejects.toThrow(
      /another ralph-e2e: 0\.1\.0 and 9 ::error::owned\.$/,
    );
  });

  test('a shard did not plan its part', async () => {
    const one: Part = { index: 1, run: { planned: [] } };
    expect(await refusalOf(one, { index: 2 })).toMatch(/that it did not plan test-1|damaged/);
  });

  test('a shard is missing', async () => {
    const folder = tempFolder();
    const blob = await writePart(folder, { index: 1 });
    await expect(merge(folder, [blob])).rejects.toThrow('shard 2 of 2 is missing, with 2 of 4 tests');
  });
});
