// Starts programs, or takes seconds: in the project `whole`.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { KnownError } from '../../src/domain/common/known-error.js';
import { acquireLock } from '../../src/workspace/lock.js';
import { openWorkspaceRoot } from '../../src/workspace/workspace-root.js';
import { bundleFixture, makeTempDir } from '../exec/support.js';

interface Contender {
  readonly child: ChildProcessWithoutNullStreams;
  nextLine(): Promise<string>;
}

async function startContender(program: string, folder: string): Promise<Contender> {
  const child = spawn(process.execPath, [program, folder], { stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => String((await lines.next()).value);
  expect(await nextLine()).toBe('ready');
  return { child, nextLine };
}

async function take(contender: Contender): Promise<string> {
  contender.child.stdin.write('go\n');
  return contender.nextLine();
}

async function end(contender: Contender, how: 'in order' | 'killed'): Promise<void> {
  const exited = once(contender.child, 'exit');
  if (how === 'killed') contender.child.kill('SIGKILL');
  else contender.child.stdin.end();
  await exited;
}

async function openTempRoot() {
  const folder = makeTempDir();
  const root = await openWorkspaceRoot(join(folder, '.e2e-tests'));
  return { root, program: await bundleFixture('workspace', 'lock-holder', folder) };
}

test('the second process learns who holds the folder, and may have it when the first is done', async () => {
  const { root, program } = await openTempRoot();
  const first = await startContender(program, root.path);
  expect(await take(first)).toBe('taken');
  const refusal = await acquireLock(root).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(KnownError);
  expect(String(refusal)).toContain(`process ${first.child.pid} (`);
  expect(String(refusal)).toContain(program);
  expect(String(refusal)).toMatch(/since \d{4}-\d\d-\d\dT/);
  await end(first, 'in order');
  // Given back and not only abandoned: on another machine nobody could tell that the process is dead.
  expect(readFileSync(join(root.path, '.lock.1'), 'utf8')).toContain('"released":true');
  const lock = await acquireLock(root);
  await expect(acquireLock(root)).rejects.toThrow(`process ${process.pid} (`);
  lock.release();
  (await acquireLock(root)).release();
});

test('the lock of a process that was killed does not count, and only one of many takes it over', async () => {
  const { root, program } = await openTempRoot();
  let holder = await startContender(program, root.path);
  expect(await take(holder)).toBe('taken');
  for (let round = 0; round < 4; round += 1) {
    const contenders = await Promise.all(Array.from({ length: 6 }, () => startContender(program, root.path)));
    await end(holder, 'killed');
    const answers = await Promise.all(contenders.map(take));
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
    const winner = contenders[answers.indexOf('taken')];
    if (!winner) throw new Error('nobody won');
    for (const answer of answers) {
      if (answer !== 'taken')
        expect(answer).toContain(`refused: Another run is using this folder: process ${winner.child.pid} `);
    }
    for (const contender of contenders) if (contender !== winner) await end(contender, 'in order');
    holder = winner;
  }
  expect(readdirSync(root.path).filter((name) => name.startsWith('.lock'))).toHaveLength(1);
});

test.each([
  {
    what: 'that is us at another time: the pid was used again',
    change: { startTime: 'earlier' },
    held: false,
  },
  { what: 'that we are', change: {}, held: true },
  { what: 'of an earlier boot', change: { boot: 'another' }, held: false },
  { what: 'on another machine, which we cannot look at', change: { host: 'far-away', pid: 1 }, held: true },
  { what: 'that gave it back', change: { released: true }, held: false },
])('a lock of a process $what: held is $held', async ({ change, held }) => {
  const { root } = await openTempRoot();
  (await acquireLock(root)).release();
  const [name = ''] = readdirSync(root.path).filter((file) => file.startsWith('.lock'));
  const path = join(root.path, name);
  const ours: object = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...ours, released: false, ...change }));
  const outcome = await acquireLock(root).then(
    (lock) => lock.release(),
    (error: unknown) => error,
  );
  if (held) expect(outcome).toBeInstanceOf(KnownError);
  else expect(outcome).toBeUndefined();
});

test('half a lock file, as a power failure leaves it, does not count', async () => {
  const { root } = await openTempRoot();
  writeFileSync(join(root.path, '.lock.7'), '{"pid": 1');
  (await acquireLock(root)).release();
  expect(readdirSync(root.path).filter((name) => name.startsWith('.lock'))).toEqual(['.lock.8']);
});
