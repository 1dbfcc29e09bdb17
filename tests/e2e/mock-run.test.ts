import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { NAMED_BACKENDS } from '../../src/domain/backends.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { covers } from '../coverage/covers.js';
import { callCli, tempFolder } from '../support/cli.js';

const SCHEMA = fileURLToPath(new URL('../../dist/report.schema.json', import.meta.url));

describe('ralph-e2e --mock', () => {
  test('passes on the stand-ins and says that they are stand-ins', async () => {
    const cwd = tempFolder();
    const { code, stdout, stderr } = await callCli(['--mock', '--json', '--filter', 'max-iterations'], {
      cwd,
    });
    const report = reportSchema.parse(JSON.parse(stdout));

    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(SCHEMA, 'utf8')));
    expect(validate(JSON.parse(stdout)), JSON.stringify(validate.errors)).toBe(true);
    expect(report.results.filter(({ passed }) => !passed)).toEqual([]);
    expect(code).toBe(0);
    expect(report.target.kind).toBe('stand-in');
    expect(report.verdict).toMatch(/stand-in/);
    expect(report.summary.total).toBe(3);
    expect(report.summary).toMatchObject({ passed: 3, failed: 0, skipped: 0, errors: 0, flaky: 0 });
    expect(stderr).toMatch(/stand-in/);
    expect(readFileSync(join(cwd, '.e2e-tests/report.md'), 'utf8')).toMatch(/stand-in/);
    expect(JSON.parse(readFileSync(join(cwd, '.e2e-tests/report.json'), 'utf8'))).toEqual(JSON.parse(stdout));
  });

  test('runs loops, conversations and plugins together, in one report', async () => {
    covers('H44');
    const ids = ['claude-connect', 'flow-context-kept', 'plugin-loads-agent-loop'];
    const filters = ids.flatMap((id) => ['--filter', id]);
    const { code, stdout, stderr } = await callCli(['claude', '--mock', '--json', ...filters], {
      cwd: tempFolder(),
    });
    const { results, summary } = reportSchema.parse(JSON.parse(stdout || '{}'));
    expect(code, stderr).toBe(0);
    expect(results.map(({ scenario_id, tier, outcome }) => [scenario_id, tier, outcome])).toEqual([
      ['claude-connect', 'Tier 1: Connectivity', 'passed'],
      ['flow-context-kept', 'Tier 8: Conversations', 'passed'],
      ['plugin-loads-agent-loop', 'Tier 9: Plugins', 'passed'],
    ]);
    expect(summary).toMatchObject({ total: 3, passed: 3 });
  });

  test('--fold ends with the command that tests a Ralph of your own', async () => {
    const args = ['--mock', '--ralph', 'embedded', '--suite', 'once', '--filter', 'single-iter'];
    const { code, stdout } = await callCli([...args, '--fold'], { cwd: tempFolder() });
    expect(code, stdout).toBe(0);
    expect(stdout.match(/single-iter/g)).toBeNull();
    expect(stdout).toMatch(/\n {2}✅ Tier 2: Orchestration Loop {2}\d passed\n/);
    expect(stdout).toMatch(/\nNext:\n {2}node .*cli\.js --mock --ralph path\/to\/ralph {3}# test your Ralph/);
    const plain = await callCli(args, { cwd: tempFolder() });
    expect(plain.stdout).toContain('  ✅ claude-single-iter (');
    expect(plain.stdout).not.toContain('Next:');
  });

  test.each(NAMED_BACKENDS)('passes what there is for %s, which is run by name', async (backend) => {
    const { code, stdout } = await callCli([backend, '--mock', '--json'], { cwd: tempFolder() });
    const { results } = reportSchema.parse(JSON.parse(stdout));
    expect(results.map(({ scenario_id, outcome }) => [scenario_id, outcome])).toEqual([
      [`${backend}-connect`, 'passed'],
      [`${backend}-single-iter`, 'passed'],
    ]);
    expect(code).toBe(0);
  });

  test('removes the workspaces of passed scenarios and keeps what the report needs', async () => {
    const cwd = tempFolder();
    await callCli(['claude', '--mock', '--filter', 'claude-single-iter'], { cwd });
    expect(existsSync(join(cwd, '.e2e-tests/claude-single-iter'))).toBe(false);
    const [run = ''] = readdirSync(join(cwd, '.e2e-tests/runs'));
    const attempt = join(cwd, '.e2e-tests/runs', run, 'claude-single-iter-claude/1');
    expect(readdirSync(attempt).sort()).toEqual([
      'agent-calls.jsonl',
      'agent-script.json',
      'evidence.json',
      'stderr.txt',
      'stdout.txt',
    ]);
  });

  test('keeps them with --keep-workspace, each a git repo of its own', async () => {
    const cwd = tempFolder();
    await callCli(['claude', '--mock', '--filter', 'claude-single-iter', '--keep-workspace'], { cwd });
    const workspace = join(cwd, '.e2e-tests/claude-single-iter');
    expect(existsSync(join(workspace, '.git'))).toBe(true);
    expect(existsSync(join(workspace, 'ralph.yml'))).toBe(true);
    expect(existsSync(join(workspace, 'prompt.md'))).toBe(true);
    expect(existsSync(join(workspace, 'result.txt'))).toBe(true);
  });

  test('writes only the reports that are asked for, and leaves none of an earlier run beside them', async () => {
    const cwd = tempFolder();
    const run = (report: string) =>
      callCli(['claude', '--mock', '--filter', 'claude-connect', '--report', report], { cwd });
    await run('markdown,json');
    await run('json');
    expect(existsSync(join(cwd, '.e2e-tests/report.json'))).toBe(true);
    expect(existsSync(join(cwd, '.e2e-tests/report.md'))).toBe(false);
  });

  test('quiet, normal and verbose differ', async () => {
    const cwd = tempFolder();
    const print = async (...flags: string[]) =>
      (await callCli(['claude', '--mock', '--filter', 'claude-connect', ...flags], { cwd })).stdout;
    const [quiet, normal, verbose] = [await print('-q'), await print(), await print('-v')];
    expect(quiet.trim().split('\n')).toHaveLength(1);
    expect(normal).toMatch(/✅ claude-connect/);
    expect(normal).not.toMatch(/the agent says/);
    expect(verbose).toMatch(/the agent says/);
  });
});
