import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { agentWorkspace, RALPH, Workspace } from '../support.js';

const LIST_ARGS = 'for a in "$@"; do printf "%s\\n" "$a" | head -1; done > args; echo LOOP_COMPLETE';

function readArgs(workspace: Workspace): readonly string[] {
  return workspace.read('args').trimEnd().split('\n');
}

test('claude gets its prompt on stdin and is understood in JSON lines', async () => {
  const said = JSON.stringify({
    type: 'assistant',
    message: { content: [{ type: 'text', text: 'hello\nLOOP_COMPLETE' }] },
  });
  const workspace = new Workspace({
    'ralph.yml': 'event_loop: {max_iterations: 3}',
    'bin/claude': `#!/bin/sh
cat > got
${LIST_ARGS.replace('; echo LOOP_COMPLETE', '')}
echo '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
printf '%s\\n' '${said}'
echo '{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"total_cost_usd":0.5,"num_turns":1}'
`,
  });
  const run = await workspace.run({ argv: ['run', '--no-tui', '-p', 'x', '--', '--model', 'small'] });
  expect(run).toMatchObject({ code: 0, label: 'Completion promise detected' });
  expect(readArgs(workspace)).toEqual([
    '--dangerously-skip-permissions',
    '--verbose',
    '--output-format',
    'stream-json',
    '--setting-sources',
    'project,local',
    '--print',
    '--disallowedTools=TodoWrite,TaskCreate,TaskUpdate,TaskList,TaskGet',
    '--model',
    'small',
  ]);
  expect(workspace.read('got')).toBe(run.prompts[0]?.replace(/\n\n---\n\n$/, ''));
  expect(run.stdout).toContain(said);
});

test('a message of claude with a thinking block is lost as a whole', async () => {
  const line = JSON.stringify({
    type: 'assistant',
    message: {
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'LOOP_COMPLETE' },
      ],
    },
  });
  const workspace = new Workspace({
    'ralph.yml': 'event_loop: {max_iterations: 2}',
    'bin/claude': `#!/bin/sh\ncat > /dev/null\nprintf '%s\\n' '${line}'\n`,
  });
  expect(await workspace.run()).toMatchObject({ code: 2 });
});

test.each([
  ['kiro', 'kiro-cli', ['chat', '--no-interactive', '--trust-all-tools']],
  ['opencode', 'opencode', ['run']],
  ['gemini', 'gemini', ['--yolo', '-p']],
  ['codex', 'codex', ['exec', '--yolo']],
])('%s gets a long prompt as a file to read', async (backend, program, args) => {
  const workspace = new Workspace({
    'ralph.yml': `cli: {backend: ${backend}}\nevent_loop: {max_iterations: 2}`,
    [`bin/${program}`]: `#!/bin/sh\nfor last in "$@"; do :; done; cp "\${last##* }" got; ${LIST_ARGS}\n`,
  });
  const run = await workspace.run();
  expect(run.code).toBe(0);
  const given = readArgs(workspace);
  expect(given.slice(0, -1)).toEqual(args);
  const path = /^Please read and execute the task in (\/\S+)$/.exec(given.at(-1) ?? '')?.[1] ?? '';
  expect(workspace.read('got')).toBe(run.prompts[0]?.replace(/\n\n---\n\n$/, ''));
  expect(existsSync(path), 'the prompt file is removed after the iteration').toBe(false);
});

test('a short prompt is an argument itself', async () => {
  const workspace = agentWorkspace('printf %s "$@" > args; echo LOOP_COMPLETE', {
    mode: 'arg',
    yaml: 'skills: {enabled: false}',
  });
  const run = await workspace.run({ argv: ['run', '--no-tui', '-p', 'x', '--', '--extra'] });
  expect(workspace.read('args')).toBe(`--extra${run.prompts[0]?.replace(/\n\n---\n\n$/, '')}`);
});

test('cli.command replaces the program of a named backend, -b the backend', async () => {
  const workspace = new Workspace({
    'ralph.yml':
      'cli: {backend: claude, command: ./mine.sh, args: [--model, m1]}\nevent_loop: {max_iterations: 2}',
    'mine.sh': `#!/bin/sh\n${LIST_ARGS}\n`,
  });
  await workspace.run({ argv: ['run', '-b', 'opencode', '--no-tui', '-p', 'x'] });
  expect(readArgs(workspace).slice(0, 3)).toEqual(['run', '--model', 'm1']);
});

test('the agent can call the ralph that runs it', async () => {
  const workspace = agentWorkspace('command -v ralph; env; echo LOOP_COMPLETE');
  const { stdout } = await workspace.run();
  const lines = stdout.split('\n');
  expect(lines).toContain(RALPH);
  expect(lines).toContain(`RALPH_BIN=${RALPH}`);
  expect(lines).toContain(`RALPH_WORKSPACE_ROOT=${workspace.path}`);
  expect(lines).toContain(
    `RALPH_EVENTS_FILE=${join(workspace.path, workspace.read('.ralph/current-events'))}`,
  );
  expect(lines.find((line) => line.startsWith('PATH='))).toMatch(new RegExp(`^PATH=${dirname(RALPH)}:`));
});

test('a hat may bring its own backend', async () => {
  const workspace = agentWorkspace('echo global', {
    loop: 'max_iterations: 2, starting_event: own.task',
    yaml: 'hats: {own: {name: Own, description: d, triggers: [own.task], instructions: i, backend: {command: ./own.sh, args: [one]}}}',
  });
  workspace.write('own.sh', '#!/bin/sh\necho "mine: $1"\necho LOOP_COMPLETE\n');
  const run = await workspace.run();
  expect(run.code).toBe(0);
  expect(run.stdout).toContain('mine: one\n');
  expect(run.stdout).not.toContain('global');
});

test.each(['custom', 'claude'])(
  'a backend (%s) that does not exist ends the run at once',
  async (backend) => {
    const workspace = new Workspace({ 'ralph.yml': `cli: {backend: ${backend}, command: ./nowhere}` });
    const run = await workspace.run();
    expect(run).toMatchObject({ code: 1, label: undefined, hats: ['ralph'] });
    expect(run.stderr).toBe('Error: No such file or directory (os error 2)\n');
    expect(run.events.map(({ topic }) => topic)).toEqual(['task.start']);
  },
);

test.each([
  ['is no program', 0o755, 'Exec format error (os error 8)'],
  ['may not be run', 0o644, 'Permission denied (os error 13)'],
])('a backend that %s ends the run at once', async (_, mode, message) => {
  const workspace = new Workspace({
    'ralph.yml': 'cli: {backend: custom, command: ./agent}',
    agent: 'echo hi\n',
  });
  chmodSync(join(workspace.path, 'agent'), mode);
  expect(await workspace.run()).toMatchObject({ code: 1, label: undefined, stderr: `Error: ${message}\n` });
});

test('output that is not UTF-8 ends the run', async () => {
  const run = await agentWorkspace("printf 'a\\377b\\n'").run();
  expect(run).toMatchObject({ code: 1, stderr: 'Error: stream did not contain valid UTF-8\n' });
});

test('stderr of the backend is shown with -v only, marked', async () => {
  const script = 'echo out; echo err >&2; sleep 0.2; echo LOOP_COMPLETE';
  expect((await agentWorkspace(script).run()).stdout).not.toContain('err');
  const verbose = await agentWorkspace(script).run({ argv: ['run', '-v', '--no-tui', '-p', 'x'] });
  expect(verbose.stdout).toMatch(/^\[stderr\] err$/m);
  expect(verbose.stderr).toContain('PROMPT FOR ralph (iteration 1)');
});

test.each([
  ['obeys', ''],
  ['ignores', 'trap "" TERM;'],
])('a silent backend that %s TERM is ended with its children, and the iteration failed', async (_, trap) => {
  // The child keeps the streams open: as long as it lives, so does the iteration.
  const workspace = agentWorkspace(`${trap} echo before; sleep 300 & echo $! > pid; wait`, {
    loop: 'max_iterations: 9, max_consecutive_failures: 1',
    yaml: 'adapters: {claude: {timeout: 1}}',
  });
  onTestFinished(() => endProcess(Number(workspace.read('pid'))));
  const run = await workspace.run();
  expect(run).toMatchObject({ code: 1, label: 'Too many consecutive failures', hats: ['ralph'] });
  expect(run.stdout).toContain('before\n');
});

test('an agent that goes on after its event is stopped, and the iteration failed', async () => {
  const run = await agentWorkspace('ralph emit some.topic; exec sleep 60', {
    loop: 'max_iterations: 9, max_consecutive_failures: 1',
  }).run();
  expect(run).toMatchObject({ code: 1, label: 'Too many consecutive failures' });
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s makes ralph kill itself and leave its backend behind',
  async (signal) => {
    const workspace = agentWorkspace('echo $$ > pid.part; mv pid.part pid; exec sleep 60');
    const ralph = spawn(RALPH, ['run', '--no-tui', '-p', 'x'], {
      cwd: workspace.path,
      env: workspace.env(),
      stdio: 'ignore',
    });
    const exit = once(ralph, 'exit');
    await appear(workspace, 'pid');
    const backend = Number(readFileSync(join(workspace.path, 'pid'), 'utf8'));
    onTestFinished(() => {
      process.kill(backend, 'SIGKILL');
    });
    ralph.kill(signal);
    expect(await exit).toEqual([null, 'SIGKILL']);
    expect(process.kill(backend, 0), 'the backend is alive').toBe(true);
    expect(workspace.readEvents().map(({ topic }) => topic)).toEqual(['task.start']);
  },
);

async function appear(workspace: Workspace, name: string): Promise<void> {
  const watcher = watch(workspace.path);
  try {
    while (!workspace.has(name)) await once(watcher, 'change');
  } finally {
    watcher.close();
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already, as it should be.
  }
}
