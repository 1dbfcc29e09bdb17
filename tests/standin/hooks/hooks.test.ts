import { expect, test } from 'vitest';
import { HOOK_PHASES } from '../../../src/domain/hook-phases.js';
import { agentWorkspace, HATS, type Run, type Workspace } from '../support.js';

const AGENT = `case $n in
  1) ralph emit plan.made x;;
  2) ralph emit human.interact "which one?";;
  *) ralph emit LOOP_COMPLETE;;
esac`;

function withHooks(events: string, agent = AGENT, loop = 'max_iterations: 6'): Workspace {
  const workspace = agentWorkspace(agent, { loop, yaml: `hooks:\n  enabled: true\n  events:\n${events}` });
  workspace.write('hook.sh', '#!/bin/sh\ncat >> told.jsonl\necho >> told.jsonl\n');
  return workspace;
}

function told(workspace: Workspace) {
  const lines = workspace.read('told.jsonl').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

const everywhere = HOOK_PHASES.map(
  (phase) => `    ${phase}: [{name: h, command: [./hook.sh], on_error: warn}]`,
).join('\n');

test('hooks run at every boundary of a loop that completes, and are told where they are', async () => {
  const workspace = withHooks(everywhere);
  expect((await workspace.run()).code).toBe(0);
  const payloads = told(workspace);
  expect(payloads.map(({ phase_event, iteration }) => `${phase_event} ${iteration.current}`)).toEqual([
    'pre.loop.start 0',
    'post.loop.start 0',
    'pre.iteration.start 1',
    'post.iteration.start 1',
    'pre.plan.created 1',
    'post.plan.created 1',
    'pre.iteration.start 2',
    'post.iteration.start 2',
    'pre.human.interact 2',
    'post.human.interact 2',
    'pre.iteration.start 3',
    'post.iteration.start 3',
    'pre.loop.complete 3',
    'post.loop.complete 3',
  ]);
  expect(payloads[0]).toMatchObject({
    schema_version: 1,
    phase: 'pre',
    event: 'loop.start',
    iteration: { current: 0, max: 6 },
    loop: { id: workspace.read('.ralph/current-loop-id'), is_primary: true, workspace: workspace.path },
    context: { active_hat: 'ralph', selected_hat: null, termination_reason: null },
  });
  expect(payloads[9].context.human_interact).toEqual({
    hat: 'ralph',
    iteration: 2,
    outcome: 'no_robot_service',
    question: 'which one?',
  });
  expect(payloads.at(-1).context).toMatchObject({ termination_reason: 'completed' });
});

test('a loop that fails runs the hooks for errors, and an active hat is named', async () => {
  const workspace = withHooks(
    `${everywhere}\n${HATS}`,
    'echo silence',
    'max_iterations: 1, starting_event: build.task',
  );
  expect((await workspace.run()).code).toBe(2);
  const payloads = told(workspace);
  expect(payloads.slice(-2).map(({ phase_event }) => phase_event)).toEqual([
    'pre.loop.error',
    'post.loop.error',
  ]);
  expect(payloads[3].context).toMatchObject({ active_hat: 'builder', selected_hat: 'builder' });
  expect(payloads.at(-1).context).toMatchObject({ termination_reason: 'max_iterations' });
});

test.each<[phase: string, started: boolean]>([
  ['pre.loop.start', false],
  ['pre.iteration.start', true],
])('a hook that blocks at %s ends the run, after the hooks beside it', async (phase, started) => {
  const workspace = withHooks(
    `    ${phase}: [{name: no, command: [sh, -c, "exit 7"], on_error: block}, {name: h, command: [./hook.sh], on_error: warn}]`,
  );
  const run = await workspace.run();
  expect(run).toMatchObject({
    code: 1,
    hats: [],
    stderr: `Error: Lifecycle hook 'no' blocked orchestration at '${phase}': hook exited with code 7\n`,
  });
  expect(told(workspace)).toHaveLength(1);
  expect(workspace.has('.ralph/history.jsonl')).toBe(started);
});

test('a hook that only warns, or is not there, changes nothing', async () => {
  const run = await withHooks(
    '    pre.loop.start: [{name: a, command: [sh, -c, "exit 3"], on_error: warn}, {name: b, command: [./gone], on_error: warn}]',
  ).run();
  expect(run.code).toBe(0);
  expect(run.stdout).toContain('hook_name=a disposition=Warn exit_code=Some(3)');
  expect(run.stdout).toContain("command './gone' could not be resolved");
});

test('metadata of a hook reach the hooks after it; anything else on stdout is a failure', async () => {
  const mutate = 'on_error: block, mutate: {enabled: true}';
  const workspace = withHooks(
    `    pre.loop.start: [{name: a, command: [echo, '{"metadata": {"k": 1}}'], ${mutate}}]
    post.loop.start: [{name: h, command: [./hook.sh], on_error: warn}]
    pre.iteration.start: [{name: c, command: [echo, words], ${mutate}}]`,
  );
  const run = await workspace.run();
  expect(told(workspace)[0].metadata).toEqual({ accumulated: { hook_metadata: { a: { k: 1 } } } });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(
    "'c' blocked orchestration at 'pre.iteration.start': invalid mutation output: ",
  );
});

test.each([
  ['pre.nope: []', 'unknown variant `pre.nope`, expected one of `pre.loop.start`, '],
  ['pre.loop.start: [{name: a, command: [x]}]', "'hooks.events.pre.loop.start[0].on_error': is required"],
  ['pre.loop.start: [{command: [x], on_error: warn}]', "'hooks.events.pre.loop.start[0].name': is required"],
  ['pre.loop.start: [{name: a, command: [x], on_error: maybe}]', 'unknown variant `maybe`'],
])('the hook %s is refused', async (hook, message) => {
  const run: Run = await withHooks(`    ${hook}`).run();
  expect(run).toMatchObject({ code: 1, hats: [] });
  expect(run.stderr).toContain(message);
});

test('a session is recorded: what the loop publishes inside itself, without its first event and its completion', async () => {
  const workspace = agentWorkspace(
    '[ $n = 1 ] && ralph emit build.done trust-me || ralph emit LOOP_COMPLETE',
  );
  const run = await workspace.run({
    argv: ['run', '--no-tui', '-p', 'x', '--record-session', 'session.jsonl'],
  });
  expect(run.code).toBe(0);
  const records = workspace
    .read('session.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(records.map(({ event, data }) => [event, data.topic])).toEqual([
    ['_meta.loop_start', undefined],
    ['bus.publish', 'build.blocked'],
    ['bus.publish', 'loop.terminate'],
  ]);
  expect(records[0].data).toEqual({ max_iterations: 3, prompt_file: '', ux_mode: 'cli' });
  expect(Object.keys(records[1].data)).toEqual(['payload', 'source', 'target', 'topic']);
});

test('a recording that cannot be made ends the run', async () => {
  const run = await agentWorkspace('echo LOOP_COMPLETE').run({
    argv: ['run', '--no-tui', '-p', 'x', '--record-session', 'not/there'],
  });
  expect(run).toMatchObject({
    code: 1,
    stderr:
      'Error: Failed to create session recording file: "not/there"\n\nCaused by:\n    No such file or directory (os error 2)\n',
  });
});
