import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { REPORT_FORMAT_NAMES, REPORT_FORMATS } from '../../src/domain/report/formats.js';
import { type Report, reportSchema } from '../../src/domain/report/report.js';
import { bareSystemPath, callCli, tempFolder } from '../support/cli.js';

const STAND_IN = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));
const CONNECT = ['claude', '--filter', 'claude-connect', '--json'];

/** A ralph for a folder on PATH that says of itself that it is real, and does what the stand-in does. */
function putRalph(folder: string, version: string): string {
  return putProgram(folder, `[ "$*" = --version ] && echo 'ralph ${version}' && exit\nexec ${STAND_IN} "$@"`);
}

function putProgram(folder: string, script: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'ralph');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

async function runSim(cwd: string, args: readonly string[], env: Record<string, string>) {
  const result = await callCli([...CONNECT, ...args], { cwd, env });
  const report: Report | null = result.stdout === '' ? null : reportSchema.parse(JSON.parse(result.stdout));
  return { ...result, report };
}

const SHA256 = expect.stringMatching(/^[0-9a-f]{64}$/);

describe('in the sim lane ralph is', () => {
  const lane = ['--mock'];

  test('the one that --ralph names, then that of $RALPH_BIN, then that on PATH', async () => {
    const cwd = tempFolder();
    const named = putRalph(join(cwd, 'named'), '2.10.3');
    const set = putRalph(join(cwd, 'set'), '2.10.2');
    const onPath = putRalph(join(cwd, 'bin'), '2.10.1');
    const env = { PATH: `${join(cwd, 'bin')}:${bareSystemPath()}` };

    const first = await runSim(cwd, [...lane, '--ralph', named], { ...env, RALPH_BIN: set });
    expect(first.report?.target).toEqual({ kind: 'real', path: named, version: '2.10.3', sha256: SHA256 });
    const second = await runSim(cwd, lane, { ...env, RALPH_BIN: set });
    expect(second.report?.target).toEqual({ kind: 'real', path: set, version: '2.10.2', sha256: SHA256 });
    const third = await runSim(cwd, lane, { ...env, RALPH_BIN: '' });
    expect(third.report?.target).toEqual({ kind: 'real', path: onPath, version: '2.10.1', sha256: SHA256 });
    expect(third.stderr).toContain(`Target: ralph 2.10.1 (${onPath})`);
    expect(third.report?.verdict).toBe('the only test passed');
    expect(third.code).toBe(0);
  });
});

describe('where there is no ralph', () => {
  test('the stand-in serves in the sim lane, and every output says so', async () => {
    const cwd = tempFolder();
    const { code, stderr, report } = await runSim(
      cwd,
      ['--mock', '--report', REPORT_FORMAT_NAMES.join(',')],
      {},
    );
    expect(report?.target).toMatchObject({ kind: 'stand-in', path: STAND_IN, because: 'none-found' });
    expect(code).toBe(0);
    const outputs = REPORT_FORMATS.map(
      ({ file }) => [file, readFileSync(join(cwd, '.e2e-tests', file), 'utf8')] as const,
    );
    for (const [name, text] of [['stderr', stderr] as const, ...outputs])
      expect(text, name).toMatch(/stand-in[\s\S]*no ralph was found/i);
    const quiet = await callCli(['claude', '--mock', '-q', '--filter', 'claude-connect'], { cwd });
    expect(quiet.stdout).toMatch(/on the stand-in \(no ralph was found, Ralph itself was not tested\)/);
  });

  test('but nothing is said to be missing where the stand-in was asked for', async () => {
    const cwd = tempFolder();
    const ralph = putRalph(join(cwd, 'bin'), '2.10.1');
    const env = { PATH: `${join(cwd, 'bin')}:${bareSystemPath()}`, RALPH_BIN: ralph };
    const { stderr, report } = await runSim(cwd, ['--mock', '--ralph', 'embedded'], env);
    expect(report?.target).toMatchObject({ kind: 'stand-in', because: 'asked' });
    expect(stderr + report?.verdict).not.toMatch(/no ralph was found/i);
  });

  test.each(['live', 'scripted'])('the %s lane is not begun', async (lane) => {
    const { code, stdout, stderr } = await runSim(tempFolder(), ['--lane', lane], {});
    expect(stderr).toMatch(/No ralph was found/);
    expect([code, stdout]).toEqual([2, '']);
  });
});

describe('a ralph that cannot be tested is an error, not a reason for the stand-in', () => {
  test.each([
    [
      '$RALPH_BIN that leads nowhere',
      () => ({ RALPH_BIN: '/nowhere/ralph' }),
      /\$RALPH_BIN names "\/nowhere\/ralph"/,
    ],
    ['$RALPH_BIN of blanks', () => ({ RALPH_BIN: ' ' }), /\$RALPH_BIN names " "/],
    [
      '$RALPH_BIN that is another program',
      (folder: string) => ({ RALPH_BIN: putProgram(folder, 'echo Simpson') }),
      /\/bin\/ralph \(from \$RALPH_BIN\) is not Ralph: .*found "Simpson"/,
    ],
    [
      'another program of that name on PATH',
      (folder: string) => {
        putProgram(folder, 'echo Simpson');
        return { PATH: `${folder}:${bareSystemPath()}` };
      },
      /\/bin\/ralph \(from PATH\) is not Ralph: .*found "Simpson"/,
    ],
  ])('%s', async (_what, arrange, sentence) => {
    const cwd = tempFolder();
    const { code, stdout, stderr } = await runSim(cwd, ['--mock'], arrange(join(cwd, 'bin')));
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/--ralph embedded/);
    expect(stderr).not.toMatch(/--mock/);
    expect([code, stdout]).toEqual([2, '']);
  });
});

describe('what needs no ralph of the machine', () => {
  const broken = { RALPH_BIN: '/nowhere/ralph' };

  test('a conversation', async () => {
    const { code, stdout } = await callCli(['claude', '--mock', '--json', '--filter', 'agent-loop-bugfix'], {
      cwd: tempFolder(),
      env: broken,
    });
    const { target, verdict } = reportSchema.parse(JSON.parse(stdout));
    expect(target).toMatchObject({ kind: 'stand-in', because: 'not-needed' });
    expect(verdict).not.toMatch(/no ralph was found/);
    expect(code).toBe(0);
  });

  test('a proof, which keeps the stand-in unless --ralph is given', async () => {
    const args = ['prove', 'claude', '--filter', 'claude-connect', '--saboteurs', 'config', '--json'];
    const { stdout } = await callCli(args, { cwd: tempFolder(), env: broken });
    expect(JSON.parse(stdout).target.kind).toBe('stand-in');
    const named = await callCli([...args, '--ralph', '/bin/sh'], { cwd: tempFolder() });
    expect(named.stderr).toMatch(/\/bin\/sh \(from --ralph\) is not Ralph/);
    expect(named.code).toBe(2);
  });
});

test('npm start names the stand-in, whatever ralph the machine has', () => {
  const text = readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8');
  const { scripts } = JSON.parse(text);
  expect(scripts.start).toBe('node dist/cli.js --mock --ralph embedded --suite once --fold');
  expect(scripts['start:all']).toBe('node dist/cli.js --mock --ralph embedded');
});
