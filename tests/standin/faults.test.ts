import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { agentWorkspace, HATS, RALPH, type Run, Workspace } from './support.js';

const MEMORIES = `# Memories

## Patterns

### mem-1700000000-aaaa
> ${'the first of two long memories '.repeat(4)}
<!-- tags: a | created: 2026-01-02 -->

### mem-1700000000-bbbb
> ${'the second of two long memories '.repeat(4)}
<!-- tags: b | created: 2026-01-02 -->
`;

/** Small loops; a fault changes those that it concerns and no other. */
const CASES = {
  refused: () => agentWorkspace('echo LOOP_COMPLETE', { loop: 'completion_promise: " "' }),
  once: () => agentWorkspace('echo LOOP_COMPLETE'),
  twice: () => agentWorkspace('[ $n = 2 ] && echo LOOP_COMPLETE'),
  limited: () => agentWorkspace('[ $n = 3 ] && echo LOOP_COMPLETE', { loop: 'max_iterations: 2' }),
  published: () => agentWorkspace('[ $n = 1 ] && ralph emit some.news told || echo LOOP_COMPLETE'),
  tagged: () => agentWorkspace(`[ $n = 1 ] && echo '<event topic="x.y">t</event>' || echo LOOP_COMPLETE`),
  hats: () =>
    agentWorkspace('case $n in 1) ralph emit build.task wall;; *) ralph emit LOOP_COMPLETE;; esac', {
      yaml: HATS,
    }),
  loneHat: () =>
    agentWorkspace('case $n in 1) ralph emit one.task;; *) ralph emit LOOP_COMPLETE;; esac', {
      yaml: `hats: {one: ${hat('triggers: [one.task], instructions: Do it')}}`,
    }),
  silentHat: () =>
    agentWorkspace('[ $n = 3 ] && echo LOOP_COMPLETE', {
      loop: 'max_iterations: 5, starting_event: one.task',
      yaml: `hats: {one: ${hat('triggers: [one.task], default_publishes: two.task')}, two: ${hat('triggers: [two.task]')}}`,
    }),
  ownBackend: () => {
    const workspace = agentWorkspace('echo global; echo LOOP_COMPLETE', {
      loop: 'max_iterations: 2, starting_event: one.task',
      yaml: `hats: {one: ${hat('triggers: [one.task], backend: {command: ./own.sh}')}}`,
    });
    workspace.write('own.sh', '#!/bin/sh\necho "own, without promise"\n');
    return workspace;
  },
  unproven: () => agentWorkspace('[ $n = 1 ] && ralph emit build.done trust-me || echo LOOP_COMPLETE'),
  scoped: () =>
    agentWorkspace('[ $n = 1 ] && ralph emit not.mine x || echo LOOP_COMPLETE', {
      loop: 'max_iterations: 3, starting_event: one.task, enforce_hat_scope: true',
      yaml: `hats: {one: ${hat('triggers: [one.task], publishes: [one.done]')}}`,
    }),
  exhausted: () =>
    agentWorkspace('case $n in 4) echo LOOP_COMPLETE;; *) ralph emit one.task $n;; esac', {
      loop: 'max_iterations: 6',
      yaml: `hats: {one: ${hat('triggers: [one.task], max_activations: 1')}}`,
    }),
  required: () => agentWorkspace('echo LOOP_COMPLETE', { loop: 'max_iterations: 2, required_events: [x.y]' }),
  openTask: () =>
    agentWorkspace('[ $n = 1 ] && ralph tools task add job >/dev/null; echo LOOP_COMPLETE', {
      loop: 'max_iterations: 2',
    }),
  cancelled: () =>
    agentWorkspace('ralph emit loop.cancel', {
      loop: 'max_iterations: 2, cancellation_promise: loop.cancel',
    }),
  guided: () =>
    agentWorkspace('case $n in 1) ralph emit human.guidance hurry;; *) echo LOOP_COMPLETE;; esac', {
      loop: 'max_iterations: 3',
    }),
  notes: () => agentWorkspace('[ $n = 2 ] && echo LOOP_COMPLETE || echo note > .ralph/agent/scratchpad.md'),
  learned: () =>
    agentWorkspace('[ $n = 2 ] && echo LOOP_COMPLETE || ralph tools memory add "it is warm" >/dev/null'),
  remembered: () => withMemories(''),
  frugal: () => withMemories('memories: {budget: 60}'),
} as const satisfies Readonly<Record<string, () => Workspace>>;

type Case = keyof typeof CASES;

const EFFECTS: readonly [fault: string, changes: Case, leaves: Case][] = [
  ['drop-hat-instructions', 'hats', 'once'],
  ['no-topology', 'hats', 'once'],
  ['skip-memory-injection', 'learned', 'once'],
  ['ignore-memory-budget', 'frugal', 'remembered'],
  ['forget-memories-between-runs', 'remembered', 'learned'],
  ['drop-scratchpad', 'notes', 'learned'],
  ['drop-ready-tasks', 'openTask', 'notes'],
  ['drop-guidance', 'guided', 'notes'],
  ['route-to-wrong-hat', 'hats', 'published'],
  ['route-to-wrong-hat', 'loneHat', 'published'],
  ['drop-default-publishes', 'silentHat', 'hats'],
  ['wrong-backend-for-hat', 'ownBackend', 'hats'],
  ['accept-any-build-done', 'unproven', 'published'],
  ['ignore-hat-scope', 'scoped', 'hats'],
  ['ignore-max-activations', 'exhausted', 'hats'],
  ['ignore-required-events', 'required', 'published'],
  ['ignore-open-tasks', 'openTask', 'required'],
  ['ignore-cancellation', 'cancelled', 'published'],
  ['ignore-completion', 'once', 'cancelled'],
  ['complete-too-early', 'twice', 'once'],
  ['never-stop', 'limited', 'twice'],
  ['lose-events', 'published', 'twice'],
  ['lose-events', 'tagged', 'twice'],
  ['corrupt-events', 'published', 'twice'],
  ['corrupt-events', 'tagged', 'twice'],
  ['wrong-exit-code', 'once', 'refused'],
  ['wrong-exit-code', 'limited', 'refused'],
  ['crash', 'once', 'refused'],
];

test.each(EFFECTS)('%s changes the case %s and leaves the case %s alone', async (fault, changes, leaves) => {
  expect(await play(changes, fault)).not.toEqual(await play(changes));
  expect(await play(leaves, fault)).toEqual(await play(leaves));
});

test('what each fault does to the case that it concerns', async () => {
  expect(await play('once', 'ignore-completion')).toMatchObject({
    code: 2,
    hats: ['ralph', 'ralph', 'ralph'],
  });
  expect(await play('twice', 'complete-too-early')).toMatchObject({ code: 0, hats: ['ralph'] });
  expect(await play('limited', 'never-stop')).toMatchObject({ code: 0, hats: ['ralph', 'ralph', 'ralph'] });
  expect(await play('hats', 'route-to-wrong-hat')).toMatchObject({ code: 0, hats: ['ralph', 'reviewer'] });
  expect(await play('loneHat', 'route-to-wrong-hat')).toMatchObject({ code: 0, hats: ['ralph', 'ralph'] });
  expect(await play('once', 'wrong-exit-code')).toMatchObject({
    code: 1,
    label: 'Completion promise detected',
  });
  expect(await play('limited', 'wrong-exit-code')).toMatchObject({ code: 0, hats: ['ralph', 'ralph'] });
  const crashed = await play('once', 'crash');
  expect(crashed).toMatchObject({ code: 101, label: undefined, hats: ['ralph'] });
  expect(crashed.events).toEqual([
    ['task.start', 'do the thing'],
    ['iteration.summary', ''],
  ]);
  const lost = await play('published', 'lose-events');
  expect(lost.events.map(([topic]) => topic)).not.toContain('some.news');
  expect(lost.stdout).toContain('Event emitted: some.news');
  const [, second] = (await play('published', 'corrupt-events')).prompts;
  expect(second).toContain('Event: event.malformed - Line 2:');
});

test('several faults go together', async () => {
  expect(await play('limited', 'never-stop, wrong-exit-code')).toMatchObject({
    code: 1,
    label: 'Completion promise detected',
  });
});

test('leak-backend leaves a process behind', async () => {
  const run = await CASES.once().run({ env: { RALPH_STANDIN_FAULT: 'leak-backend' } });
  expect(run.code).toBe(0);
  const pid = Number(/Left a process behind pid=(\d+)/.exec(run.stdout)?.[1]);
  expect(pid).toBeGreaterThan(1);
  // Throws if the process is not there.
  process.kill(pid, 'SIGKILL');
});

test('hang-after-completion has left all records and stays', async () => {
  const workspace = CASES.once();
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
  expect(workspace.readEvents().map(({ topic }) => topic)).toContain('loop.terminate');
  // A healthy one is gone before another program has started and ended.
  await workspace.run({ argv: ['--version'] });
  child.kill('SIGKILL');
  expect(await end).toEqual([null, 'SIGKILL']);
});

test('a fault that does not exist is refused by name', async () => {
  const run = await CASES.once().run({ env: { RALPH_STANDIN_FAULT: 'crash,crahs' } });
  expect(run).toMatchObject({ code: 1, hats: [] });
  expect(run.stderr).toContain(
    "Error: Unknown fault 'crahs' in RALPH_STANDIN_FAULT. Expected one or more of: ",
  );
});

test('--faults lists every fault in one line', async () => {
  const { code, stdout } = await new Workspace().run({ argv: ['--faults'] });
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  const names = lines.map((line) => /^([a-z-]+): \S.{9,}$/.exec(line)?.[1]);
  const tested = [...EFFECTS.map(([fault]) => fault), 'leak-backend', 'hang-after-completion'];
  expect(new Set(names)).toEqual(new Set(tested));
});

function hat(rest: string): string {
  return `{name: Hat, description: works, ${rest}}`;
}

function withMemories(yaml: string): Workspace {
  const workspace = agentWorkspace('echo LOOP_COMPLETE', { yaml });
  workspace.write('.ralph/agent/memories.md', MEMORIES);
  return workspace;
}

interface Outcome extends Pick<Run, 'code' | 'label' | 'hats' | 'prompts' | 'stdout'> {
  readonly events: readonly (readonly [topic: string, payload: string])[];
}

const played = new Map<string, Outcome>();

/** The outcome of a case under a fault; many tests ask for the same one, and it is always the same. */
async function play(name: Case, fault = ''): Promise<Outcome> {
  const key = `${name} ${fault}`;
  const outcome = played.get(key) ?? (await playAnew(name, fault));
  played.set(key, outcome);
  return outcome;
}

/** Runs a case and takes out of its outcome what differs from run to run. */
async function playAnew(name: Case, fault: string): Promise<Outcome> {
  const run = await CASES[name]().run({ env: { RALPH_STANDIN_FAULT: fault } });
  return {
    code: run.code,
    label: run.label,
    hats: run.hats,
    prompts: run.prompts.map(normalise),
    stdout: run.stdout
      .split('\n')
      .filter((line) => /^(Event emitted|own|global)/.test(line))
      .join('\n'),
    events: run.events.map(({ topic, payload }) => [
      topic,
      topic === 'iteration.summary' ? '' : normalise(String(payload)),
    ]),
  };
}

function normalise(text: string): string {
  return text
    .replace(/(mem|task)-\d+-[0-9a-f]{4}/g, '$1-id')
    .replace(/\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?/g, 'date')
    .replace(/Duration: \S+/g, 'Duration: some');
}
