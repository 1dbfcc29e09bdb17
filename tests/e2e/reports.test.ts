import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { REPORT_FORMAT_NAMES } from '../../src/domain/report/formats.js';
import { runSummarySchema } from '../../src/domain/report/history.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { findSchemaProblems, parseXml } from '../report/support/surefire.js';
import { callCli, tempFolder } from '../support/cli.js';

const CONNECT = ['claude', '--mock', '--filter', 'claude-connect'];

/** A run on a stand-in that exits with the wrong code: the scenario fails. */
function failingRun(cwd: string, env: Record<string, string> = {}, ...args: string[]) {
  return callCli([...CONNECT, '--env', 'RALPH_STANDIN_FAULT', ...args], {
    cwd,
    env: { RALPH_STANDIN_FAULT: 'wrong-exit-code', ...env },
  });
}

const read = (cwd: string, name: string) => readFileSync(join(cwd, '.e2e-tests', name), 'utf8');
const readReport = (cwd: string) => reportSchema.parse(JSON.parse(read(cwd, 'report.json')));

describe('--report', () => {
  test('writes all formats, each of which reads back, and clean removes them', async () => {
    const cwd = tempFolder();
    const { code, stdout } = await failingRun(cwd, {}, '--report', REPORT_FORMAT_NAMES.join(','));
    expect(code).toBe(1);
    expect(findSchemaProblems(parseXml(read(cwd, 'report.junit.xml')))).toEqual([]);
    expect(read(cwd, 'report.junit.xml')).toContain('<failure ');
    expect(existsSync(join(cwd, '.e2e-tests/report.html'))).toBe(true);
    expect(read(cwd, 'report.github.md')).toContain('🔴 FAILED');
    expect(stdout).toContain('report.github.md');
    // Outside of a workflow nobody reads its commands.
    expect(stdout).not.toContain('::error');

    await callCli(['clean'], { cwd });
    expect(existsSync(join(cwd, '.e2e-tests'))).toBe(false);
  });
});

describe('runs after one that failed', () => {
  test('take its page away, and join it in the history, which reaches the report through the journal', async () => {
    const cwd = tempFolder();
    await failingRun(cwd);
    const first = readReport(cwd);
    const page = read(cwd, 'report/failures/claude-connect-claude.md');
    expect(page).toContain(first.results[0]?.repeat_command);
    expect(page).toContain('Ralph itself was not tested.');
    expect(read(cwd, 'report.md')).toContain('(report/failures/claude-connect-claude.md)');
    const files = [...page.matchAll(/`(runs\/[^`]+\.(?:json|txt))`/g)].map(([, path = '']) => path);
    expect(files).toHaveLength(3);
    for (const path of files) expect(existsSync(join(cwd, '.e2e-tests', path)), path).toBe(true);
    expect(first.history).toHaveLength(1);

    writeFileSync(join(cwd, '.e2e-tests/report/failures/notes.txt'), 'mine');
    await callCli(CONNECT, { cwd });
    expect(readdirSync(join(cwd, '.e2e-tests/report/failures'))).toEqual(['notes.txt']);
    const second = readReport(cwd);
    expect(second.history.map(({ run_id, pass_rate }) => [run_id, pass_rate])).toEqual([
      [first.run_id, 0],
      [second.run_id, 1],
    ]);
    const summary = JSON.parse(read(cwd, `runs/${second.run_id}/summary.json`));
    expect(runSummarySchema.parse(summary)).toMatchObject({ run_id: second.run_id, lane: 'sim' });
    expect(read(cwd, 'report.md')).toContain('## 📈 History');

    // What another version left there is no reason to fail.
    writeFileSync(join(cwd, '.e2e-tests/runs', second.run_id, 'summary.json'), '{"format":2}');
    writeFileSync(join(cwd, '.e2e-tests/prove.json'), '{"format":2}');
    const { code, stdout } = await callCli(CONNECT, { cwd });
    expect(code).toBe(0);
    expect(readReport(cwd).history.map(({ run_id }) => run_id)).toEqual([first.run_id, expect.any(String)]);
    expect(stdout).toContain('Previous run of these tests: 0 of 1 test passed');
    expect(stdout.match(/^Not read: .*/gm)?.map((line) => line.replace(/\/.*\//, ''))).toEqual([
      'Not read: summary.json has format 2; this ralph-e2e reads summary.json of format 1. Update ralph-e2e.',
      'Not read: prove.json has format 2; this ralph-e2e reads prove.json of format 1. Update ralph-e2e.',
    ]);
  });
});

describe('a caller that is an agent', () => {
  test('gets what failed and where to read on; --verbose tells all', async () => {
    const cwd = tempFolder();
    const { stdout } = await failingRun(cwd, { CLAUDECODE: '1' });
    expect(stdout).toMatch(/^ {2}❌ Tier 1: Connectivity {2}1 failed$/m);
    expect(stdout).toMatch(/^For an agent: .*failures\.json has every cause/m);
    const page = /^\s+Read on: (.+)$/m.exec(stdout)?.[1] ?? '';
    expect(readFileSync(join(cwd, page), 'utf8')).toContain('# ❌ `claude-connect`');
    const verbose = await callCli([...CONNECT, '--verbose'], { cwd, env: { CLAUDECODE: '1' } });
    expect(verbose.stdout).not.toContain('❌ Tier 1');
  });
});

describe('in a workflow of GitHub', () => {
  test('annotates the failure and appends to the summary of the step', async () => {
    const cwd = tempFolder();
    const summary = join(cwd, 'summary.md');
    writeFileSync(summary, 'what came before\n');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const { stdout } = await failingRun(cwd, env, '--report', 'github');
    expect(stdout).toMatch(/^::error title=claude-connect::.*%0A\$ /m);
    expect(readFileSync(summary, 'utf8')).toBe(`what came before\n${read(cwd, 'report.github.md')}`);
  });

  test('says so when the summary cannot be written, keeps stdout for --json, and fails no run', async () => {
    const cwd = tempFolder();
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'no/such/folder') };
    const { code, stdout, stderr } = await callCli([...CONNECT, '--report', 'github', '--json'], {
      cwd,
      env,
    });
    expect(code).toBe(0);
    expect(stderr).toContain('Could not write the job summary: ENOENT');
    expect(JSON.parse(stdout).passed).toBe(true);
  });
});
