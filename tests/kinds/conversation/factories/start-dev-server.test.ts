// Starts programs, or takes seconds: in the project `whole`.
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createProject, startDevServer } from '../../../../src/index.js';
import { covers } from '../../../coverage/covers.js';
import { tempFolder } from '../../../support/cli.js';

/** Serves on PORT, and starts a helper that outlives it unless somebody ends it. */
const WITH_HELPER = `import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
const helper = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'HELPER'], { detached: true });
createServer((request, response) => response.end(String(helper.pid))).listen(Number(process.env.PORT));
`;

function folderWith(code: string): string {
  const folder = tempFolder();
  writeFileSync(join(folder, 'serve.mjs'), code);
  return folder;
}

const SERVE = { run: ['node', 'serve.mjs'] } as const;

describe('startDevServer', () => {
  test('serves a web app of ours at its address, shows changes, and is gone when it is closed', async () => {
    covers('C51');
    const project = await createProject({ type: 'web-app', language: 'javascript' });
    onTestFinished(() => project.close());
    const server = await startDevServer(project);
    expect(server.url).toBe(`http://localhost:${server.port}`);
    expect(await (await fetch(server.url)).text()).toContain('class="card"');
    writeFileSync(join(project.path, 'public/style.css'), '.card { padding: 7px }');
    expect(await (await fetch(`${server.url}/style.css`)).text()).toBe('.card { padding: 7px }');
    expect(server.endedEarly()).toBeNull();
    await server.close();
    await expect(fetch(server.url)).rejects.toThrow();
  });

  test('takes the port that it is told, in the environment and in arguments', async () => {
    covers('C51');
    const port = await freePort();
    const folder = folderWith(
      `import { createServer } from 'node:http';
createServer((_, response) => response.end(process.argv[2] + ' ' + process.env.PORT)).listen(Number(process.argv[2]));`,
    );
    const server = await startDevServer(folder, { run: ['node', 'serve.mjs', '{{port}}'], port });
    onTestFinished(() => server.close());
    expect(await (await fetch(`http://localhost:${port}`)).text()).toBe(`${port} ${port}`);
  });

  test.skipIf(process.platform !== 'linux')('ends with everything that it started', async () => {
    const server = await startDevServer(folderWith(WITH_HELPER), SERVE);
    const helper = await (await fetch(server.url)).text();
    expect(existsSync(`/proc/${helper}`)).toBe(true);
    await server.close();
    expect(isRunning(helper)).toBe(false);
  });

  test('says why there is no server, and leaves nothing running', async () => {
    await expect(
      startDevServer(folderWith('console.error("no database"); process.exit(4)'), SERVE),
    ).rejects.toThrow('did not get ready: exit 4: no database');
    const silent = folderWith(
      'import { writeFileSync } from "node:fs"; writeFileSync("pid", String(process.pid)); console.log("compiling"); setInterval(() => {}, 1000);',
    );
    await expect(startDevServer(silent, { ...SERVE, seconds: 2 })).rejects.toMatchObject({
      message: expect.stringContaining('no answer at http://localhost:'),
      hint: expect.stringContaining('compiling'),
    });
    expect(isRunning(readFileSync(join(silent, 'pid'), 'utf8'))).toBe(false);
    await expect(startDevServer(silent, { ...SERVE, path: 'no-slash' })).rejects.toThrow('Invalid URL');
    await expect(startDevServer(silent, { run: ['no-such-program-here'] })).rejects.toThrow(
      'no-such-program-here',
    );
    await expect(startDevServer(silent)).rejects.toThrow('Expected a command that serves');
  });

  test('refuses a port that another program uses: its answer would count as the answer of the server', async () => {
    const other = createServer((_, response) => response.end('other')).listen(0, 'localhost');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    await expect(
      startDevServer(folderWith(WITH_HELPER), { ...SERVE, port: portOf(other.address()) }),
    ).rejects.toThrow('to be free for the dev server');
  });

  test('tells that it ended by itself', async () => {
    const server = await startDevServer(
      folderWith(`import { createServer } from 'node:http';
createServer((request, response) => response.end('x', () => request.url === '/die' && process.exit(5))).listen(Number(process.env.PORT));`),
      SERVE,
    );
    onTestFinished(() => server.close());
    await fetch(`${server.url}/die`);
    await expect.poll(() => server.endedEarly(), { timeout: 50_000 }).toBe('exit 5');
  });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, 'localhost');
  await once(probe, 'listening');
  const port = portOf(probe.address());
  probe.close();
  await once(probe, 'close');
  return port;
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** A process that has ended may wait for its parent to notice. */
function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
