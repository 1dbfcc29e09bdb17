import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readHtml } from '../../report/support/html-outline.js';
import { callCli, tempFolder } from '../../support/cli.js';

test('compares two runs: 0 when nothing broke, 1 when something did, 2 when both are the same run', async () => {
  const cwd = tempFolder();
  const run = (...more: string[]) =>
    callCli(['claude', '--mock', '--filter', 'claude-connect', '--env', 'RALPH_STANDIN_FAULT', ...more], {
      cwd,
      env: { RALPH_STANDIN_FAULT: more.length === 0 ? '' : 'ignore-completion' },
    });
  await run();
  copyFileSync(join(cwd, '.e2e-tests/report.json'), join(cwd, 'good.json'));
  await run('-q');
  copyFileSync(join(cwd, '.e2e-tests/report.json'), join(cwd, 'bad.json'));

  const worse = await callCli(['compare', 'good.json', 'bad.json'], { cwd });
  expect(worse.stdout).toMatch(
    /New failures \(1\)\n {2}Passed → Failed: claude-connect on claude: [\s\S]* Such as: the loop completes/,
  );
  expect(worse.code).toBe(1);
  const better = await callCli(['compare', 'bad.json', 'good.json', '--json'], { cwd });
  expect(JSON.parse(better.stdout).changes.fixed).toHaveLength(1);
  expect(better.code).toBe(0);
  const same = await callCli(['compare', 'bad.json', 'bad.json', '--markdown'], { cwd });
  expect(same.stdout).toMatch(/^# Comparison[\s\S]*Still failing \(1\)/);
  // A run that is compared with itself shows nothing.
  expect(same.stdout).toContain('no verdict: both are the run');
  expect(same.code).toBe(2);

  const page = await callCli(['compare', 'good.json', 'bad.json', '--html'], { cwd });
  const { text, elements, problems } = readHtml(page.stdout);
  expect(problems).toEqual([]);
  expect(elements.filter(({ tag }) => tag === 'h1')).toHaveLength(1);
  expect(elements.flatMap(({ attributes }) => attributes.get('id') ?? [])).toContain('new-failures');
  expect(text).toContain('1 new failure');
  expect(text).toMatch(/claude-connect on claude: .* Such as: the loop completes/);
  for (const name of ['good.json', 'bad.json']) {
    const { run_id } = JSON.parse(readFileSync(join(cwd, name), 'utf8'));
    expect(text).toContain(run_id);
  }
  expect(text).toMatch(/Before.*1 result \(1 passed, 0 failed\).*After.*1 result \(0 passed, 1 failed\)/s);
  expect(page.code).toBe(1);
});

test('takes the ids of kept runs, and compares the latest run with a baseline', async () => {
  const cwd = tempFolder();
  for (const fault of ['', 'ignore-completion']) {
    await callCli(['claude', '--mock', '--filter', 'claude-connect', '--env', 'RALPH_STANDIN_FAULT'], {
      cwd,
      env: { RALPH_STANDIN_FAULT: fault },
    });
    if (fault === '') copyFileSync(join(cwd, '.e2e-tests/report.json'), join(cwd, 'release.json'));
  }
  const [good = '', bad = ''] = readdirSync(join(cwd, '.e2e-tests/runs')).sort();

  for (const args of [
    [good, bad],
    [good, 'latest'],
    ['--baseline', 'release.json'],
    ['--baseline', good, bad],
  ]) {
    const { code, stdout } = await callCli(['compare', ...args], { cwd });
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/New failures \(1\)\n {2}Passed → Failed: claude-connect on claude: /),
    ]);
    expect(stdout).toMatch(new RegExp(`run\\s+${good}`));
    expect(stdout).toMatch(new RegExp(`run\\s+${bad}`));
  }
});

test.each([
  ['one run', ['a.json'], /compare: expected two runs, found 1\.\nGive two runs/],
  ['no run', [], /compare: expected two runs, found 0/],
  ['three runs', ['a', 'b', '--baseline', 'c.json'], /compare: expected two runs, found 3/],
  ['a run that is not there', ['2020', '2021'], /There are no runs in /],
])('refuses %s, and exits 2', async (_what, args, message) => {
  const { code, stderr } = await callCli(['compare', ...args], { cwd: tempFolder() });
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

test.each([
  ['a file that is not there', null, /found no file: it does not exist\.\nGive two runs: ids/],
  [
    'a file that is no JSON',
    '# E2E Test Report',
    /found a file that is not JSON and begins with "# E2E Test Report"/,
  ],
  ['an empty file', '', /found an empty file/],
  [
    'JSON that is something else',
    '{"format":1}',
    /expected a report\.json from ralph-e2e, found .* at run_id/,
  ],
  [
    'another format of the report',
    '{"format":2}',
    /^error: a\.json has format 2; this ralph-e2e reads report\.json of format 1\.\nUpdate ralph-e2e\.\n$/,
  ],
])('says what is wrong with %s, and exits 2', async (_what, text, message) => {
  const cwd = tempFolder();
  if (text !== null) writeFileSync(join(cwd, 'a.json'), text);
  const { code, stderr } = await callCli(['compare', 'a.json', 'a.json'], { cwd });
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/\n {4}at /);
  expect(code).toBe(2);
});

test('a report with less and one with more than a comparison reads can be compared', async () => {
  const cwd = tempFolder();
  await callCli(['claude', '--mock', '--filter', 'claude-connect'], { cwd });
  const path = join(cwd, '.e2e-tests/report.json');
  const report = JSON.parse(readFileSync(path, 'utf8'));
  const { proof, recommendations, ...less } = report;
  writeFileSync(join(cwd, 'less.json'), JSON.stringify({ ...less, run_id: 'less' }));
  const results = report.results.map((result: object) => ({ ...result, mood: 'sunny' }));
  writeFileSync(
    join(cwd, 'more.json'),
    JSON.stringify({ ...report, run_id: 'another', weather: {}, results }),
  );
  const { code, stderr } = await callCli(['compare', 'less.json', 'more.json'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
});
