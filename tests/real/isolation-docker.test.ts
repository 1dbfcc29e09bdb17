import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CONTAINER_SCOPES } from '../../src/domain/evidence/isolation.js';
import { runScenarios } from '../../src/index.js';
import { findOverlayTools } from '../../src/isolation/bwrap/overlay-launch.js';
import { IMAGE } from '../../src/isolation/docker/image.js';
import { covers } from '../coverage/covers.js';
import { agentThatRuns, connectOut, HOST_NAME, writeSilently } from '../isolation/escape.js';
import { runCli, startCli, tempFolder } from '../support/cli.js';
import { useEngine } from './support/engine.js';

const missing = await useEngine();
const seesSilent = (await findOverlayTools(process.env.PATH)) !== null;
// The tools of the other tests have no docker among them.
const { PATH = '', DOCKER_HOST } = process.env;
const env = { PATH, ...(DOCKER_HOST === undefined ? {} : { DOCKER_HOST }) };

const flags = ['--mock', '--ralph', 'embedded', '--isolation', 'docker'];

describe.skipIf(missing !== null)(missing === null ? '--isolation docker' : `skipped: ${missing}`, () => {
  test.each(CONTAINER_SCOPES)('a scenario passes in a container %s, and none is left', async (scope) => {
    covers('H43', 'H45', 'H58', 'H60', 'H69');
    const cwd = tempFolder();
    const { code, stdout, stderr } = await runCli(
      ['claude', ...flags, '--container', scope, '--filter', 'claude-tool-use', '--json'],
      { cwd, env },
    );
    expect(stdout, stderr).not.toBe('');
    const report = JSON.parse(stdout);
    expect(report.environment.isolation).toBe('docker');
    expect(report.results[0].context.stopped_by_isolation).toEqual([]);
    expect(report.results[0].repeat_command).toContain(`--isolation docker --container ${scope}`);
    expect(code).toBe(0);
    expect(containersOf(cwd)).toEqual([]);
    // What the test left is on this machine, and no container is needed to read it.
    const kept = readdirSync(join(cwd, '.e2e-tests/runs'), { recursive: true, encoding: 'utf8' });
    for (const file of ['evidence.json', 'stdout.txt'])
      expect(kept.filter((path) => path.endsWith(`/1/${file}`))).toHaveLength(1);
  });

  test.each([
    ['per-suite', 'one for all tests', (count: number) => count === 1],
    ['per-test', 'one for each test', (count: number) => count >= 2],
  ] as const)('containers %s are %s', async (scope, _what, fits) => {
    covers('H43', 'H64', 'H65', 'H69');
    const cwd = tempFolder();
    const since = String(Date.now() / 1000);
    const only = ['claude-connect', 'claude-tool-use'].flatMap((id) => ['--filter', id]);
    const { code, stdout, stderr } = await runCli(['claude', ...flags, '--container', scope, ...only], {
      cwd,
      env,
    });
    expect(code, stdout + stderr).toBe(0);
    const label = `label=ralph-e2e.folder=${join(cwd, '.e2e-tests')}`;
    const window = ['--since', since, '--until', String(Date.now() / 1000)];
    const created = docker(
      'events',
      ...window,
      '--filter',
      'event=create',
      '--filter',
      label,
      '--format',
      '{{.ID}}',
    );
    const ids = new Set(created.split('\n').filter((id) => id !== ''));
    expect(fits(ids.size), `${ids.size} containers`).toBe(true);
  });

  test.each(CONTAINER_SCOPES)('the state of a session goes with its container %s', async (container) => {
    covers('H59', 'H69');
    const folder = tempFolder();
    const volumes = volumesNow();
    const { results } = await runScenarios(
      [
        agentThatRuns(
          'echo WORD-OF-THE-SESSION | tee "$HOME/.session" /tmp/session > /dev/null',
          'cat "$HOME/.session"',
        ),
      ],
      { backends: ['claude'], output: join(folder, '.e2e-tests'), isolation: 'docker', container },
    );
    expect(results[0]?.outcome).toBe('passed');
    expect(containersOf(folder)).toEqual([]);
    expect(volumesNow()).toEqual(volumes);
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(left.filter((path) => path.endsWith('/.session'))).toEqual([]);
    expect(existsSync('/tmp/session')).toBe(false);
  });

  test.each(CONTAINER_SCOPES)(
    'git, Node, curl and the agent CLI run inside %s, with the certificates of this machine',
    async (container) => {
      covers('H43', 'H45', 'H68');
      const output = join(tempFolder(), '.e2e-tests');
      const same = ['git --version', 'curl --version | head -n 1', 'cat /etc/ssl/certs/*.pem | cksum'];
      const { results } = await runScenarios(
        [
          agentThatRuns(
            ...['hostname', 'node --version', 'claude --version', ...same].map(
              (command) => `${command} >> versions.txt`,
            ),
          ),
        ],
        { backends: ['claude'], output, isolation: 'docker', container, keepWorkspace: true },
      );
      expect(results[0]?.outcome).toBe('passed');
      const told = readFileSync(join(output, 'escape/versions.txt'), 'utf8').trimEnd().split('\n');
      const [host, node, claude, ...others] = told;
      expect(host).not.toBe(hostname());
      expect(node).toBe(process.version);
      expect(claude).toMatch(/^\d+\.\d+\.\d+ /);
      const outside = spawnSync('sh', ['-c', same.join('; ')], { encoding: 'utf8' }).stdout;
      expect(others).toEqual(outside.trimEnd().split('\n'));
      expect(others).toEqual([
        ...[/^git version \d/, /^curl \d/, /^\d+ [1-9]/].map((form) => expect.stringMatching(form)),
      ]);
    },
  );

  test('the image has folders and no file: what runs in it comes from this machine', async () => {
    covers('H55', 'H68');
    const cwd = tempFolder();
    docker('image', 'rm', '--force', IMAGE);
    const { code, stdout, stderr } = await runCli(['claude', ...flags, '--filter', 'claude-connect'], {
      cwd,
      env,
    });
    expect(code, stdout + stderr).toBe(0);
    const id = docker('create', IMAGE, 'true').trim();
    const archive = join(cwd, 'image.tar');
    docker('export', '--output', archive, id);
    docker('rm', id);
    const { stdout: listed } = spawnSync('tar', ['tvf', archive], { encoding: 'utf8' });
    const files = listed.split('\n').filter((line) => line !== '' && !line.startsWith('d'));
    // The engine itself adds these empty places for its mounts.
    const own = /(?:dev\/console|etc\/(?:hostname|hosts|mtab|resolv\.conf)|\.dockerenv)(?: -> .*)?$/;
    expect(files.filter((line) => !own.test(line))).toEqual([]);
    expect(listed).toMatch(/^d.* usr\/$/m);
  });

  test.each(CONTAINER_SCOPES)(
    'an agent that tries to get out %s is stopped and reported',
    async (container) => {
      covers('H62', 'H80');
      const folder = tempFolder();
      const escaped = join(folder, 'escaped.txt');
      const silent = join(folder, 'silent.txt');
      const output = join(folder, '.e2e-tests');
      const scenarios = [
        agentThatRuns(`echo out > ${escaped}`, 'touch /usr/escaped', writeSilently(silent), connectOut()),
      ];
      const report = await runScenarios(scenarios, {
        backends: ['claude'],
        output,
        isolation: 'docker',
        container,
      });
      const [result] = report.results;
      expect([escaped, silent, '/usr/escaped'].filter((path) => existsSync(path))).toEqual([]);
      expect(readFileSync(join(output, 'escape/done.txt'), 'utf8')).toBe('done');
      const stopped = result?.context?.stopped_by_isolation.join('\n');
      expect(stopped).toMatch(/wrote outside the workspace: .*\/usr\/escaped/);
      expect(stopped).toContain(escaped);
      if (seesSilent && container === 'per-test')
        expect(stopped).toContain(`wrote outside the workspace: ${silent} (created)`);
      expect(stopped).toMatch(/sent something to an address outside/);
      expect(stopped).toContain(`looked up ${HOST_NAME}`);
      expect(result?.outcome).toBe('failed');
    },
  );

  test('in a container per-suite no workspace is made while an agent could reach it', async () => {
    const output = join(tempFolder(), '.e2e-tests');
    const look = agentThatRuns('ls .. > seen.txt');
    const both = ['escape', 'escape-too'];
    await runScenarios(
      both.map((id) => ({ ...look, id })),
      {
        ...{ backends: ['claude'], output, isolation: 'docker', container: 'per-suite' },
        ...{ jobs: 2, keepWorkspace: true },
      },
    );
    const seen = both.map((id) => readFileSync(join(output, id, 'seen.txt'), 'utf8').split('\n'));
    // The second finds the first one's, which is over; the first must not find the second one's.
    const found = seen.map((names) => names.filter((name) => both.includes(name)).length);
    expect(found.sort()).toEqual([1, 2]);
  });

  test.each(CONTAINER_SCOPES)('an interrupted run leaves no container %s', async (container) => {
    const folder = tempFolder();
    const user = new AbortController();
    const done = runScenarios([agentThatRuns('touch started; sleep 600')], {
      ...{ backends: ['claude'], output: join(folder, '.e2e-tests'), isolation: 'docker', container },
      signal: user.signal,
    });
    await until(() => existsSync(join(folder, '.e2e-tests/escape/started')));
    user.abort();
    expect((await done).interrupted).toBe(true);
    expect(containersOf(folder)).toEqual([]);
  });

  test.each(CONTAINER_SCOPES)('what a killed run has left %s is gone after the next one', async (scope) => {
    covers('H82');
    const cwd = tempFolder();
    const before = [volumesNow(), networksNow()];
    const args = ['claude', ...flags, '--container', scope, '--filter'];
    const killed = startCli([...args, 'timeout-handling'], { cwd, env });
    await until(() => containersOf(cwd).length > 0);
    killed.child.kill('SIGKILL');
    await killed.done;
    const { code, stdout, stderr } = await runCli([...args, 'claude-connect'], { cwd, env });
    expect(code, stdout + stderr).toBe(0);
    expect(containersOf(cwd)).toEqual([]);
    expect([volumesNow(), networksNow()]).toEqual(before);
  });
});

/** The containers of runs in a folder, by the label that they carry. */
function containersOf(folder: string): string[] {
  const filter = `label=ralph-e2e.folder=${join(folder, '.e2e-tests')}`;
  const { stdout } = spawnSync('docker', ['ps', '--all', '--quiet', '--filter', filter], {
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((id) => id !== '');
}

function volumesNow(): string[] {
  return docker('volume', 'ls', '--quiet').split('\n').sort();
}

function networksNow(): string[] {
  return docker('network', 'ls', '--quiet').split('\n').sort();
}

function docker(...args: readonly string[]): string {
  return spawnSync('docker', args, { encoding: 'utf8' }).stdout;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(50);
}
