import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { callCli, runCli, tempFolder } from '../support/cli.js';
import { ENDING_CALL, writeEndingRun } from '../support/ending-run.js';

const FAULT = { RALPH_STANDIN_FAULT: 'wrong-exit-code' };

/** Runs one scenario, by default on a Ralph that makes it fail. */
function run(cwd: string, id: string, ...flags: readonly string[]) {
  const args = ['claude', '--mock', '--ralph', 'embedded', '-q', '--test', id, ...flags];
  return callCli([...args, '--env', 'RALPH_STANDIN_FAULT'], { cwd, env: FAULT });
}

/** The folders next to the reports, without those of ralph-e2e itself. */
function listFolders(cwd: string): string[] {
  return readdirSync(join(cwd, '.e2e-tests'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(?:\..*|runs|report|regrades)$/.test(entry.name))
    .map(({ name }) => name)
    .sort();
}

const readMarkdown = (folder: string) => readFileSync(join(folder, 'report.md'), 'utf8');

function listWorkspaces(text: string): string[] {
  return text.split('\n').filter((line) => line.startsWith('- **Workspaces of '));
}

test('a run removes the workspaces of earlier runs, and the report names what is kept', async () => {
  const cwd = tempFolder();
  const top = join(cwd, '.e2e-tests');
  expect((await run(cwd, 'claude-connect')).code).toBe(1);
  mkdirSync(join(top, 'mine'));
  expect(listFolders(cwd)).toEqual(['claude-connect', 'mine']);
  expect(listWorkspaces(readMarkdown(top))).toEqual(['- **Workspaces of this run:** `claude-connect`']);

  await run(cwd, 'claude-single-iter', '--keep-workspace');
  expect(listFolders(cwd)).toEqual(['claude-single-iter', 'mine']);

  await run(cwd, 'claude-multi-iter');
  expect(listFolders(cwd)).toEqual(['claude-multi-iter', 'claude-single-iter', 'mine']);
  expect(listWorkspaces(readMarkdown(top))).toEqual([
    '- **Workspaces of this run:** `claude-multi-iter`',
    '- **Workspaces of earlier runs:** `claude-single-iter`',
  ]);
});

test('a run with --keep-reports removes none: the reports that stay name them', async () => {
  const cwd = tempFolder();
  const top = join(cwd, '.e2e-tests');
  await run(cwd, 'claude-connect');
  const before = readMarkdown(top);
  await run(cwd, 'claude-single-iter', '--keep-reports');
  expect(listFolders(cwd)).toEqual(['claude-connect', 'claude-single-iter']);
  expect(readMarkdown(top)).toBe(before);
  const [, second = ''] = readdirSync(join(top, 'runs')).sort();
  expect(listWorkspaces(readMarkdown(join(top, 'runs', second)))).toEqual([
    '- **Workspaces of this run:** `../../claude-single-iter`',
    '- **Workspaces of earlier runs:** `../../claude-connect`',
  ]);
});

test('a proof and a regrade leave the workspaces of the run that is reported', async () => {
  const cwd = tempFolder();
  await run(cwd, 'claude-connect');
  const [id = ''] = readdirSync(join(cwd, '.e2e-tests/runs'));
  await callCli(['prove', '-q', '--filter', 'claude-single-iter', '--saboteurs', 'none', '--no-variants'], {
    cwd,
  });
  const { stdout } = await callCli(['regrade', id, '--json'], { cwd });
  expect(listFolders(cwd)).toEqual(['claude-connect']);
  const report = reportSchema.parse(JSON.parse(stdout));
  expect(report.results.map(({ workspace }) => workspace)).toEqual([null]);
});

test('a resumed run keeps its own, and does not name those that another run removed', async () => {
  const readResults = (cwd: string) => {
    const text = readFileSync(join(cwd, '.e2e-tests/report.json'), 'utf8');
    return reportSchema.parse(JSON.parse(text)).results.map(({ workspace }) => workspace !== null);
  };
  const start = async () => {
    const cwd = writeEndingRun(['SIGKILL']);
    await runCli(ENDING_CALL, { cwd });
    return cwd;
  };
  const [alone, disturbed] = await Promise.all([start(), start()]);
  await runCli(['resume', '-q'], { cwd: alone });
  expect(listFolders(alone)).toEqual(['failing-claude']);
  expect(readResults(alone)).toEqual([false, true, false, false]);

  const [id = ''] = readdirSync(join(disturbed, '.e2e-tests/runs'));
  await run(disturbed, 'claude-connect');
  expect(listFolders(disturbed)).toEqual(['claude-connect']);
  await runCli(['resume', id, '-q'], { cwd: disturbed });
  expect(listFolders(disturbed)).toEqual([]);
  expect(readResults(disturbed)).toEqual([false, false, false, false]);
});
