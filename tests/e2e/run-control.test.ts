import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { listProcesses, readCommandLine } from '../../src/exec/process/table.js';
import { readJournal } from '../../src/journal/reader.js';
import { shuffle } from '../../src/run/select/shuffle.js';
import { findByCommand, killIfThere } from '../exec/support.js';
import { bareSystemPath, CLI, callCli, runCli, startCli, tempFolder } from '../support/cli.js';
import { writeFakeAgents } from '../support/fake-agents.js';

const parse = (stdout: string) => reportSchema.parse(JSON.parse(stdout));

/** Live runs with agents that do nothing, one test after another: everything fails. */
function failingRun(cwd: string, ...args: string[]) {
  const bin = writeFakeAgents(join(cwd, 'bin'), 'does nothing');
  return callCli(['claude', '--ralph', 'embedded', '--json', '-j', '1', ...args], {
    cwd,
    env: { PATH: `${bin}:${bareSystemPath()}` },
  });
}

describe('run control', () => {
  test('--bail stops at the first failure and says what was not run', async () => {
    const { code, stdout } = await failingRun(tempFolder(), '--filter', 'tier 2', '--bail');
    const [first, ...others] = parse(stdout).results;
    expect(first).toMatchObject({ outcome: 'failed', skip_reason: null, skip_cause: null });
    for (const other of others)
      expect(other).toMatchObject({
        outcome: 'skipped',
        skip_reason: 'not run: --bail ended the run after a failure',
        skip_cause: { kind: 'run-ended' },
      });
    expect(code).toBe(1);
  });

  test('--max-failures stops after so many failures and says what was not run', async () => {
    const { code, stdout } = await failingRun(tempFolder(), '--filter', 'tier 2', '--max-failures', '2');
    const [first, second, ...others] = parse(stdout).results;
    expect([first?.outcome, second?.outcome]).toEqual(['failed', 'failed']);
    expect(others.length).toBeGreaterThan(0);
    for (const other of others)
      expect(other).toMatchObject({
        outcome: 'skipped',
        skip_reason: 'not run: --max-failures 2 was reached',
        skip_cause: { kind: 'run-ended' },
      });
    expect(code).toBe(1);
  });

  test('--last-failed takes what failed and what was not run, and no more', async () => {
    const cwd = tempFolder();
    await failingRun(cwd, ...['--filter', 'claude-single-iter', '--filter', 'backend-unavailable', '--bail']);
    const first = await failingRun(cwd, '--last-failed');
    expect(parse(first.stdout).results.map(({ scenario_id }) => scenario_id)).toEqual([
      'claude-single-iter',
      'backend-unavailable',
    ]);
    expect(first.stderr).toMatch(/^Last failed: 2 tests: 1 failed, 1 not run in \S+$/m);
    const none = await failingRun(cwd, '--last-failed', '--filter', 'claude-events');
    expect(none.stderr).toMatch(/none of the \d+ tests that failed or did not run matches "claude-events"/);
    const other = await callCli(['claude', '--mock', '--last-failed', '--json'], { cwd });
    expect(other).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /no failed test is known in the sim lane on .*, but one failed in the live lane on /,
      ),
    });
  });

  test('--retries runs a failed scenario again and calls it flaky when that passes', async () => {
    const cwd = tempFolder();
    const bin = join(cwd, 'bin');
    writeFakeAgents(bin, 'adds numbers');
    // The first prompt is answered by silence, as by a CLI whose service hiccups.
    const agent = join(bin, 'claude');
    const flag = join(cwd, 'answered');
    writeFileSync(
      agent,
      readFileSync(agent, 'utf8').replace(
        'const sum',
        `const fs = require('node:fs'); const n = fs.existsSync('${flag}') ? Number(fs.readFileSync('${flag}')) : 0; fs.writeFileSync('${flag}', String(n + 1)); if (n < 3) process.exit(0);\nconst sum`,
      ),
    );
    chmodSync(agent, 0o755);
    const { code, stdout } = await callCli(
      ['claude', '--ralph', 'embedded', '--json', '--filter', 'claude-connect', '--retries', '2'],
      { cwd, env: { PATH: `${bin}:${bareSystemPath()}` } },
    );
    const [result] = parse(stdout).results;
    expect(result?.outcome).toBe('flaky');
    expect(result?.attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'passed']);
    expect(code).toBe(0);
  });

  test('--shuffle changes the order of running and nothing else, and prints what repeats it', async () => {
    const cwd = tempFolder();
    const { code, stdout, stderr } = await callCli(
      ['--mock', '-q', '--json', '-j', '1', '--shuffle', '--filter', 'connect'],
      { cwd },
    );
    const results = parse(stdout).results.map(({ scenario_id, backend }) => `${scenario_id} on ${backend}`);
    const seed = Number(/^Order: shuffled \(repeat it with --shuffle (\d+)\)$/m.exec(stderr)?.[1]);
    const [run = ''] = readdirSync(join(cwd, '.e2e-tests/runs'));
    const { events } = await readJournal(join(cwd, '.e2e-tests/runs', run, 'journal.jsonl'));
    const started = events.flatMap((event) =>
      event.type === 'attempt-started' ? [`${event.scenarioId} on ${event.backend}`] : [],
    );
    expect(started).toEqual(shuffle(results, seed, (name) => name));
    expect(results).toEqual([
      'claude-connect on claude',
      'kiro-connect on kiro',
      'opencode-connect on opencode',
      'custom-connect on claude',
    ]);
    expect(code).toBe(0);
  });

  test('a second run in the same folder says who holds it and exits 2', async () => {
    const cwd = tempFolder();
    const bin = writeFakeAgents(join(cwd, 'bin'), 'adds numbers');
    const started = join(cwd, 'agent-pid');
    const agent = readFileSync(join(bin, 'claude'), 'utf8');
    // It holds the folder for as long as the second run takes.
    const hanging = `require('node:fs').writeFileSync('${started}', String(process.pid)); setInterval(() => {}, 1000); return;`;
    writeFileSync(join(bin, 'claude'), agent.replace('const sum', `${hanging}\nconst sum`));
    const first = startCli(['claude', '--ralph', 'embedded', '--filter', 'claude-connect'], {
      cwd,
      env: { PATH: `${bin}:${bareSystemPath()}` },
    });
    await until(() => existsSync(started) && readFileSync(started, 'utf8') !== '');
    const second = await runCli(['claude', '--mock', '--filter', 'claude-connect'], { cwd });
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(String(first.child.pid));
    first.child.kill('SIGINT');
    expect((await first.done).code).toBe(130);
  });

  test.each([
    ['by its scope', {}],
    ['by the watchdog', { RALPH_E2E_CONTAINMENT: 'tracking' }],
    ['by the next run in its folder, if the watchdog was killed too', { RALPH_E2E_CONTAINMENT: 'tracking' }],
  ])('what a killed run left behind is ended %s', async (who, means) => {
    const cwd = tempFolder();
    const bin = writeFakeAgents(join(cwd, 'bin'), 'adds numbers');
    const started = join(cwd, 'agent-pid');
    const agent = readFileSync(join(bin, 'claude'), 'utf8');
    const hanging = `require('node:fs').writeFileSync('${started}', String(process.pid)); setInterval(() => {}, 1000); return;`;
    writeFileSync(join(bin, 'claude'), agent.replace('const sum', `${hanging}\nconst sum`));
    const options = { cwd, env: { PATH: `${bin}:${bareSystemPath()}`, ...means } };
    const args = ['claude', '--ralph', 'embedded', '--filter', 'claude-connect'];
    const killed = startCli(args, options);
    await until(() => existsSync(started) && readFileSync(started, 'utf8') !== '');
    const findAgent = () => findByCommand(join(bin, 'claude'));
    expect(findAgent()).not.toEqual([]);
    const isLast = who.includes('next run');
    if (isLast) findWatchdogs(killed.child.pid).forEach(killIfThere);
    killed.child.kill('SIGKILL');
    if (!isLast) await until(() => findAgent().length === 0);
    writeFileSync(join(bin, 'claude'), agent);
    const next = await runCli(args, options);
    if (isLast) expect(next.stdout).toMatch(/Ended \d+ process(es)? that an earlier run/);
    expect(next.code).toBe(0);
    expect(findAgent()).toEqual([]);
  });

  test('Ctrl-C ends everything, still writes the reports and exits 130', async () => {
    const cwd = tempFolder();
    const bin = writeFakeAgents(join(cwd, 'bin'), 'adds numbers');
    const started = join(cwd, 'agent-pid');
    writeFileSync(
      join(bin, 'claude'),
      readFileSync(join(bin, 'claude'), 'utf8').replace(
        'const sum',
        `require('node:fs').writeFileSync('${started}', String(process.pid)); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); return;\nconst sum`,
      ),
    );
    const run = startCli(
      [
        'claude',
        '--ralph',
        'embedded',
        '--filter',
        '/^claude-(?:connect|single-iter|multi-iter|completion)$/',
      ],
      {
        cwd,
        env: { PATH: `${bin}:${bareSystemPath()}` },
      },
    );
    await until(() => existsSync(started) && readFileSync(started, 'utf8') !== '');
    run.child.kill('SIGINT');
    await seen(run, /Interrupted: ending \d tests?… Press Ctrl-C again to quit at once\./);
    expect((await run.done).code).toBe(130);
    expect(findByCommand(join(bin, 'claude'))).toEqual([]);
    const report = parse(readFileSync(join(cwd, '.e2e-tests/report.json'), 'utf8'));
    expect(report.interrupted).toBe(true);
    expect(report.passed).toBe(false);
    expect(report.results).toHaveLength(4);
    expect(readFileSync(join(cwd, '.e2e-tests/report.md'), 'utf8')).toMatch(/interrupted/);
  });
});

function findWatchdogs(harness: number | undefined): number[] {
  const children = listProcesses().filter(({ ppid }) => ppid === harness);
  const found = children.map(({ pid }) => pid).filter((pid) => readCommandLine(pid).includes('read -r mark'));
  expect(found).toHaveLength(1);
  return found;
}

async function seen(run: ReturnType<typeof startCli>, pattern: RegExp): Promise<void> {
  await until(() => pattern.test(run.output()));
}

/** Waits for a condition that another process brings about; the test's own time limit ends a wait in vain. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('a reader that goes away ends the run in order: reports, processes, exit 130', async () => {
  const cwd = tempFolder();
  const run = startCli(['claude', '--mock', '-j', '1', '--filter', 'tier 2'], { cwd });
  await seen(run, /✅/);
  run.child.stdout.destroy();
  const { code, stderr } = await run.done;
  expect(code).toBe(130);
  expect(stderr).toBe('stdout was closed: ending the run. Reports go to .e2e-tests.\n');
  const report = parse(readFileSync(join(cwd, '.e2e-tests/report.json'), 'utf8'));
  expect(report.interrupted).toBe(true);
  expect(report.results.filter(({ outcome }) => outcome === 'skipped').length).toBeGreaterThan(10);
});

test('a reader that goes away after the run changes nothing', () => {
  const cwd = tempFolder();
  const command = `node ${CLI} --list | head -1`;
  expect(spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});

test('--last-failed with nothing that failed says so and passes', async () => {
  const cwd = tempFolder();
  await callCli(['claude', '--mock', '--test', 'claude-connect'], { cwd });
  expect(await callCli(['claude', '--mock', '--last-failed'], { cwd })).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(
      /^--last-failed: no test failed or was left out in the sim lane on the stand-in\..*\n$/,
    ),
  });
});

test('--follow shows what the agents say and do while the tests run, each line with its test', async () => {
  const cwd = tempFolder();
  const args = ['claude', 'kiro', '--mock', '--test', 'hat-single', '--test', 'claude-connect', '--follow'];
  const { code, stdout } = await callCli(args, { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^claude-connect │ ANSWER=\d+$/m);
  expect(stdout).toMatch(/^hat-single \[claude\] │ → Bash: ralph emit build\.task \d+$/m);
  expect(stdout).toMatch(/^hat-single \[kiro\] │ ── iteration 2: builder ──$/m);
  expect(stdout.indexOf('claude-connect │ ANSWER')).toBeLessThan(stdout.indexOf('✅ claude-connect'));
  expect(stdout).not.toContain('{"type"');
});

test('--follow shows conversations too, and nothing without it', async () => {
  const cwd = tempFolder();
  const args = ['claude', '--mock', '--test', 'agent-loop-bugfix'];
  expect((await callCli([...args, '--follow'], { cwd })).stdout).toMatch(
    /^agent-loop-bugfix \[claude\] │ STAGE: /m,
  );
  expect((await callCli(args, { cwd })).stdout).not.toContain('│');
});

test('Ctrl-C while a probe hangs ends at once with 130 and leaves nothing', async () => {
  const cwd = tempFolder();
  const bin = writeFakeAgents(join(cwd, 'bin'), 'adds numbers');
  const started = join(cwd, 'probe-pid');
  writeFileSync(
    join(bin, 'claude'),
    `#!${process.execPath}\nrequire('node:fs').writeFileSync('${started}', String(process.pid)); setInterval(() => {}, 1000);`,
  );
  const run = startCli(['claude', '--ralph', 'embedded'], {
    cwd,
    env: { PATH: `${bin}:${bareSystemPath()}` },
  });
  await until(() => existsSync(started) && readFileSync(started, 'utf8') !== '');
  run.child.kill('SIGINT');
  expect((await run.done).code).toBe(130);
  expect(findByCommand(join(bin, 'claude'))).toEqual([]);
});

test('the command that a report prints can be pasted', async () => {
  const cwd = tempFolder();
  const failed = parse((await failingRun(cwd, '--filter', 'claude-completion')).stdout);
  const [{ command = '' } = {}] = failed.quick_fix_commands;
  expect(command).toMatch(/ claude --test claude-completion .*--ralph embedded/);
  const bin = join(cwd, 'bin');
  const pasted = spawnSync('sh', ['-c', command], {
    cwd,
    encoding: 'utf8',
    env: { HOME: cwd, PATH: `${bin}:${bareSystemPath()}` },
  });
  expect(pasted.stdout).toMatch(/claude-completion/);
  expect(pasted.status).toBe(1);
});
