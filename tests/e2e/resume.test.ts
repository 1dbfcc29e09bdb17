import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { comparable } from '../../scripts/survive/compare.mjs';
import { reportSchema } from '../../src/domain/report/report.js';
import { readJournal } from '../../src/journal/reader.js';
import { bareSystemPath, callCli, runCli, tempFolder } from '../support/cli.js';
import { ENDING_CALL, ENDING_TESTS, type Ending, writeEndingRun } from '../support/ending-run.js';

const readText = (path: string) => readFileSync(path, 'utf8');
const readReport = (cwd: string) =>
  reportSchema.parse(JSON.parse(readText(join(cwd, '.e2e-tests/report.json'))));

/** The only run in a folder: everything must be in it. */
function onlyRun(cwd: string): { id: string; folder: string; journal: string } {
  const [id = '', ...others] = readdirSync(join(cwd, '.e2e-tests/runs'));
  expect(others).toEqual([]);
  const folder = join(cwd, '.e2e-tests/runs', id);
  return { id, folder, journal: join(folder, 'journal.jsonl') };
}

/** How often each test started, from the journal. */
async function countStarts(cwd: string): Promise<number[]> {
  const { events } = await readJournal(onlyRun(cwd).journal);
  const started = events.filter((event) => event.type === 'attempt-started');
  return ENDING_TESTS.map((id) => started.filter(({ scenarioId }) => scenarioId === id).length);
}

async function startAndEnd(ending: Ending, ...args: string[]) {
  const cwd = writeEndingRun([ending]);
  return { cwd, ...(await runCli([...ENDING_CALL, ...args], { cwd })) };
}

test('a killed run goes on: what it finished stays, the rest runs, and one report comes out of one run', async () => {
  const whole = writeEndingRun([]);
  const [undisturbed, { cwd }] = await Promise.all([
    runCli([...ENDING_CALL, '--retries', '1'], { cwd: whole }),
    startAndEnd('SIGKILL', '--retries', '1'),
  ]);
  expect(undisturbed.code).toBe(1);
  expect(existsSync(join(cwd, '.e2e-tests/report.json'))).toBe(false);

  const { code, stdout } = await runCli(['resume'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain('Resumed: 2 results taken over, 2 tests left\n');
  expect(stdout).not.toMatch(/✅ first/);
  expect(stdout).toMatch(/^4 tests: 3 passed, 1 failed in \S+ \(resumed once, 2 results taken over\)$/m);
  const report = readReport(cwd);
  expect(comparable(report)).toEqual(comparable(readReport(whole)));
  expect(report).toMatchObject({ interrupted: false, resumed: { times: 1, taken_over: 2 } });
  expect(report.results.map(({ outcome, attempts }) => `${outcome} ${attempts.length}`)).toEqual([
    'passed 1',
    'failed 2',
    'passed 1',
    'passed 1',
  ]);
  expect(await countStarts(cwd)).toEqual([1, 2, 2, 1]);
  expect(readText(join(cwd, '.e2e-tests/report.md'))).toMatch(/resumed once, 2 results taken over$/m);
  const shown = await callCli(['show'], { cwd });
  expect(shown.stdout.match(/✅ ending/g)).toHaveLength(1);
  const again = await runCli([...ENDING_CALL, '--last-failed', '-q'], { cwd });
  expect(again.stdout).toContain('the only test failed');
});

test('a run on a stand-in with faults goes on with them in any shell, and with no others', async () => {
  const cwd = writeEndingRun(['SIGKILL']);
  await runCli(ENDING_CALL, { cwd, env: { RALPH_STANDIN_FAULT: 'wrong-exit-code' } });
  expect(await runCli(['resume'], { cwd, env: { RALPH_STANDIN_FAULT: '' } })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('tests the stand-in 2.10.1 with wrong-exit-code: expected the same'),
  });
  expect((await runCli(['resume', '-q'], { cwd })).code).toBe(1);
  expect(readReport(cwd)).toMatchObject({
    target: { faults: ['wrong-exit-code'] },
    summary: { passed: 0, failed: 4 },
  });
});

test('--max-failures counts the failures from before the kill', async () => {
  const cwd = writeEndingRun(['SIGKILL']);
  const mine = join(cwd, 'mine.mjs');
  writeFileSync(mine, readText(mine).replace("make('last')", "make('later', 'something else'), $&"));
  await runCli([...ENDING_CALL, '--max-failures', '2'], { cwd });
  expect((await runCli(['resume', '-q'], { cwd })).code).toBe(1);
  expect(readReport(cwd).results.map(({ outcome, skip_reason }) => [outcome, skip_reason])).toEqual([
    ...[
      ['passed', null],
      ['failed', null],
      ['passed', null],
      ['failed', null],
    ],
    ['skipped', 'not run: --max-failures 2 was reached'],
  ]);
});

test('a run goes on wherever its journal ends, and even if only its reports are missing', async () => {
  const { cwd } = await startAndEnd('SIGKILL');
  const { folder, journal } = onlyRun(cwd);
  const [first = ''] = readText(journal).split('\n');
  // The moment of the first record, with half of the second.
  truncateSync(journal, Buffer.byteLength(first) + 30);
  expect((await runCli(['resume', '-q'], { cwd })).code).toBe(1);
  expect(readReport(cwd)).toMatchObject({
    resumed: { times: 1, taken_over: 0 },
    summary: { passed: 3, failed: 1 },
  });

  // The moment when reports are written: the summary comes last.
  const finished = readText(journal);
  rmSync(join(folder, 'summary.json'));
  rmSync(join(cwd, '.e2e-tests/report.json'));
  const { code, stdout } = await runCli(['resume', '--report', 'json,junit'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain('Report written to: .e2e-tests/report.junit.xml');
  expect(readReport(cwd).summary).toMatchObject({ passed: 3, failed: 1 });
  expect(readText(journal)).toBe(finished);
  expect(await runCli(['resume'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^error: Expected a run that was interrupted or killed, found none in 1 run\.\n/,
    ),
  });
});

describe('after Ctrl-C', () => {
  test('the last lines name the command that goes on, and it works when it is pasted', async () => {
    const { cwd, code, stdout } = await startAndEnd('SIGINT');
    expect(code).toBe(130);
    const command = /^Go on with: (.+)$/m.exec(stdout)?.[1] ?? '';
    expect(command).toMatch(new RegExp(` resume ${onlyRun(cwd).id}$`));
    expect(readText(join(cwd, '.e2e-tests/report.md'))).toContain(
      `Go on with this run:\n\n\`\`\`bash\ncd ${cwd} && ${command}\n`,
    );
    const elsewhere = tempFolder();
    const pasted = spawnSync('sh', ['-c', `cd '${cwd}' && ${command} --json`], {
      cwd: elsewhere,
      encoding: 'utf8',
      env: { HOME: homedir(), XDG_STATE_HOME: process.env.XDG_STATE_HOME ?? '', PATH: bareSystemPath() },
    });
    expect(pasted.status).toBe(1);
    const report = reportSchema.parse(JSON.parse(pasted.stdout));
    expect(report.results.map(({ outcome }) => outcome)).toEqual(['passed', 'failed', 'passed', 'passed']);
    expect(report.results[2]?.attempts).toHaveLength(1);
    expect(report.duration_seconds).toBeGreaterThan(0);
  });

  test('twice there is no report, but show and resume work', async () => {
    const { cwd, code, stderr } = await startAndEnd('SIGINT SIGINT');
    expect(code).toBe(130);
    expect(stderr).toMatch(/^No report was written\. Go on with: node \S+cli\.js resume$/m);
    expect(existsSync(join(cwd, '.e2e-tests/report.json'))).toBe(false);
    const shown = await callCli(['show'], { cwd });
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/✅ first[\s\S]*^Go on with: /m) });
    expect((await runCli(['resume', '-q'], { cwd })).code).toBe(1);
    expect(readReport(cwd).results.map(({ outcome }) => outcome)).toEqual([
      'passed',
      'failed',
      'passed',
      'passed',
    ]);
  });

  test('a resumed run that is killed goes on again, and the time of all parts adds up', async () => {
    const cwd = writeEndingRun(['SIGINT', 'SIGKILL']);
    await runCli(ENDING_CALL, { cwd });
    const { folder } = onlyRun(cwd);
    const interrupted = readReport(cwd);
    expect(existsSync(join(folder, 'summary.json'))).toBe(true);
    await runCli(['resume'], { cwd });
    // The summary of the first part must not look like the end of the run.
    expect(existsSync(join(folder, 'summary.json'))).toBe(false);
    expect((await runCli(['resume', '-q'], { cwd })).code).toBe(1);
    const report = readReport(cwd);
    expect(report.resumed).toEqual({ times: 2, taken_over: 2 });
    expect(report.timestamp).toBe(interrupted.timestamp);
    expect(report.duration_seconds).toBeGreaterThan(interrupted.duration_seconds);
    expect(await countStarts(cwd)).toEqual([1, 1, 3, 1]);
  });
});
