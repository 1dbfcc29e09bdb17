import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assessReadiness, BACKENDS, standInFolder } from '../../src/backends/index.js';
import { installFakeCli, makeTempFolder } from './support.js';

const SYSTEM_ENV = { PATH: process.env.PATH ?? '', HOME: '/nowhere' };

describe.each(Object.values(BACKENDS))('$id', (backend) => {
  it('sim: our stand-in is ready on any machine and says what it is', async () => {
    const readiness = await assessReadiness(backend, 'sim', { env: SYSTEM_ENV });
    expect(readiness).toMatchObject({
      backend: backend.id,
      ready: true,
      available: true,
      path: join(standInFolder(), backend.command),
      authentication: { authenticated: true, source: 'stand-in' },
    });
    expect(existsSync(readiness.path ?? '')).toBe(true);
    expect(readiness.version).toContain('stand-in');
  });

  it('scripted: the real CLI without a login, where it can be pointed at our server', async () => {
    const { env, path } = installFakeCli(backend.command, { version: 'echo 9.9.9', probe: 'exit 1' });
    const readiness = await assessReadiness(backend, 'scripted', { env });
    if (backend.scripted.possible) {
      expect(readiness).toMatchObject({ ready: true, path, version: '9.9.9', reason: null });
    } else expect(readiness).toMatchObject({ ready: false, reason: backend.scripted.reason });
  });

  it('scripted: our own stand-in does not count as the real CLI', async () => {
    const version = `echo '9.9.9 (ralph-e2e stand-in)'`;
    const { env } = installFakeCli(backend.command, { version });
    expect((await assessReadiness(backend, 'scripted', { env })).ready).toBe(false);
  });

  it('live: what is on PATH', async () => {
    const none = await assessReadiness(backend, 'live', {
      env: { PATH: makeTempFolder(), HOME: '/nowhere' },
    });
    expect(none.ready).toBe(false);
    const { env, path } = installFakeCli(backend.command, { version: 'echo 9.9.9', probe: 'exit 0' });
    expect(await assessReadiness(backend, 'live', { env })).toMatchObject({ path, version: '9.9.9' });
  });
});
