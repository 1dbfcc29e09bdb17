import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../src/journal/reader.js';
import { covers } from '../coverage/covers.js';
import { bareSystemPath, callCli, tempFolder } from '../support/cli.js';

/** A PATH on which `name` is a program that fails as told; everything else is found behind it. */
function pathWith(cwd: string, name: string, script: string): string {
  mkdirSync(join(cwd, 'bin'), { recursive: true });
  writeFileSync(join(cwd, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(cwd, 'bin', name), 0o755);
  return `${join(cwd, 'bin')}:${bareSystemPath()}:${dirname(process.execPath)}`;
}

describe('isolation that cannot be is never left out silently', () => {
  const refusal = 'bwrap: No permissions to create new namespace';

  test('a sandbox that cannot be made ends the run with 2, the reason and what to do', async () => {
    const cwd = tempFolder();
    const PATH = pathWith(cwd, 'bwrap', `echo "${refusal}" >&2; exit 1`);
    const { code, stderr } = await callCli(['claude', '--mock', '--isolation', 'bwrap'], {
      cwd,
      env: { PATH },
    });
    expect(stderr).toContain(refusal);
    expect(stderr).toContain('Allow user namespaces');
    expect(code).toBe(2);
    expect(existsSync(join(cwd, '.e2e-tests'))).toBe(false);
  });

  test('doctor says the same, and of every kind', async () => {
    const cwd = tempFolder();
    const PATH = pathWith(cwd, 'bwrap', `echo "${refusal}" >&2; exit 1`);
    const { stdout } = await callCli(['doctor'], { cwd, env: { PATH } });
    expect(stdout).toMatch(/✔ host: /);
    expect(stdout).toMatch(
      /✘ bwrap: bwrap cannot create a sandbox: bwrap: No permissions.*\n\s+fix: Allow user/,
    );
    expect(stdout).toMatch(/[✔✘] docker: /);
  });

  test('a missing program is named with its package', async () => {
    const cwd = tempFolder();
    const { stderr, code } = await callCli(['claude', '--mock', '--isolation', 'bwrap'], {
      cwd,
      env: { PATH: dirname(process.execPath) === '/usr/bin' ? '/nowhere' : dirname(process.execPath) },
    });
    expect(stderr).toMatch(/bwrap is not on PATH/);
    expect(stderr).toMatch(/apt-get install bubblewrap/);
    expect(code).toBe(2);
  });

  test('no engine, or one whose containers cannot run our programs, ends it too', async () => {
    covers('H56');
    const cwd = tempFolder();
    const run = (script: string) =>
      callCli(['claude', '--mock', '--isolation', 'docker'], {
        cwd,
        env: { PATH: pathWith(cwd, 'docker', script) },
      });
    const none = await run('echo "Cannot connect to the Docker daemon" >&2; exit 1');
    expect(none.stderr).toMatch(/no docker engine answers: Cannot connect to the Docker daemon/);
    expect(none.stderr).toMatch(/Start the engine/);
    expect(none.code).toBe(2);
    const broken = await run('case "$1" in run) echo "exec format error" >&2; exit 1;; *) echo 1;; esac');
    expect(broken.stderr).toMatch(/a container cannot run Node: exec format error/);
    expect(broken.code).toBe(2);
    expect(existsSync(join(cwd, '.e2e-tests'))).toBe(false);
  });

  test('a container that does not start later leaves a run that says it did not come to its end', async () => {
    const cwd = tempFolder();
    const script = `case "$*" in *--detach*) echo "no space left" >&2; exit 1;; *) echo ${process.version};; esac`;
    const { code, stderr } = await callCli(
      ['claude', '--mock', '--isolation', 'docker', '--container', 'per-suite', '--test', 'claude-connect'],
      { cwd, env: { PATH: pathWith(cwd, 'docker', script) } },
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('no space left')]);
    const [run = ''] = readdirSync(join(cwd, '.e2e-tests/runs'));
    const end = (await readJournal(join(cwd, '.e2e-tests/runs', run, 'journal.jsonl'))).events.at(-1);
    expect(end).toMatchObject({ type: 'run-finished', interrupted: true });
  });

  test.each(['bwrap', 'docker'])('%s does not go with the live lane', async (kind) => {
    const { code, stderr } = await callCli(['claude', '--isolation', kind, '--ralph', 'embedded'], {
      cwd: tempFolder(),
    });
    expect(stderr).toMatch(/blocks the network, but the live lane must reach a model service/);
    expect(code).toBe(2);
  });

  test.each([
    [['--isolation', 'jail'], /--isolation jail: expected host, bwrap or docker/],
    [
      ['--isolation', 'docker', '--container', 'shared'],
      /--container shared: expected per-test or per-suite/,
    ],
    [['--isolation', 'bwrap', '--container', 'per-test'], /--container needs --isolation docker/],
  ])('%j is refused', async (args, why) => {
    const { code, stderr } = await callCli(['claude', '--mock', ...args], { cwd: tempFolder() });
    expect(stderr).toMatch(why);
    expect(code).toBe(2);
  });
});
