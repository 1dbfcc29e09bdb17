import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KnownError } from '../../src/domain/common/known-error.js';
import { cleanWorkspaceRoot } from '../../src/workspace/clean.js';
import { createWorkspace } from '../../src/workspace/create-workspace.js';
import { sayInUse } from '../../src/workspace/kept-by-mcp.js';
import { acquireLock } from '../../src/workspace/lock.js';
import {
  attemptDir,
  createRunDir,
  listRuns,
  listTestRuns,
  noteReportedRun,
  pruneRuns,
} from '../../src/workspace/runs/runs.js';
import { openWorkspaceRoot } from '../../src/workspace/workspace-root.js';
import { makeTempDir } from '../exec/support.js';

const openTempRoot = () => openWorkspaceRoot(join(makeTempDir(), '.e2e-tests'));
const second = (count: number) => new Date(Date.UTC(2025, 0, 1, 0, 0, count));

describe('openWorkspaceRoot', () => {
  test('makes the folder, which ignores itself in any repo, and opens it again', async () => {
    const path = join(makeTempDir(), 'deep', '.e2e-tests');
    await openWorkspaceRoot(path);
    expect(readFileSync(join(path, '.gitignore'), 'utf8')).toMatch(/^\*$/m);
    expect((await openWorkspaceRoot(path)).path).toBe(path);
  });

  test('takes over an empty folder, and refuses one that holds something of somebody else', async () => {
    const path = makeTempDir();
    await openWorkspaceRoot(path);
    const theirs = makeTempDir();
    writeFileSync(join(theirs, 'precious'), 'x');
    await expect(openWorkspaceRoot(theirs)).rejects.toThrow(
      `${theirs} is not a folder that ralph-e2e made: it contains precious`,
    );
    expect(readdirSync(theirs)).toEqual(['precious']);
  });

  test('refuses a link and a file, in its place and in the place of its parts', async () => {
    const folder = makeTempDir();
    const outside = makeTempDir();
    symlinkSync(outside, join(folder, 'link'));
    await expect(openWorkspaceRoot(join(folder, 'link'))).rejects.toThrow('found a symbolic link');
    writeFileSync(join(folder, 'file'), '');
    await expect(openWorkspaceRoot(join(folder, 'file'))).rejects.toThrow('found a file');
    await expect(openWorkspaceRoot(join(folder, 'file', 'below'))).rejects.toThrow(KnownError);
    const path = join(folder, 'root');
    mkdirSync(path);
    symlinkSync(outside, join(path, 'runs'));
    writeFileSync(join(path, '.ralph-e2e'), '');
    await expect(openWorkspaceRoot(path)).rejects.toThrow(`Expected a folder at ${join(path, 'runs')}`);
    expect(readdirSync(outside)).toEqual([]);
  });

  test('resolves links above it once', async () => {
    const real = makeTempDir();
    const folder = makeTempDir();
    symlinkSync(real, join(folder, 'link'));
    expect((await openWorkspaceRoot(join(folder, 'link', '.e2e-tests'))).path).toBe(join(real, '.e2e-tests'));
  });
});

describe('runs', () => {
  test('an attempt has a folder of its own in the folder of its run', async () => {
    const root = await openTempRoot();
    const run = await createRunDir(root, { now: second(7) });
    expect(run.id).toMatch(/^20250101-000007-[0-9a-f]{9}$/);
    const moments = [7, 8, 99, 100, 999].map((ms) => new Date(Date.UTC(2025, 0, 1, 0, 0, 8, ms)));
    const ids: string[] = [];
    for (const moment of moments) ids.push((await createRunDir(root, { now: moment })).id);
    expect(ids.toSorted()).toEqual(ids);
    const path = await attemptDir(run, 'hat-instructions', 'claude', 2);
    expect(path).toBe(join(root.path, 'runs', run.id, 'hat-instructions-claude', '2'));
    expect(existsSync(path)).toBe(true);
    await expect(attemptDir(run, '../x', 'claude', 1)).rejects.toThrow('Expected a plain scenario name');
  });

  test('the oldest go when there are too many or they are too large, never the current or a stranger', async () => {
    const root = await openTempRoot();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const run = await createRunDir(root, { now: second(count) });
      writeFileSync(join(await attemptDir(run, 's', 'claude', 1), 'stdout'), 'x'.repeat(1000));
      ids.push(run.id);
    }
    const stranger = join(root.path, 'runs', '20200101-000000-abcdef');
    mkdirSync(stranger);
    mkdirSync(join(root.path, 'runs', 'notes'));
    const current = ids[0] ?? '';
    expect(await pruneRuns(root, { keep: 3, current })).toEqual([ids[1]]);
    expect(await pruneRuns(root, { maxBytes: 2500, current })).toEqual([ids[2]]);
    expect((await listRuns(root)).map(({ id }) => id)).toEqual([ids[0], ids[3], ids[4]]);
    expect(await pruneRuns(root, { maxBytes: 0, keep: 0, current: ids[4] ?? '' })).toEqual([ids[3], ids[0]]);
    expect(readdirSync(join(root.path, 'runs')).sort()).toEqual(['20200101-000000-abcdef', ids[4], 'notes']);
  });

  test('a proof is none of them, but it is removed like one', async () => {
    const root = await openTempRoot();
    const run = await createRunDir(root, { now: second(0) });
    const proof = await createRunDir(root, { now: second(1), kind: 'proof' });
    expect(await listTestRuns(root)).toEqual([run]);
    expect(await listRuns(root)).toEqual([run, proof]);
  });

  test('one with a journal is not taken for a proof, whatever its marker says', async () => {
    const root = await openTempRoot();
    const run = await createRunDir(root, { now: second(0), kind: 'proof' });
    writeFileSync(join(run.path, 'journal.jsonl'), '');
    expect(await listTestRuns(root)).toEqual([run]);
  });

  test('the one whose reports lie at the top stays, however many came later', async () => {
    const root = await openTempRoot();
    const runs = [];
    for (let count = 0; count < 4; count += 1) runs.push(await createRunDir(root, { now: second(count) }));
    const [first, second_, third, last] = runs.map(({ id }) => id);
    await noteReportedRun(root, first ?? '');
    expect(await pruneRuns(root, { keep: 1, current: last ?? '' })).toEqual([third, second_]);
    await noteReportedRun(root, last ?? '');
    expect(await pruneRuns(root, { keep: 1, current: last ?? '' })).toEqual([first]);
  });
});

describe('cleanWorkspaceRoot', () => {
  async function makeUsedRoot() {
    const root = await openTempRoot();
    await createWorkspace(root, 'one');
    const run = await createRunDir(root);
    writeFileSync(join(root.path, 'report.md'), '');
    return { root, removed: ['one', `runs/${run.id}`, 'report.md'] };
  }

  test('removes everything that we made', async () => {
    const { root, removed } = await makeUsedRoot();
    expect(await cleanWorkspaceRoot(root.path)).toEqual({ removed, left: [], servers: [] });
    expect(existsSync(root.path)).toBe(false);
    expect(await cleanWorkspaceRoot(root.path)).toEqual({ removed: [], left: [], servers: [] });
  });

  test('removes a workspace with names that are not UTF-8', async () => {
    const { root, removed } = await makeUsedRoot();
    mkdirSync(Buffer.from(join(root.path, 'one', 'd\xff'), 'latin1'));
    expect(await cleanWorkspaceRoot(root.path)).toEqual({ removed, left: [], servers: [] });
  });

  test('leaves and names what we did not make', async () => {
    const { root, removed } = await makeUsedRoot();
    mkdirSync(join(root.path, 'theirs'));
    mkdirSync(join(root.path, 'runs', 'notes'));
    const result = await cleanWorkspaceRoot(root.path);
    expect(result.removed).toEqual(removed);
    expect([...result.left].sort()).toEqual(['runs/notes', 'theirs']);
    expect(existsSync(join(root.path, 'theirs'))).toBe(true);
    await openWorkspaceRoot(root.path);
  });

  test('removes what the MCP server kept, but nothing that somebody else put beside it or linked to', async () => {
    const root = await openTempRoot();
    for (const kind of ['workspaces/1', 'artifacts/test', 'histories'])
      mkdirSync(join(root.path, 'mcp', kind), { recursive: true });
    writeFileSync(join(root.path, 'mcp/histories/1.json'), '{}');
    const removed = ['mcp/workspaces', 'mcp/artifacts', 'mcp/histories'];
    writeFileSync(join(root.path, 'mcp/notes.txt'), 'mine');
    expect(await cleanWorkspaceRoot(root.path)).toMatchObject({ removed, left: ['mcp/notes.txt'] });
    expect(readdirSync(join(root.path, 'mcp'))).toEqual(['notes.txt']);

    const other = await openTempRoot();
    mkdirSync(join(other.path, 'mcp/artifacts'), { recursive: true });
    writeFileSync(join(other.path, 'mine'), '');
    expect(await cleanWorkspaceRoot(other.path)).toMatchObject({
      removed: ['mcp/artifacts'],
      left: ['mine'],
    });
    expect(existsSync(join(other.path, 'mcp'))).toBe(false);

    const linked = await openTempRoot();
    const theirs = makeTempDir();
    mkdirSync(join(theirs, 'artifacts'));
    symlinkSync(theirs, join(linked.path, 'mcp'));
    expect(await cleanWorkspaceRoot(linked.path)).toMatchObject({ removed: [], left: ['mcp'] });
    expect(readdirSync(theirs)).toEqual(['artifacts']);
  });

  test('leaves what an MCP server works with, until it is gone', async () => {
    const root = await openTempRoot();
    mkdirSync(join(root.path, 'mcp/workspaces'), { recursive: true });
    await sayInUse(root);
    const used = join(root.path, `mcp/.in-use.${process.pid}`);
    const self = JSON.parse(readFileSync(used, 'utf8'));
    // As a server that was killed leaves it: the process that has its number now began at another time.
    const killed = JSON.stringify({ ...self, startTime: 'earlier' });
    writeFileSync(join(root.path, 'mcp/.in-use.1'), killed);
    const servers = [expect.stringMatching(`^process ${process.pid} `)];
    expect(await cleanWorkspaceRoot(root.path)).toEqual({ removed: [], left: [], servers });
    expect(existsSync(join(root.path, 'mcp/workspaces'))).toBe(true);
    writeFileSync(join(root.path, 'mcp/notes.txt'), 'mine');
    expect(await cleanWorkspaceRoot(root.path)).toEqual({ removed: [], left: ['mcp/notes.txt'], servers });
    rmSync(join(root.path, 'mcp/notes.txt'));
    writeFileSync(used, killed);
    expect(await cleanWorkspaceRoot(root.path)).toMatchObject({ removed: ['mcp/workspaces'], servers: [] });
    expect(existsSync(root.path)).toBe(false);
  });

  test('touches neither a folder of somebody else nor one that a run holds', async () => {
    const theirs = makeTempDir();
    expect(await cleanWorkspaceRoot(theirs)).toEqual({ removed: [], left: [], servers: [] });
    expect(existsSync(theirs)).toBe(true);
    writeFileSync(join(theirs, 'precious'), '');
    await expect(cleanWorkspaceRoot(theirs)).rejects.toThrow('is not a folder that ralph-e2e made');
    const { root } = await makeUsedRoot();
    const lock = await acquireLock(root);
    await expect(cleanWorkspaceRoot(root.path)).rejects.toThrow('Another run is using this folder');
    lock.release();
    expect(existsSync(join(root.path, 'one'))).toBe(true);
  });
});
