import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { REPORT_FORMAT_NAMES } from '../../src/domain/report/formats.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { bareSystemPath, callCli, tempFolder } from '../support/cli.js';

const FAULT = { RALPH_STANDIN_FAULT: 'wrong-exit-code' };
const BREAK = ['--env', 'RALPH_STANDIN_FAULT'];

const parse = (stdout: string) => reportSchema.parse(JSON.parse(stdout));

/** A file by its path below a folder, and its text. */
function readTree(folder: string, keep: (path: string) => boolean): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(keep).sort();
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

const isReport = (path: string) => path.startsWith('report');

/** The line below the heading "Run it again" of a failure page. */
function commandOf(page: string): string {
  return /## Run it again\n\n```bash\n(.+)\n```/.exec(page)?.[1] ?? '';
}

describe('running each failure page’s command, one after the other, in a folder with a blank in its name', () => {
  const folder = 'my out';
  const output = ['--output', folder];

  test('leaves every page and every report as it was, and keeps its own in its run', async () => {
    const cwd = tempFolder();
    const top = join(cwd, folder);
    const names = ['claude-connect', 'claude-single-iter'];
    await callCli(
      [
        ...['claude', '--mock', ...BREAK, ...output, '--report', REPORT_FORMAT_NAMES.join(',')],
        ...['--filter', `/^(?:${names.join('|')})$/`],
      ],
      { cwd, env: FAULT },
    );
    const before = readTree(top, isReport);
    const pages = Object.keys(before).filter((path) => path.startsWith('report/failures/'));
    expect(pages).toEqual(names.map((name) => `report/failures/${name}-claude.md`).sort());
    expect(Object.keys(before)).toHaveLength(REPORT_FORMAT_NAMES.length + 2 * pages.length);

    for (const page of pages) {
      const command = `${commandOf(readFileSync(join(top, page), 'utf8'))} --skip-analysis`;
      const env = { HOME: cwd, PATH: bareSystemPath(), CLAUDECODE: '1', ...FAULT };
      const earlier = readdirSync(join(top, 'runs'));
      const { stdout, status } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8', env });
      expect(status).toBe(1);
      expect(readTree(top, isReport)).toEqual(before);
      const [run = ''] = readdirSync(join(top, 'runs')).filter((id) => !earlier.includes(id));
      expect(Object.keys(readTree(join(top, 'runs', run), isReport))).toEqual([
        'report.json',
        'report.md',
        page,
        page.replace('failures', 'tests'),
      ]);
      expect(stdout).toContain(`Report written to: ${join('my out/runs', run, 'report.md')}\n`);
    }
    expect(readdirSync(join(top, 'runs'))).toHaveLength(1 + pages.length);

    await callCli(['clean', ...output], { cwd });
    expect(existsSync(top)).toBe(false);
  });
});

test('the reports and pages of every run stay in its folder, and can be shown', async () => {
  const cwd = tempFolder();
  const names = ['claude-connect', 'claude-single-iter'];
  const filters = names.flatMap((name) => ['--filter', name]);
  await callCli(['claude', '--mock', ...BREAK, ...filters, '--report', 'markdown,html'], { cwd, env: FAULT });
  const top = join(cwd, '.e2e-tests');
  const [first = ''] = readdirSync(join(top, 'runs'));
  const page = readFileSync(join(top, 'report/failures/claude-connect-claude.md'), 'utf8');
  const markdown = readFileSync(join(top, 'report.md'), 'utf8');
  await callCli(['claude', '--mock', '--filter', 'claude-connect', '--report', 'junit'], { cwd });

  const kept = readTree(join(top, 'runs', first), isReport);
  expect(Object.keys(kept)).toEqual([
    'report.html',
    'report.md',
    ...names.map((name) => `report/failures/${name}-claude.md`).sort(),
    ...names.map((name) => `report/tests/${name}-claude.md`).sort(),
  ]);
  // The same, but for the paths: each copy has those that work where it is.
  expect(kept['report/failures/claude-connect-claude.md']).toContain(
    '`claude-connect-claude/1/evidence.json`',
  );
  expect(page).toContain(`\`runs/${first}/claude-connect-claude/1/evidence.json\``);
  expect(kept['report.md']).toContain(`\`${join(top, 'runs', first)}\`; paths are relative to it`);
  expect(markdown).toContain(`\`${top}\`; paths are relative to it`);
  for (const [, href = ''] of (kept['report.html'] ?? '').matchAll(/href="(\.\.\/[^"]+)"/g))
    expect(existsSync(join(top, 'runs', first, href)), href).toBe(true);
  expect(kept['report.html']).toContain(`href="../${first}/`);
  // At the top everything tells of the same run, the latest.
  expect(Object.keys(readTree(top, isReport))).toEqual([
    'report.junit.xml',
    'report/tests/claude-connect-claude.md',
  ]);

  const show = (...args: string[]) => callCli(['show', ...args], { cwd });
  expect((await show(first, 'claude-connect')).stdout).toBe(page);
  expect((await show(first, 'claude-connect-claude')).stdout).toBe(page);
  const unknown = await show(first, 'nonsense');
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('Expected one test named "nonsense" in run');
});

describe('--last-failed', () => {
  const single = ['--filter', '/^claude-(?:connect|completion|single-iter)$/'];
  const run = (cwd: string, args: string[], env: Record<string, string> = {}) =>
    callCli(['claude', '--mock', '--json', ...args], { cwd, env });
  const idsOf = (stdout: string) => parse(stdout).results.map(({ scenario_id }) => scenario_id);

  test('is not cleared by a pass on the stand-in, and says what it takes from which run', async () => {
    const cwd = tempFolder();
    const ralph = join(cwd, 'ralph');
    writeFileSync(ralph, '#!/bin/sh\n[ "$1" = --version ] && echo "ralph 2.10.1" && exit 0\nexit 1\n');
    chmodSync(ralph, 0o755);
    const real = ['--ralph', ralph];
    await run(cwd, [...real, '--filter', 'claude-connect']);
    const [first = ''] = readdirSync(join(cwd, '.e2e-tests/runs'));
    expect((await run(cwd, ['--filter', 'claude-connect'])).code).toBe(0);

    const again = await run(cwd, [...real, '--last-failed']);
    expect(idsOf(again.stdout)).toEqual(['claude-connect']);
    expect(again.stderr).toContain(`Last failed: 1 test: 1 failed in ${first}\n`);
    expect(again.code).toBe(1);
    // Nor do failures of the real one make the stand-in run anything.
    const standIn = await run(cwd, ['--last-failed']);
    expect(standIn).toMatchObject({ code: 2, stdout: '' });
    expect(standIn.stderr).toContain(
      `no failed test is known in the sim lane on the stand-in, but one failed in the sim lane on ${ralph} (run `,
    );
    // Another ralph, and another lane, have no run of their own yet.
    writeFileSync(join(cwd, 'other'), readFileSync(ralph));
    chmodSync(join(cwd, 'other'), 0o755);
    const other = await run(cwd, ['--ralph', join(cwd, 'other'), '--last-failed']);
    expect(other.stderr).toContain(`put \`--ralph ${ralph}\` in place of what this call has.`);
    expect(other.code).toBe(2);
  });

  test('remembers the other failures when one of them is run again, and passes', async () => {
    const cwd = tempFolder();
    await run(cwd, [...BREAK, ...single], FAULT);
    const [first = ''] = readdirSync(join(cwd, '.e2e-tests/runs'));
    await run(cwd, ['--test', 'claude-connect']);
    const { stdout, stderr, code } = await run(cwd, ['--last-failed', '-q']);
    expect(idsOf(stdout)).toEqual(['claude-single-iter', 'claude-completion']);
    expect(stderr).toContain(`Last failed: 2 tests: 2 failed in ${first}\n`);
    expect(code).toBe(0);
    expect((await run(cwd, ['--last-failed'])).stderr).toMatch(
      /^--last-failed: no test failed or was left out/,
    );
  });

  test('passes over runs that have something else for a journal, and says so', async () => {
    const cwd = tempFolder();
    await run(cwd, [...BREAK, '--test', 'claude-connect'], FAULT);
    const runs = join(cwd, '.e2e-tests/runs');
    const [first = ''] = readdirSync(runs);
    const damages = [
      (path: string) => spawnSync('mkfifo', [path]),
      (path: string) => spawnSync('ln', ['-s', '/dev/zero', path]),
      (path: string) => writeFileSync(path, 'nonsense\nnonsense\n'),
      (path: string) => writeFileSync(path, ''),
    ];
    const damaged = damages.map((damage, index) => {
      const id = `20991231-235959-00000000${index}`;
      spawnSync('cp', ['-r', join(runs, first), join(runs, id)]);
      spawnSync('rm', [join(runs, id, 'journal.jsonl')]);
      damage(join(runs, id, 'journal.jsonl'));
      return id;
    });
    const { stdout, stderr } = await run(cwd, ['--last-failed']);
    expect(idsOf(stdout)).toEqual(['claude-connect']);
    expect(stderr).toContain(`Last failed: 1 test: 1 failed in ${first}\n`);
    for (const id of damaged)
      expect(stderr).toContain(`run ${id} cannot be read, or somebody tampered with it`);
  });
});
