import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../src/exec/process/run-command.js';
import { probeBwrap } from '../../src/isolation/bwrap/bwrap.js';
import { findOverlayTools } from '../../src/isolation/bwrap/overlay-launch.js';
import { prepareEnclosure } from '../../src/isolation/enclosure.js';
import type { Sandbox, Site } from '../../src/isolation/launch.js';
import { openLayers } from '../../src/isolation/layers.js';
import { runInside } from '../../src/isolation/run-inside.js';
import { covers } from '../coverage/covers.js';
import { tempFolder } from '../support/cli.js';

const health = await probeBwrap(process.env.PATH);
/** Null where writes outside are refused, and not seen. */
const tools = await findOverlayTools(process.env.PATH);

describe.skipIf(!health.ok)(health.ok ? 'inside bwrap' : `skipped: ${health.detail}`, () => {
  /** What a sandbox stopped, without the folders that another test makes and removes in /opt meanwhile. */
  function stoppedOf(sandbox: Sandbox) {
    return sandbox
      .stopped()
      .filter((stopped) => stopped.kind !== 'write' || !stopped.message.startsWith('/opt/'));
  }

  test('only the folders of the attempt can be written', async () => {
    covers('H79');
    const { run, folder } = await openInside();
    await run(`echo kept > ${folder}/kept.txt`);
    expect(readFileSync(join(folder, 'kept.txt'), 'utf8')).toBe('kept\n');
    const { result } = await run(
      'touch /usr/escaped; touch /etc/escaped; mkdir /escaped; mount -o remount,rw /',
    );
    expect(['/usr/escaped', '/etc/escaped', '/escaped'].filter((path) => existsSync(path))).toEqual([]);
    // What has no layer over it is refused.
    expect(result.stderr.match(/Read-only file system/g)).toHaveLength(tools === null ? 3 : 1);
    expect(result.exitCode).not.toBe(0);
  });

  test('the folder of another attempt can be neither read nor written', async () => {
    covers('H79');
    const first = await openInside();
    const second = await openInside();
    await first.run(`echo mine > ${first.folder}/mine.txt`);
    const { result } = await second.run(
      `cat ${first.folder}/mine.txt; echo theirs > ${first.folder}/mine.txt; touch ${first.folder}/theirs.txt; rm -rf ${first.folder}`,
    );
    expect(result.stdout).not.toContain('mine');
    expect(readFileSync(join(first.folder, 'mine.txt'), 'utf8')).toBe('mine\n');
    expect(existsSync(join(first.folder, 'theirs.txt'))).toBe(false);
  });

  test('each attempt has its own ports, also those that this machine uses', async () => {
    covers('H80');
    const host = createServer((_, response) => response.end('host')).listen(0, '127.0.0.1');
    onTestFinished(() => void host.close());
    await once(host, 'listening');
    const address = host.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const url = `http://127.0.0.1:${address.port}`;
    const serve = (name: string) => `node -e "
      const server = require('http').createServer((_, response) => response.end('${name}'));
      server.listen(${address.port}, '127.0.0.1', () => fetch('${url}').then((r) => r.text()).then((text) => { console.log(text); server.close(); }));
    "`;
    const sandboxes = await Promise.all([openInside(), openInside()]);
    const answers = await Promise.all(sandboxes.map(({ run }, index) => run(serve(`sandbox ${index}`))));
    expect(answers.map(({ result }) => result.stdout.trim())).toEqual(['sandbox 0', 'sandbox 1']);
    expect(await (await fetch(url)).text()).toBe('host');
  });

  test.skipIf(tools === null)('a write outside is seen although the program hides it', async () => {
    const project = tempFolder();
    for (const name of ['old', 'older', 'gone']) writeFileSync(join(project, name), 'before');
    const { run, sandbox, folder } = await openInside({ readable: [project] });
    const tries = [
      `cat ${project}/older > ${folder}/copy`,
      `mkdir -p ${project}/new/deep ${project}/__pycache__`,
      `echo after >> ${project}/old`,
      `rm ${project}/gone`,
      'touch /etc/escaped',
    ];
    const { result } = await run(`(${tries.join(' && ')}) >/dev/null 2>&1`);
    expect(result.exitCode).toBe(0);
    expect(stoppedOf(sandbox).map((stopped) => Object.values(stopped).join(' '))).toEqual([
      'write /etc/escaped created',
      `write ${project}/gone deleted`,
      `write ${project}/new created`,
      `write ${project}/old changed`,
    ]);
    expect(readdirSync(project).map((name) => readFileSync(join(project, name), 'utf8'))).toEqual([
      'before',
      'before',
      'before',
    ]);
    expect(existsSync('/etc/escaped')).toBe(false);
  });

  test('a layer never hides what is mounted below a folder, and never lies over a file', async () => {
    const layers = await openLayers();
    onTestFinished(layers.close);
    const odd = join(tempFolder(), 'a,b');
    mkdirSync(odd);
    const modes = ['/', '/dev', '/etc/passwd', odd].map((path) => layers.cover(path).mode);
    expect(modes).toEqual(['read-only', 'read-only', 'read-only', 'read-only']);
  });

  test('sockets and files of others are not there, and what is written there does not stay', async () => {
    const { run } = await openInside();
    const elsewhere = mkdtempSync('/tmp/ralph-e2e-test-');
    onTestFinished(() => rmSync(elsewhere, { recursive: true }));
    const server = createSocketServer().listen(join(elsewhere, 'socket'));
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { result } = await run(`ls ${elsewhere}; touch /tmp/mine && ls /tmp/mine; ls -A /run`);
    expect(result.stderr).toMatch(/cannot access/);
    expect(result.stdout).toBe('/tmp/mine\n');
  });

  test('no setting of the kernel can be written, by root neither', async () => {
    const { run } = await openInside();
    const setting = '/proc/sys/kernel/core_pattern';
    const { result } = await run(
      `[ "$(cat ${setting})" = '${readFileSync(setting, 'utf8').trim()}' ] && echo the same
      find /proc -path '/proc/[0-9]*' -prune -o -type f -writable -exec test -f {} ';' -print 2>/dev/null`,
    );
    expect(result.stdout).toBe('the same\n');
    expect((await run(`cat ${setting} > ${setting}`)).result.exitCode).not.toBe(0);
    // What is about processes still works.
    expect(
      (await run('echo 500 > /proc/self/oom_score_adj && cat /proc/self/oom_score_adj')).result.stdout,
    ).toBe('500\n');
  });

  test('nothing of the home is there but programs and what must be readable, without the logins in it', async () => {
    const home = tempFolder();
    for (const path of [
      '.ssh/id',
      '.netrc',
      '.new-tool/login',
      '.tool/bin/run',
      '.tool/token',
      'plugin/read-me',
      'plugin/login',
    ]) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), `${path}\n`);
    }
    const server = createSocketServer().listen(join(home, 'plugin/socket'));
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { run } = await openInside({ readable: [join(home, 'plugin')] }, { HOME: home }, ['plugin/login']);
    const { result } = await run(
      `find ${home} -type f -exec cat {} ';'; [ -S ${home}/plugin/socket ] && echo socket`,
      `${join(home, '.tool/bin')}:${process.env.PATH}`,
    );
    expect(result.stdout.split('\n').sort()).toEqual(['', '.tool/bin/run', 'plugin/read-me']);
  });

  test('of the ports of this machine only the bridged one is reachable, under its own number', async () => {
    covers('H62');
    const [open, closed] = await Promise.all([serveWord('open'), serveWord('closed')]);
    const { run } = await openInside({ ports: [open] });
    const ask = (port: number) =>
      `${process.execPath} -e "fetch('http://127.0.0.1:${port}').then((a) => a.text()).then(console.log, (e) => console.log(e.cause.code))"`;
    expect((await run(ask(open))).result.stdout).toBe('open\n');
    expect((await run(ask(closed))).result.stdout).toBe('ECONNREFUSED\n');
  });

  test('a program ends as it would outside, and what it leaves is told and ended', async () => {
    covers('H78');
    const { run } = await openInside();
    expect((await run('exit 3')).result).toMatchObject({ exitCode: 3, signal: null });
    expect((await run('kill -9 $$')).result).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    const left = await run('setsid sleep 31415 & exit 0');
    expect(left.leftBehind.map(({ command }) => command)).toEqual(['sleep 31415']);
    const table = await runCommand('ps', ['-eo', 'args'], { cwd: '/', env: pathOnly(), timeoutMs: 10_000 });
    expect(table.stdout).not.toMatch(/^sleep 31415$/m);
  });

  test('if the warden is killed, the program counts as killed, whatever the sandbox says', async () => {
    const { run } = await openInside();
    const { result } = await run('kill -9 "$PPID"; sleep 60');
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });

  test.skipIf(tools === null)('writes that are too deep or not UTF-8 are seen and removed', async () => {
    const { run, sandbox } = await openInside();
    const name = 'd'.repeat(200);
    await run(
      `cd /etc && mkdir "$(printf 'odd\\377')" deep && cd deep && for i in $(seq 25); do mkdir ${name} && cd -P ${name}; done`,
    );
    const writes = stoppedOf(sandbox).flatMap((stopped) =>
      stopped.kind === 'write' ? [stopped.message] : [],
    );
    expect(writes).toEqual(['/etc/deep', '/etc/odd\ufffd']);
    const left = () => readdirSync('/tmp').filter((found) => found.includes(`-${process.pid}-`));
    const before = left().length;
    await sandbox.close();
    expect(left().length).toBeLessThan(before);
  });

  test('connections are counted although the program hides them', async () => {
    covers('H80');
    const { run, sandbox } = await openInside();
    const code = `require('node:net').connect(80, '203.0.113.7').on('error', () => {})`;
    await run(`${process.execPath} -e "${code}" >/dev/null 2>&1`);
    expect(stoppedOf(sandbox)).toEqual([{ kind: 'connection', times: 1 }]);
    await run(`${process.execPath} -e "require('node:dns').lookup('localhost', () => {})"`);
    expect(stoppedOf(sandbox)).toEqual([{ kind: 'connection', times: 1 }]);
  });

  test('a program that is not there, or a sandbox that does not start, is said so', async () => {
    const { sandbox, folder } = await openInside();
    const start = (command: string) =>
      runInside(
        sandbox,
        { command, args: [], cwd: folder, env: pathOnly() },
        startCommand,
        ({ stderr }) => stderr,
      );
    await expect(start('/no/such/program')).rejects.toThrow(/no\/such\/program could not be started inside/);
    const broken = runInside(
      sandbox,
      { command: 'true', args: [], cwd: join(folder, 'gone'), env: pathOnly() },
      (launch) => startCommand({ ...launch, cwd: '/' }),
      ({ stderr }) => stderr,
    );
    await expect(broken).rejects.toThrow(/sandbox did not start: bwrap: Can't chdir/);
  });
});

function startCommand(launch: {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}) {
  return runCommand(launch.command, launch.args, { cwd: launch.cwd, env: launch.env, timeoutMs: 30_000 });
}

function pathOnly(): Record<string, string> {
  return { PATH: process.env.PATH ?? '' };
}

/** A sandbox with one folder, and a shell in it. */
async function openInside(
  site: Partial<Site> = {},
  env: Record<string, string> = {},
  logins: readonly string[] = [],
) {
  const folder = tempFolder();
  const enclose = await prepareEnclosure({
    isolation: 'bwrap',
    lane: 'sim',
    env: { ...process.env, ...env },
    logins,
  });
  const enclosure = await enclose({ folder, run: folder, journal: folder, program: '/bin/sh' });
  if (enclosure === undefined) throw new Error('bwrap gave no enclosure');
  const sandbox: Sandbox = await enclosure.open({
    folders: [folder],
    files: [],
    readable: [],
    ports: [],
    ...site,
  });
  onTestFinished(() => sandbox.close());
  const run = (script: string, PATH = process.env.PATH ?? '') =>
    runInside(
      sandbox,
      { command: '/bin/sh', args: ['-c', script], cwd: folder, env: { PATH } },
      startCommand,
      ({ stderr }) => stderr,
    );
  return { run, folder, sandbox };
}

async function serveWord(word: string): Promise<number> {
  const server = createServer((_request, response) => response.end(word)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
