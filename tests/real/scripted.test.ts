import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report.js';
import { bareSystemPath, CLI, tempFolder } from '../support/cli.js';
import { requireProgram } from './programs.js';

/** Where there is no network but loopback, which begins switched off. */
const NAMESPACE = ['unshare', '--net', '--map-root-user', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const [unshare = '', ...unshareArgs] = NAMESPACE;
const canUnshare = spawnSync(unshare, [...unshareArgs, 'true'], { cwd: tmpdir() }).status === 0;
const CASES = [
  { backend: 'claude', scenarios: 8 },
  { backend: 'opencode', scenarios: 6 },
] as const;

describe.each(CASES)('the real ralph, the real $backend and a scripted model', ({ backend, scenarios }) => {
  test(canUnshare ? 'pass without any route' : 'pass (this machine has no namespaces)', async () => {
    const command = [...(canUnshare ? NAMESPACE : []), process.execPath, CLI, backend, '--lane', 'scripted'];
    const [file = '', ...args] = [...command, '--ralph', requireProgram('ralph'), '--json'];
    const { stdout, stderr, exitCode } = await execa(file, args, {
      cwd: tempFolder(),
      env: { PATH: [dirname(requireProgram(backend)), bareSystemPath(), process.env.PATH].join(delimiter) },
      reject: false,
    });
    expect(stdout, stderr).not.toBe('');
    const report = reportSchema.parse(JSON.parse(stdout));
    expect(report.results.filter(({ passed }) => !passed)).toEqual([]);
    expect(report.summary.total).toBe(scenarios);
    expect(report.target).toMatchObject({ kind: 'real', version: '2.10.1' });
    expect(exitCode).toBe(0);
  });
});
