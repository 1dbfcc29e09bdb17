import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseXml } from '../../report/support/surefire.js';
import { bareSystemPath, callCli, tempFolder } from '../../support/cli.js';

const CONNECT = ['claude', '--mock', '--filter', 'claude-connect'];

/** A folder with two runs, the first one red. The tests only read it. */
const shared = { cwd: '', first: '', second: '' };

beforeAll(async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'ralph-e2e-test-'));
  const runs = () => readdirSync(join(cwd, '.e2e-tests/runs'));
  await callCli([...CONNECT, '--env', 'RALPH_STANDIN_FAULT'], {
    cwd,
    env: { RALPH_STANDIN_FAULT: 'wrong-exit-code' },
  });
  const [first = ''] = runs();
  await callCli(CONNECT, { cwd });
  Object.assign(shared, { cwd, first, second: runs().find((id) => id !== first) });
});
afterAll(() => rmSync(shared.cwd, { recursive: true, force: true }));

describe('show', () => {
  test('prints any run in any format, exactly as the run itself wrote it', async () => {
    const { cwd, first, second } = shared;
    const show = async (...args: string[]) => (await callCli(['show', ...args], { cwd })).stdout;
    const written = (name: string) => readFileSync(join(cwd, '.e2e-tests', name), 'utf8');

    expect(await show('--format', 'markdown')).toBe(written('report.md'));
    expect(await show(second, '--format', 'json')).toBe(written('report.json'));
    expect(JSON.parse(await show(first, '--format', 'json'))).toMatchObject({ run_id: first, passed: false });
    const junit = await show(first, '--format', 'junit');
    expect(parseXml(junit).attributes).toMatchObject({ failures: '1' });

    const terminal = await show(first);
    expect(terminal).toContain('❌ claude-connect');
    expect(terminal).toContain('🔴 FAILED');
    expect(await show(first, '--verbose')).toContain('     $ ');

    const list = (await show('--list')).trim().split('\n');
    expect(list).toEqual([
      expect.stringMatching(
        new RegExp(`^${first}  sim .*  stand-in \\S+  claude-connect  .*the only test failed`),
      ),
      expect.stringMatching(new RegExp(`^${second}  sim .*the only test passed`)),
    ]);
  });

  test('takes the beginning of an id, and names the runs there are for one that fits none or several', async () => {
    const { cwd, first, second } = shared;
    const unknown = await callCli(['show', '20240101'], { cwd });
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('"20240101", which matches no run');
    expect(unknown.stderr).toMatch(
      new RegExp(`Choose one of:\\n  ${first}  sim .*the only test failed.*\\n  ${second}  sim .*passed`),
    );
    expect((await callCli(['show', '2'], { cwd })).stderr).toContain('which matches 2 runs');
    expect((await callCli(['show', first.slice(0, -2), '--format', 'json'], { cwd })).stdout).toContain(
      first,
    );
  });

  test('lists a run that was killed, from what its journal still tells', async () => {
    const cwd = tempFolder();
    const folder = join(cwd, '.e2e-tests/runs', shared.second);
    cpSync(join(shared.cwd, '.e2e-tests'), join(cwd, '.e2e-tests'), { recursive: true });
    rmSync(join(cwd, '.e2e-tests/runs', shared.first), { recursive: true });
    writeFileSync(join(folder, 'summary.json'), '');
    const journal = join(folder, 'journal.jsonl');
    const text = readFileSync(journal, 'utf8');
    writeFileSync(journal, text.slice(0, text.lastIndexOf('{"type":"run-finished"')));
    expect((await callCli(['show', '--list'], { cwd })).stdout).toMatch(
      /interrupted: the only test that ran passed/,
    );
    writeFileSync(journal, 'nonsense\nnonsense\n');
    expect((await callCli(['show', '--list'], { cwd })).stdout).toMatch(
      /cannot be read: Line 1 of the journal/,
    );
  });

  test('says what to do where there is no run, and what formats there are', async () => {
    const cwd = tempFolder();
    const none = await callCli(['show'], { cwd });
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toMatch(/There are no runs in .*\.e2e-tests/);
    expect(existsSync(join(cwd, '.e2e-tests'))).toBe(false);
    // A wrong word is refused before anything is looked for.
    const wrong = await callCli(['show', '--format', 'pdf'], { cwd });
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toMatch(/--format pdf: expected terminal, markdown, json, /);
    const several = await callCli(['show', '--format', 'json,markdown'], shared);
    expect(several.stderr).toContain('expected terminal, markdown');
    const opened = await callCli(['show', '--open', '--format', 'release'], shared);
    expect(opened.stderr).toMatch(/^error: --format release: expected a file to --open: one of markdown, /);
  });

  test('--open hands the report of that run to the desktop, and leaves the latest one alone', async () => {
    const { cwd, first } = shared;
    const bin = tempFolder();
    const opened = join(bin, 'opened');
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`);
    chmodSync(join(bin, 'xdg-open'), 0o755);
    const env = { PATH: `${bin}:${bareSystemPath()}` };
    const latest = readFileSync(join(cwd, '.e2e-tests/report.md'), 'utf8');
    const { code } = await callCli(['show', first, '--open', '--format', 'markdown'], { cwd, env });
    expect(code).toBe(0);
    const path = readFileSync(opened, 'utf8');
    expect(path).toContain(first);
    expect(readFileSync(path, 'utf8')).toContain('🔴 FAILED');
    expect(readFileSync(join(cwd, '.e2e-tests/report.md'), 'utf8')).toBe(latest);

    writeFileSync(join(bin, 'xdg-open'), '#!/bin/sh\nexit 3\n');
    const failed = await callCli(['show', '--open'], { cwd, env });
    expect(failed.code).toBe(2);
    expect(failed.stderr).toMatch(/could not open the report: it ended with 3\.\nOpen it yourself: \//);
  });
});
