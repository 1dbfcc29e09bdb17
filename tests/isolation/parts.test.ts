import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BACKENDS, LOGIN_FILES } from '../../src/backends/index.js';
import type { Evidence } from '../../src/domain/evidence/evidence.js';
import { callFilter } from '../../src/isolation/bwrap/call-filter.js';
import { folderArchive } from '../../src/isolation/docker/image.js';
import { readQuestion } from '../../src/isolation/inside/lookups.js';
import { orderMounts, planMounts } from '../../src/isolation/mounts.js';
import { programPlaces } from '../../src/isolation/places/programs.js';
import { findRefusedWrites } from '../../src/isolation/refused-writes.js';
import { redactCommands } from '../../src/isolation/run-inside.js';
import { covers } from '../coverage/covers.js';
import { makeEvidence } from '../domain/support/evidence.js';
import { tempFolder } from '../support/cli.js';

const EVIDENCE = makeEvidence();
const backends = Object.values(BACKENDS);

test('a credential in the command of a process from a sandbox is hidden, and then the command is cut', () => {
  const command = `${'x'.repeat(490)} hunter2-hunter2-hunter2`;
  const [shown] = redactCommands([{ pid: 7, command }], ['hunter2-hunter2-hunter2']);
  expect(shown?.command).toMatch(/^x{490} \[redact/);
});

describe('refused writes', () => {
  const withTexts = (result: string, stderr: string): Evidence => ({
    ...EVIDENCE,
    stdout: { ...EVIDENCE.stdout, text: '' },
    stderr: { ...EVIDENCE.stderr, text: stderr },
    iterations: [
      {
        ...{ number: 2, hat: null, prompt: null, said: '', durationSeconds: null },
        toolCalls: [{ id: null, name: 'Bash', input: '{}', result, isError: true }],
      },
    ],
  });

  test('are read from the words of shells and of Node, once for each path', () => {
    const found = findRefusedWrites(
      withTexts(
        "fine\ntouch: cannot touch '/usr/a': Read-only file system\nmore",
        "Error: EROFS: read-only file system, open '/etc/b'\nsh: 1: cannot create /usr/a: Read-only file system",
      ),
    );
    expect(found).toEqual([
      {
        kind: 'write',
        message: "touch: cannot touch '/usr/a': Read-only file system",
        from: 'Bash in iteration 2',
      },
      { kind: 'write', message: "Error: EROFS: read-only file system, open '/etc/b'", from: 'stderr' },
    ]);
  });

  test('are not found in other errors', () => {
    expect(findRefusedWrites(withTexts("touch: cannot touch '/usr/a': Permission denied", ''))).toEqual([]);
  });
});

describe('a question for a name', () => {
  const query = (name: string) =>
    Buffer.concat([
      Buffer.from([0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
      ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
      Buffer.from([0, 0, 1, 0, 1]),
    ]);

  test('is read whole, and its end is known', () => {
    const bytes = query('api.example.com');
    expect(readQuestion(bytes)).toEqual({ name: 'api.example.com', end: bytes.length });
    expect(readQuestion(query('a\u001bb.example'))?.name).toBe('a?b.example');
  });

  test('that is cut short or no question is nothing', () => {
    const bytes = query('api.example.com');
    for (let length = 0; length < bytes.length; length += 1)
      expect(readQuestion(bytes.subarray(0, length))).toBeNull();
    expect(readQuestion(Buffer.alloc(40, 0xc0))).toBeNull();
  });
});

test('the archive of the image is one that tar reads', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'a.tar'), folderArchive(['tmp/', 'var/tmp/']));
  const { stdout, stderr, status } = spawnSync('tar', ['tvf', join(folder, 'a.tar')], { encoding: 'utf8' });
  expect(stdout.split('\n').map((line) => line.replace(/ .* /, ' '))).toEqual([
    'drwxr-xr-x tmp/',
    'drwxr-xr-x var/tmp/',
    '',
  ]);
  expect([stderr, status]).toEqual(['', 0]);
});

describe('mounts', () => {
  test('lie deeper later, one for each place, and the last word counts', () => {
    expect(
      orderMounts([
        { path: '/a/b', mode: 'read-write' },
        { path: '/a', mode: 'read-only' },
        { path: '/a', mode: 'read-write' },
      ]),
    ).toEqual([
      { path: '/a', mode: 'read-write' },
      { path: '/a/b', mode: 'read-write' },
    ]);
  });

  test('have a layer below another only where something else lies between', () => {
    const layer = { upper: '/u', work: '/w', merged: '/m' };
    const layered = (path: string) => ({ path, mode: 'layered', layer }) as const;
    const mounts = [
      ...[layered('/var/lib/x'), layered('/var/tmp/p'), layered('/var')],
      { path: '/var/tmp', mode: 'empty-folder' } as const,
    ];
    expect(orderMounts(mounts).map(({ path }) => path)).toEqual(['/var', '/var/tmp', '/var/tmp/p']);
  });

  test('never open a closed place or the whole machine again, whatever is asked to be readable', () => {
    const folder = tempFolder();
    const site = { folders: [join(folder, 'ws')], files: [], readable: ['/', '/tmp', folder], ports: [] };
    const exchange = { folder: '/tmp/x', resolverFile: '/tmp/x/resolv.conf' };
    const mounts = planMounts(site, { home: undefined, logins: [], programs: [], exchange });
    expect(mounts.find(({ path }) => path === '/')).toBeUndefined();
    expect(mounts.find(({ path }) => path === '/tmp')?.mode).toBe('empty-folder');
    expect(mounts.find(({ path }) => path === folder)?.mode).toBe('read-only');
  });

  test.each(backends)('hide the login of $id', ({ loginFiles }) => {
    const home = tempFolder();
    const outside = tempFolder();
    const host = { home, programs: [home], exchange: { folder: outside, resolverFile: outside } };
    for (const path of loginFiles) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), 'secret');
    }
    const site = { folders: [], files: [], readable: [], ports: [] };
    const hidden = planMounts(site, { ...host, logins: LOGIN_FILES }).filter(
      ({ mode }) => mode === 'empty-file',
    );
    expect(hidden.map(({ path }) => path)).toEqual(
      expect.arrayContaining(loginFiles.map((path) => realpathSync(join(home, path)))),
    );
  });

  test('hide a socket on which somebody listens beside a program, however deep', async () => {
    const folder = realpathSync(tempFolder());
    const deep = join(folder, 'a/b/c/d');
    mkdirSync(deep, { recursive: true });
    const server = createServer().listen(join(deep, 'socket'));
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const exchange = { folder: '/tmp/x', resolverFile: '/tmp/x/resolv.conf' };
    const site = { folders: [], files: [], readable: [], ports: [] };
    const mounts = planMounts(site, { home: undefined, logins: [], programs: [folder], exchange });
    expect(mounts).toContainEqual({ path: join(deep, 'socket'), mode: 'empty-file' });
  });

  test('hide what not every user may read in the settings of the system', () => {
    const exchange = { folder: '/tmp/x', resolverFile: '/tmp/x/resolv.conf' };
    const site = { folders: [], files: [], readable: [], ports: [] };
    const hidden = planMounts(site, { home: undefined, logins: [], programs: [], exchange }).filter(
      ({ path, mode }) => path.startsWith('/etc/') && mode.startsWith('empty'),
    );
    const owned = process.getuid?.() === 0 ? ['/etc/shadow'] : [];
    expect(hidden.map(({ path }) => path)).toEqual(expect.arrayContaining(owned));
    expect(hidden.map(({ path }) => path)).not.toContain('/etc/passwd');
  });
});

describe('what programs need', () => {
  const place = (paths: readonly string[]) => {
    const home = realpathSync(tempFolder());
    for (const path of paths) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), '');
    }
    const places = (path: readonly string[], command = 'ralph', around: readonly string[] = []) => {
      const env = {
        PATH: path.map((folder) => (isAbsolute(folder) ? folder : join(home, folder))).join(':'),
      };
      const found = programPlaces({ command, env }, [], { home, around });
      return found.filter((folder) => folder.startsWith(home)).map((folder) => relative(home, folder));
    };
    return { home, places };
  };

  test('is the whole installation, but never the home or a folder that programs share', () => {
    covers('H68');
    const { places } = place([
      'conda/bin/python',
      'bin/tool',
      '.local/bin/x',
      '.local/lib/y',
      '.docker/bin/z',
    ]);
    expect(places(['conda/bin'])).toEqual(['conda']);
    expect(places(['bin'])).toEqual(['bin']);
    expect(places(['.local/bin'])).toEqual(['.local/bin', '.local/lib']);
    expect(places(['.docker/bin'])).toEqual(['.docker/bin']);
    expect(places(['', 'gone', 'relative'])).toEqual([]);
  });

  test('is what links lead to', () => {
    const { home, places } = place([
      'bin/x',
      '.local/share/claude/versions/2.1',
      'npm/node_modules/a/cli.js',
    ]);
    symlinkSync(join(home, '.local/share/claude/versions/2.1'), join(home, 'bin/claude'));
    symlinkSync(join(home, 'npm/node_modules/a/cli.js'), join(home, 'bin/a'));
    expect(places(['bin']).sort()).toEqual(['.local/share/claude/versions', 'bin', 'npm/node_modules']);
  });

  test('is only the program itself if it lies in the home or around the workspace', () => {
    const { home, places } = place(['ralph', 'project/ralph', 'built/ralph']);
    const around = [join(home, 'project')];
    expect(places([], join(home, 'ralph'), around)).toEqual(['ralph']);
    expect(places([], join(home, 'project/ralph'), around)).toEqual(['project/ralph']);
    expect(places([], join(home, 'built/ralph'), around)).toEqual(['built']);
  });
});

test('the filter of calls is a program that the kernel accepts: whole instructions, no jump past its end', () => {
  for (const arch of ['x64', 'arm64']) {
    const filter = callFilter(arch) ?? Buffer.alloc(0);
    const count = filter.length / 8;
    expect(Number.isInteger(count) && count > 80).toBe(true);
    for (let at = 0; at < count; at += 1) {
      const jumps = [filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)];
      expect(at + 1 + Math.max(...jumps)).toBeLessThanOrEqual(count);
    }
    expect(filter.readUInt16LE(filter.length - 8)).toBe(6);
  }
  expect(callFilter('mips')).toBeNull();
});
