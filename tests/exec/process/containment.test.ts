// Starts programs, or takes seconds: in the project `whole`.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CHAIN, growTree } from '../../../scripts/survive/grow.mjs';
import { CONTAINMENTS, type ContainmentKind } from '../../../src/domain/evidence/containment.js';
import { chooseContainment } from '../../../src/exec/process/containment/choose.js';
import { openScope } from '../../../src/exec/process/containment/open-scope.js';
import type { ProcessScope } from '../../../src/exec/process/containment/process-scope.js';
import { runCommand } from '../../../src/exec/process/run-command.js';
import { type ProcessOptions, runProcess } from '../../../src/exec/process/run-process.js';
import { bundleFixture, findByCommand, killIfThere, makeTempDir } from '../support.js';

/** What this machine allows of the means that keep everything. On the machines of CI, that is both. */
const usable = await Promise.all(
  CONTAINMENTS.filter((kind) => kind !== 'tracking').map(async (kind) => ({
    kind,
    works: await chooseContainment({
      env: { ...process.env, RALPH_E2E_CONTAINMENT: kind },
      asUser: false,
    }).then(
      () => true,
      () => false,
    ),
  })),
);
const kinds = usable.filter(({ works }) => works).map(({ kind }) => kind);

async function openScopeOf(kind: ContainmentKind): Promise<ProcessScope> {
  const env = { ...process.env, RALPH_E2E_CONTAINMENT: kind };
  const scope = await openScope((await chooseContainment({ env, asUser: false })).containment);
  onTestFinished(() => scope.close());
  return scope;
}

function shell(scope: ProcessScope, script: string, more: Partial<ProcessOptions> = {}) {
  const folder = more.cwd ?? makeTempDir();
  return runProcess({
    ...{ command: 'sh', args: ['-c', script], cwd: folder, env: { PATH: process.env.PATH ?? '' } },
    ...{ timeoutMs: 30_000, stdoutPath: join(folder, 'stdout'), stderrPath: join(folder, 'stderr') },
    ...{ secrets: [], marker: { name: 'CONTAINMENT_TEST', value: randomUUID() }, scope },
    ...more,
  });
}

/** Finds processes by a word in their command line; those that a red test leaves are ended. */
function makeToken(): { token: string; find: () => number[] } {
  const token = `tree-${randomUUID()}.`;
  const find = () => findByCommand(token);
  onTestFinished(() => find().forEach(killIfThere));
  return { token, find };
}

describe.each(kinds)('in a %s', (kind) => {
  test('a program is what it is outside: its words, user, folder, session and end', async () => {
    const scope = await openScopeOf(kind);
    const folder = makeTempDir();
    writeFileSync(join(folder, 'a=b'), '#!/bin/sh\necho "$0|$1|$PWD|$(id -u)"; exit 3\n', { mode: 0o755 });
    const own = await shell(scope, '', { command: join(folder, 'a=b'), args: ['x y'], cwd: folder });
    expect(own).toMatchObject({ exitCode: 3, signal: null, leftBehind: [] });
    expect(own.stdout.head).toBe(`${folder}/a=b|x y|${folder}|${process.getuid?.()}\n`);
    expect(await shell(scope, 'kill -SEGV $$')).toMatchObject({ exitCode: null, signal: 'SIGSEGV' });
    const leader = await shell(scope, 'ps -o pid=,pgid=,sid= -p $$');
    expect(new Set(leader.stdout.head.trim().split(/\s+/)).size).toBe(1);
    const env = { PATH: process.env.PATH ?? '', 'odd-name': '1' };
    const { stdout } = await shell(scope, '', { command: 'env', args: [], env });
    expect(stdout.head).toContain('odd-name=1');
  });

  test.runIf(kind === 'pid-namespace' && process.getuid?.() === 0)(
    'what root mounts is not there for the next program, nor does it hide what is left',
    async () => {
      const scope = await openScopeOf(kind);
      const cwd = makeTempDir();
      for (const name of ['right', 'wrong'])
        writeFileSync(join(cwd, name), `#!/bin/sh\necho ${name}\n`, { mode: 0o755 });
      const hides =
        'mount --bind wrong right && ./right; mount -t tmpfs none /proc; sleep 300 >/dev/null 2>&1 &';
      const { stdout, leftBehind } = await shell(scope, hides, { cwd });
      expect(stdout.head).toBe('wrong\n');
      expect(leftBehind.map(({ command }) => command)).toEqual(['sleep 300']);
      expect((await shell(scope, './right', { cwd })).stdout.head).toBe('right\n');
    },
  );

  test('what cannot start is a result', async () => {
    const scope = await openScopeOf(kind);
    const folder = makeTempDir();
    writeFileSync(join(folder, 'lost'), '#!/no/such/interpreter\n', { mode: 0o755 });
    writeFileSync(join(folder, 'plain'), 'text', { mode: 0o644 });
    const why = async (more: Partial<ProcessOptions>) => (await shell(scope, '', more)).spawnError?.message;
    expect(await why({ command: 'no-such-program' })).toContain(
      'is not an executable file in any folder on PATH',
    );
    expect(await why({ command: join(folder, 'lost') })).toContain('or the interpreter that it names');
    expect(await why({ command: join(folder, 'plain') })).toContain('is not executable');
  });

  test('an orphan that ended is gone, and its number means the same to the next program', async () => {
    const scope = await openScopeOf(kind);
    const folder = makeTempDir();
    await shell(scope, 'sh -c "sh -c : & echo \\$! > pid"', { cwd: folder });
    const orphan = readFileSync(join(folder, 'pid'), 'utf8').trim();
    const options = { cwd: folder, env: { PATH: process.env.PATH ?? '' }, timeoutMs: 20_000, scope };
    expect(await runCommand('sh', ['-c', `kill -0 ${orphan}`], options)).toMatchObject({ exitCode: 1 });
    const again = await runCommand('sh', ['-c', 'echo $$'], options);
    expect(Number(again.stdout)).toBeGreaterThan(Number(orphan));
  });

  test('a program that is stopped and continued from inside ends as usual', async () => {
    const scope = await openScopeOf(kind);
    const script =
      '(until grep -q "^State:.T" /proc/$$/status; do :; done; kill -CONT $$) & kill -STOP $$; wait; exit 4';
    expect(await shell(scope, script)).toMatchObject({ exitCode: 4, timedOut: false });
  });

  test('a chain of forks with sessions of their own is seen, named and ended', async () => {
    const scope = await openScopeOf(kind);
    const { token, find } = makeToken();
    const folder = makeTempDir();
    writeFileSync(join(folder, 'chain.sh'), CHAIN);
    const chain = `env -i PATH="$PATH" setsid sh chain.sh ${token} 1000 0.02 own >/dev/null 2>&1 </dev/null &`;
    const result = await shell(scope, `${chain} exit 0`, { cwd: folder, leftoverSettleMs: 50 });
    expect(result).toMatchObject({ exitCode: 0, survivors: [] });
    expect(result.leftBehind.map(({ command }) => command).join('\n')).toContain(token);
    expect(find()).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5, 6])('hostile tree %i leaves nothing and is seen', async (seed) => {
    const scope = await openScopeOf(kind);
    const { token, find } = makeToken();
    const folder = makeTempDir();
    const chain = join(folder, 'chain.sh');
    writeFileSync(chain, CHAIN);
    const { script } = growTree(seed, { token, chain, mode: 'ends' });
    const result = await shell(scope, script, { cwd: folder, leftoverSettleMs: 50, graceMs: 100 });
    expect(result.leftBehind).not.toEqual([]);
    expect(result.survivors).toEqual([]);
    expect(find()).toEqual([]);
  });

  test('everything ends when the harness is killed', async () => {
    const folder = makeTempDir();
    const { token, find } = makeToken();
    const harness = await bundleFixture('exec', 'scoped', folder);
    const child = spawn(process.execPath, [harness, kind, folder, token], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await vi.waitFor(
      () => expect(existsSync(join(folder, 'ready')) && find().length).toBeGreaterThan(0),
      20_000,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    await vi.waitFor(() => expect(find()).toEqual([]), 20_000);
  });
});

test('a program inside cannot reach what is outside its namespace', async () => {
  if (!kinds.includes('pid-namespace')) return;
  const scope = await openScopeOf('pid-namespace');
  // Outside a namespace, the last signal would reach the whole machine: it is sent only if we are out of reach.
  const result = await shell(scope, `kill -0 ${process.pid} && exit 9; kill -KILL -1; echo survived; exit 5`);
  expect(result).toMatchObject({ exitCode: 5, stdout: { head: 'survived\n' } });
  expect(await shell(scope, 'exit 6')).toMatchObject({ exitCode: 6 });
});

test('a chain of forks in one session does not outrun tracking', async () => {
  const scope = await openScopeOf('tracking');
  const { token, find } = makeToken();
  const folder = makeTempDir();
  writeFileSync(join(folder, 'chain.sh'), CHAIN);
  // Its parent lives long enough to be seen: a session that was never seen is found only by its environment.
  const script = `sh chain.sh ${token} 1000 0.02 same >/dev/null 2>&1 </dev/null & sleep 0.5; exit 0`;
  const result = await shell(scope, script, { cwd: folder, leftoverSettleMs: 50 });
  // A link that was stopped during exec has no command line yet, only a name.
  const isLink = ({ command }: { readonly command: string }) => command.includes(token) || command === '[sh]';
  expect(result.leftBehind).toSatisfy((left: typeof result.leftBehind) => left.some(isLink));
  expect(result.survivors).toEqual([]);
  expect(find()).toEqual([]);
});

test('a means that does not exist or does not work is refused, and says why', async () => {
  const choose = (means: string, path = process.env.PATH) =>
    chooseContainment({ env: { PATH: path, RALPH_E2E_CONTAINMENT: means }, asUser: false });
  await expect(choose('cage')).rejects.toThrow('expected pid-namespace, subreaper, tracking');
  await expect(choose('subreaper', '/nowhere')).rejects.toThrow('perl is not on PATH');
  const { containment, gaps } = await chooseContainment({ env: { PATH: '/nowhere' }, asUser: false });
  expect(containment.kind).toBe('tracking');
  expect(gaps.map(({ kind }) => kind)).toEqual(['pid-namespace', 'subreaper']);
});
