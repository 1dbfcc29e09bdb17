import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { agentWorkspace, RALPH, type Workspace } from '../support.js';

// The first agent stays until somebody says so; later ones complete at once.
const AGENT = 'if [ $n = 1 ]; then mkfifo gate; echo ready; read line < gate; fi; echo LOOP_COMPLETE';

/** A loop whose agent is at work. */
async function startLoop(workspace: Workspace): Promise<ChildProcess> {
  const child = spawn(RALPH, ['run', '--no-tui', '-p', 'first'], {
    cwd: workspace.path,
    env: workspace.env(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let seen = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      seen += String(chunk);
      if (seen.includes('\nready\n')) resolve();
    });
    child.once('exit', () => reject(new Error(`the first loop ended early: ${seen}`)));
  });
  return child;
}

function openGate(workspace: Workspace): void {
  spawn('sh', ['-c', 'echo go > gate'], { cwd: workspace.path, stdio: 'ignore' });
}

test('a second loop is refused while the first runs', async () => {
  const workspace = agentWorkspace(AGENT, { yaml: 'features: {parallel: false}' });
  const first = await startLoop(workspace);
  const second = await workspace.run();
  expect(second).toMatchObject({
    code: 1,
    stderr: `Error: Another loop is already running (PID ${first.pid}, prompt: "first"). Parallel loops are disabled in config (features.parallel: false). Use --exclusive to wait for the lock, or enable parallel loops.\n`,
  });
  openGate(workspace);
  expect(await once(first, 'exit')).toEqual([0, null]);
});

test('--exclusive waits for the first loop to end', async () => {
  const workspace = agentWorkspace(AGENT);
  const first = await startLoop(workspace);
  const second = workspace.run({ argv: ['run', '--no-tui', '-p', 'second', '--exclusive'] });
  openGate(workspace);
  const [code] = await once(first, 'exit');
  expect(code).toBe(0);
  expect(await second).toMatchObject({ code: 0, label: 'Completion promise detected' });
  expect(workspace.read('.calls')).toBe('2\n');
});

test('the lock of a loop that was killed does not count', async () => {
  const workspace = agentWorkspace(AGENT);
  const first = await startLoop(workspace);
  first.kill('SIGKILL');
  await once(first, 'exit');
  expect(workspace.read('.ralph/loop.lock')).toContain(`"pid": ${first.pid}`);
  expect(await workspace.run()).toMatchObject({ code: 0 });
  openGate(workspace);
});

test.each([
  ['a file', 'touch .ralph/restart-requested'],
  ['words of a person', 'ralph emit human.response "please restart yourself"'],
])('a restart that %s asks for ends the loop; the stand-in does not come back', async (_, script) => {
  const workspace = agentWorkspace(script, { loop: 'max_iterations: 5' });
  const run = await workspace.run();
  expect(run).toMatchObject({ code: 0, label: 'Restarting by human request', hats: ['ralph'] });
  expect(String(run.events.at(-1)?.payload)).toContain('- Exit code: 3');
  expect(workspace.has('.ralph/restart-requested')).toBe(false);
});

test('an events file that is taken away stays away', async () => {
  const workspace = agentWorkspace('[ $n = 1 ] && rm "$RALPH_EVENTS_FILE"; [ $n = 2 ] && echo LOOP_COMPLETE');
  expect(await workspace.run()).toMatchObject({ code: 0, hats: ['ralph', 'ralph'], events: [] });
});
