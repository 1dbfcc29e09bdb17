import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { trackTree } from '../../../src/exec/process/registry.js';
import { isSameProcessAlive, parseProcStat, parsePs, readProcess } from '../../../src/exec/process/table.js';
import { ProcessTree } from '../../../src/exec/process/tree.js';
import { fixture } from '../support.js';

const MARKER = { name: 'PROCESS_TREE_TEST', value: 'nobody carries this' };

async function startHeartbeat() {
  const child = spawn('sh', [fixture('exec', 'heartbeat.sh')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ticks = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await ticks.next();
  const entry = child.pid === undefined ? null : readProcess(child.pid);
  if (entry === null) throw new Error('the heartbeat does not run');
  return { child, ticks, entry };
}

test('a pid that now belongs to another process is not signalled', async () => {
  const { child, ticks, entry } = await startHeartbeat();
  const tree = new ProcessTree(entry.pid, MARKER);
  tree.signal({ ...entry, startTime: 'of an earlier process' }, 'SIGKILL');
  // Far more beats than could have been under way when the signal was sent.
  for (let beat = 0; beat < 20; beat += 1) expect((await ticks.next()).done).toBe(false);
  tree.signal(entry, 'SIGKILL');
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
});

test('init, ourselves and processes that are not ours are never members', async () => {
  const { entry } = await startHeartbeat();
  expect(new ProcessTree(entry.pid, MARKER).scan().map(({ pid }) => pid)).toContain(entry.pid);
  expect(new ProcessTree(process.pid, MARKER).scan()).toEqual([]);
  // Our parent leads a tree that we are part of; it is not a child of ours, so its pid proves nothing.
  expect(new ProcessTree(process.ppid, MARKER).scan()).toEqual([]);
  expect(new ProcessTree(1, MARKER).scan()).toEqual([]);
});

test('who was once seen as a descendant stays one when its parent is gone', async () => {
  const { entry } = await startHeartbeat();
  const tree = new ProcessTree(entry.pid, MARKER);
  const later = { ...entry, startTime: `${Number(entry.startTime) + 1}`, session: 0 };
  const parent = { ...later, pid: 4_200_001, ppid: entry.pid };
  const child = { ...later, pid: 4_200_002, ppid: parent.pid };
  const orphan = { ...child, ppid: 1 };
  expect(tree.learn([entry, orphan])).toEqual([entry]);
  expect(tree.learn([entry, parent, child])).toEqual([entry, parent, child]);
  expect(tree.learn([entry, orphan])).toEqual([entry, child]);
});

test('trees are followed as long as they are tracked', async () => {
  const { entry } = await startHeartbeat();
  const tree = new ProcessTree(entry.pid, MARKER);
  const learn = vi.spyOn(tree, 'learn');
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const untrack = trackTree(tree);
  vi.advanceTimersByTime(1000);
  const seen = learn.mock.calls.length;
  expect(seen).toBeGreaterThan(1);
  expect(learn.mock.lastCall?.[0].map(({ pid }) => pid)).toContain(process.pid);
  untrack();
  vi.advanceTimersByTime(1000);
  expect(learn).toHaveBeenCalledTimes(seen);
});

test('a process is the same only with its start time', async () => {
  const { entry } = await startHeartbeat();
  expect(isSameProcessAlive(entry)).toBe(true);
  expect(isSameProcessAlive({ ...entry, startTime: '0' })).toBe(false);
});

test('a name with blanks and parentheses does not confuse the reader of stat', () => {
  const text = '4711 (a) b (c)) S 42 4711 4700 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 2 3';
  expect(parseProcStat(text)).toEqual({
    pid: 4711,
    ppid: 42,
    session: 4700,
    group: 4711,
    startTime: '987654',
    zombie: false,
    stopped: false,
  });
  expect(parseProcStat(text.replace(' S ', ' T '))?.stopped).toBe(true);
  expect(parseProcStat('4711 (x) Z 1 4711 4711 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 9 1')?.zombie).toBe(
    true,
  );
  // The kernel takes it apart.
  expect(parseProcStat('4711 (x) S 1 4711 4711 0 -1 4194564 1 2 3 4 5 6 7 8 20 0 1 0 9 1')?.zombie).toBe(
    true,
  );
  // Its first thread has ended, another one runs.
  expect(parseProcStat('4711 (x) Z 1 4711 4711 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 2 0 9 1')?.zombie).toBe(
    false,
  );
  expect(parseProcStat('')).toBeNull();
});

test('a credential with letters outside of ASCII is hidden in a command line', async () => {
  const secret = 'jalapeño-jalapeño';
  const child = spawn('sh', ['-c', 'read -r line', secret], { stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  const tree = new ProcessTree(child.pid ?? 0, MARKER, { secrets: [secret] });
  expect(tree.scan().map((member) => tree.describe(member).command)).toEqual([
    expect.stringMatching(/^sh -c read -r line \[redacted/i),
  ]);
});

test('the columns of macOS ps are read', () => {
  const text =
    '    1     0     1 Ss   Thu Oct  2 09:12:01 2025    \n  812     1   800 Z+   Thu Oct 12 09:13:44 2025\n';
  expect(parsePs(text)).toEqual([
    {
      ...{ pid: 1, ppid: 0, session: 1, group: 1, startTime: 'Thu Oct  2 09:12:01 2025' },
      ...{ zombie: false, stopped: false },
    },
    {
      ...{ pid: 812, ppid: 1, session: 800, group: 800, startTime: 'Thu Oct 12 09:13:44 2025' },
      ...{ zombie: true, stopped: false },
    },
  ]);
});
