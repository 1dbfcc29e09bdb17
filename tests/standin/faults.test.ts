import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { agentWorkspace, RALPH, Workspace } from './support.js';

// That each fault changes what concerns it and nothing else is shown over the corpus, in tests/differential.

const completing = () => agentWorkspace('echo LOOP_COMPLETE');

test('several faults go together', async () => {
  const limited = agentWorkspace('[ $n = 3 ] && echo LOOP_COMPLETE', 2);
  const run = await limited.run({ env: { RALPH_STANDIN_FAULT: 'never-stop, wrong-exit-code' } });
  expect(run.code).toBe(1);
  expect(run.stdout).toContain('Loop terminated: Completion promise detected');
});

test('leak-backend leaves a process behind', async () => {
  const run = await completing().run({ env: { RALPH_STANDIN_FAULT: 'leak-backend' } });
  expect(run.code).toBe(0);
  const pid = Number(/Left a process behind pid=(\d+)/.exec(run.stdout)?.[1]);
  expect(pid).toBeGreaterThan(1);
  // Throws if the process is not there.
  process.kill(pid, 'SIGKILL');
});

test('hang-after-completion has left all records and stays', async () => {
  const workspace = completing();
  const child = spawn(RALPH, ['run', '--no-tui', '-p', 'x'], {
    cwd: workspace.path,
    env: workspace.env({ RALPH_STANDIN_FAULT: 'hang-after-completion' }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const end = once(child, 'close');
  let stdout = '';
  for await (const chunk of child.stdout) {
    stdout += String(chunk);
    if (/Loop terminated: .*\n.*\n.*\n.*Elapsed:/.test(stdout)) break;
  }
  expect(workspace.read(workspace.read('.ralph/current-events'))).toContain('"topic":"loop.terminate"');
  // A healthy one is gone before another program has started and ended.
  await workspace.run({ argv: ['--version'] });
  child.kill('SIGKILL');
  expect(await end).toEqual([null, 'SIGKILL']);
});

test('a fault that does not exist is refused by name', async () => {
  const run = await completing().run({ env: { RALPH_STANDIN_FAULT: 'crash,crahs' } });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain(
    "Error: Unknown fault 'crahs' in RALPH_STANDIN_FAULT. Expected one or more of: ",
  );
});

test('--faults lists every fault in one line', async () => {
  const { code, stdout } = await new Workspace().run({ argv: ['--faults'] });
  expect(code).toBe(0);
  for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^[a-z-]+: \S.{9,}$/);
});
