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

  it('scripted: not in this version, and what to use instead', async () => {
    const readiness = await assessReadiness(backend, 'scripted', { env: SYSTEM_ENV });
    expect(readiness).toMatchObject({ ready: false, available: false, fix: 'use --lane sim or --lane live' });
    expect(readiness.reason).toContain('model server');
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
