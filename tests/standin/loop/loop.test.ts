import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { agentWorkspace, pendingEvents } from '../support.js';

function terminateReason(events: readonly { topic: string; payload: unknown }[]): string | undefined {
  const row = events.find(({ topic }) => topic === 'loop.terminate');
  return /## Reason\n(\w+)/.exec(String(row?.payload))?.[1];
}

test('a promise alone on the last line completes the loop', async () => {
  const run = await agentWorkspace('echo "all done"; echo LOOP_COMPLETE; echo').run();
  expect(run).toMatchObject({ code: 0, label: 'Completion promise detected', hats: ['ralph'] });
  expect(run.events.map(({ topic, hat, iteration }) => [topic, hat, iteration])).toEqual([
    ['task.start', 'loop', 0],
    ['iteration.summary', 'loop', 1],
    ['loop.terminate', 'loop', 1],
  ]);
  expect(terminateReason(run.events)).toBe('completed');
  expect(run.stdout).not.toContain('Resume:');
});

test('an event with the promise as topic completes the loop', async () => {
  const run = await agentWorkspace('ralph emit LOOP_COMPLETE "it works"').run();
  expect(run).toMatchObject({ code: 0, label: 'Completion promise detected' });
  expect(run.events[1]).toMatchObject({ topic: 'LOOP_COMPLETE', payload: 'it works' });
  expect(run.stdout).toContain('Event emitted: LOOP_COMPLETE');
});

test('a completion event that is not the last of its iteration is ignored', async () => {
  const run = await agentWorkspace('ralph emit LOOP_COMPLETE; ralph emit other.topic', {
    loop: 'max_iterations: 2',
  }).run();
  expect(run).toMatchObject({ code: 2, hats: ['ralph', 'ralph'] });
  expect(pendingEvents(run.prompts[1])).toEqual(['other.topic']);
});

test('completion in the last iteration comes too late', async () => {
  const run = await agentWorkspace('ralph emit LOOP_COMPLETE; echo LOOP_COMPLETE', {
    loop: 'max_iterations: 1',
  }).run();
  expect(run).toMatchObject({ code: 2, label: 'Maximum iterations reached', hats: ['ralph'] });
  expect(terminateReason(run.events)).toBe('max_iterations');
  expect(run.stdout).toMatch(/^ {2}Resume: ralph run --continue --loop-id primary-\d{8}-\d{6}$/m);
});

test.each([
  ['inside a sentence', 'echo "LOOP_COMPLETE is what I will say"'],
  ['before other text', 'echo LOOP_COMPLETE; echo bye'],
  ['in backticks', "echo '`LOOP_COMPLETE`'"],
  ['in an event payload too', `echo '<event topic="a.b">not LOOP_COMPLETE</event>'; echo LOOP_COMPLETE`],
  ['before a line on stderr', 'echo LOOP_COMPLETE; sleep 0.2; echo noise >&2'],
])('a promise %s does not complete the loop', async (_, script) => {
  const run = await agentWorkspace(script, { loop: 'max_iterations: 2' }).run();
  expect(run).toMatchObject({ code: 2, hats: ['ralph', 'ralph'] });
});

test('a failing backend that keeps its promise completes the loop', async () => {
  const run = await agentWorkspace('echo LOOP_COMPLETE; exit 3').run();
  expect(run).toMatchObject({ code: 0, label: 'Completion promise detected' });
});

test('a silent agent is asked to recover until the iterations are used up', async () => {
  const run = await agentWorkspace('echo nothing').run();
  expect(run).toMatchObject({ code: 2, hats: ['ralph', 'ralph', 'ralph'] });
  expect(pendingEvents(run.prompts[0])).toEqual(['task.start']);
  expect(pendingEvents(run.prompts[1])).toEqual(['task.resume']);
  expect(run.prompts[1]).toContain('RECOVERY: Previous iteration did not publish an event.');
});

test('failures in a row end the loop, a success in between starts the count anew', async () => {
  const workspace = agentWorkspace('echo trouble >&2; [ $n = 2 ]', {
    loop: 'max_iterations: 9, max_consecutive_failures: 2',
  });
  const run = await workspace.run();
  expect(run).toMatchObject({ code: 1, label: 'Too many consecutive failures' });
  expect(run.hats).toHaveLength(4);
  expect(run.stdout).not.toContain('trouble');
});

test('the same event three times in a row is a stale loop', async () => {
  const run = await agentWorkspace('ralph emit same.thing again', { loop: 'max_iterations: 9' }).run();
  expect(run).toMatchObject({ code: 1, label: 'Stale loop detected' });
  expect(run.hats).toHaveLength(3);
});

test('a stop file ends the loop and is used up', async () => {
  const workspace = agentWorkspace('touch .ralph/stop-requested');
  expect(await workspace.run()).toMatchObject({ code: 1, label: 'Manually stopped', hats: ['ralph'] });
  expect(workspace.has('.ralph/stop-requested')).toBe(false);
});

test('a cancellation event ends the loop gracefully', async () => {
  const loop = 'max_iterations: 5, cancellation_promise: loop.cancel';
  const run = await agentWorkspace('ralph emit loop.cancel "no need"', { loop }).run();
  expect(run).toMatchObject({ code: 0, label: 'Cancelled gracefully' });
});

test('completion is refused while a required event is missing', async () => {
  const run = await agentWorkspace('[ $n = 2 ] && ralph emit my.step; echo LOOP_COMPLETE', {
    loop: 'max_iterations: 5, required_events: [my.step]',
  }).run();
  expect(run).toMatchObject({ code: 0, hats: ['ralph', 'ralph'] });
  expect(run.prompts[1]).toContain('LOOP_COMPLETE rejected: missing required events: ["my.step"].');
});

test('completion is refused while a task of this loop is open, not while one of another is', async () => {
  const workspace = agentWorkspace(
    'case $n in 1) ralph tools task add "unfinished job" --format quiet > id;; 2) ralph tools task close $(cat id);; esac; echo LOOP_COMPLETE',
    { loop: 'max_iterations: 5' },
  );
  workspace.write(
    '.ralph/agent/tasks.jsonl',
    '{"id":"task-1-aaaa","title":"foreign","status":"open","priority":3,"blocked_by":[],"loop_id":"primary-1","created":"x"}\n',
  );
  const run = await workspace.run();
  expect(run).toMatchObject({ code: 0, hats: ['ralph', 'ralph'] });
  expect(run.prompts[1]).toMatch(
    /Completion rejected: runtime tasks remain open: \["task-\d+-[0-9a-f]{4}: unfinished job"\]/,
  );
  expect(run.prompts[1]).toContain('## Tasks: 1 ready, 1 open, 0 closed');
  expect(run.prompts.join()).not.toContain('foreign');
});

test('a loop that succeeds leaves its records and a commit, and no stash', async () => {
  const workspace = agentWorkspace(
    'echo one > kept; git add kept; git commit -qm kept; echo two > kept; git stash -q; echo new > made; echo LOOP_COMPLETE',
  );
  const run = await workspace.run();
  expect(run.code).toBe(0);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace.path, encoding: 'utf8' });
  expect(git('log', '-1', '--format=%s')).toBe('chore: auto-commit before merge (loop primary)\n');
  expect(git('show', 'HEAD:made')).toBe('new\n');
  expect(git('stash', 'list')).toBe('');
  const history = workspace.read('.ralph/history.jsonl').trim().split('\n');
  expect(history.map((line) => JSON.parse(line).type)).toEqual([
    { kind: 'loop_started', prompt: 'do the thing' },
    { kind: 'loop_completed', reason: 'completion_promise' },
  ]);
  expect(workspace.read('.ralph/agent/summary.md')).toContain('**Status:** Completed successfully');
  expect(workspace.read('.ralph/agent/handoff.md')).toContain('do the thing');
  expect(JSON.parse(workspace.read('.ralph/api/loop-state.json'))).toMatchObject({
    iteration: 1,
    last_hat: 'ralph',
  });
  expect(workspace.read('.ralph/current-loop-id')).toMatch(/^primary-\d{8}-\d{6}$/);
});

test('a loop that fails commits nothing', async () => {
  const workspace = agentWorkspace('echo nothing', { loop: 'max_iterations: 1' });
  await workspace.run();
  expect(workspace.has('.ralph/agent/summary.md')).toBe(true);
  expect(workspace.has('.ralph/agent/handoff.md')).toBe(false);
  expect(() => execFileSync('git', ['rev-parse', 'HEAD'], { cwd: workspace.path, stdio: 'pipe' })).toThrow();
});

test('a fresh run forgets the scratchpad, --continue keeps it and resumes', async () => {
  const workspace = agentWorkspace('echo "- note $n" >> .ralph/agent/scratchpad.md; echo LOOP_COMPLETE');
  const argv = ['run', '--no-tui', '-p', 'x'];
  expect(await workspace.run({ argv: [...argv, '--continue'] })).toMatchObject({
    code: 1,
    stderr:
      "Error: Cannot continue: scratchpad not found at '.ralph/agent/scratchpad.md'. Start a fresh run with `ralph run`.\n",
  });
  await workspace.run({ argv });
  const loopId = workspace.read('.ralph/current-loop-id');
  await workspace.run({ argv: ['emit', 'came.later', 'meanwhile'] });
  const resumed = await workspace.run({ argv: [...argv, '--continue'] });
  // Iterations count on, and what came after the end of the first run is delivered.
  expect(resumed.stdout).toContain(' ITERATION 2 | ? ralph | ');
  expect(resumed.prompts.map(pendingEvents)).toContainEqual(['task.resume', 'came.later']);
  expect(resumed.stdout).toContain(`-- ralph loop ${loopId} · resume ·`);
  expect(resumed.events.filter(({ topic }) => topic.startsWith('task.')).map(({ topic }) => topic)).toEqual([
    'task.start',
    'task.resume',
  ]);
  expect(workspace.read('.ralph/agent/scratchpad.md')).toBe('- note 1\n- note 2\n');
  await workspace.run({ argv });
  expect(workspace.read('.ralph/agent/scratchpad.md')).toBe('- note 3\n');
});
