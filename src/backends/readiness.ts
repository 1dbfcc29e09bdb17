import { join } from 'node:path';
import type { Readiness } from '../domain/evidence/readiness.js';
import { STAND_IN_MARK, standInVersion } from '../domain/stand-ins.js';
import type { Lane } from '../domain/vocabulary.js';
import { packageRoot } from '../exec/files/package-root.js';
import { findExecutable } from '../exec/find-executable.js';
import type { Backend } from './backend.js';
import { type ProbeOptions, probeBackend, probeProgram } from './probe.js';

/** Whether a backend can be used in a lane, and if not, why and what to do. */
export async function assessReadiness(
  backend: Backend,
  lane: Lane,
  options: ProbeOptions,
): Promise<Readiness> {
  switch (lane) {
    case 'live':
      return probeBackend(backend, options);
    case 'sim':
      return assessStandIn(backend);
    case 'scripted':
      return assessScripted(backend, options);
  }
}

/** The real CLI must be there; it needs no login, because it asks our server. */
async function assessScripted(backend: Backend, options: ProbeOptions): Promise<Readiness> {
  const { scripted } = backend;
  if (!scripted.possible) return { ...nothingKnown(backend), reason: scripted.reason, fix: 'use --lane sim' };
  const found = await probeProgram(backend, options);
  if (!found.ready) return found;
  if (found.version?.includes(STAND_IN_MARK)) {
    const reason = `the ${backend.command} on PATH is our stand-in, and this lane runs the real one`;
    return { ...found, ready: false, reason, fix: backend.installHint };
  }
  return {
    ...found,
    authentication: { authenticated: true, source: 'scripted model', detail: 'needs no login' },
  };
}

/** The folder to put first on PATH so that ralph finds our stand-ins under the names of the real CLIs. */
export function standInFolder(): string {
  return join(packageRoot(), 'dist', 'agent', 'bin');
}

/** Our own program: nobody needs to start it to know its version. */
function assessStandIn(backend: Backend): Readiness {
  const path = join(standInFolder(), backend.command);
  if (findExecutable(path, undefined) === null) {
    return {
      ...nothingKnown(backend),
      reason: `the stand-in of ${backend.command} is not at ${path}`,
      fix: 'npm run build',
    };
  }
  return {
    backend: backend.id,
    ready: true,
    available: true,
    path,
    version: standInVersion(backend.id),
    authentication: { authenticated: true, source: 'stand-in', detail: 'needs no login' },
    reason: null,
    fix: null,
  };
}

function nothingKnown(backend: Backend): Omit<Readiness, 'reason' | 'fix'> {
  return {
    backend: backend.id,
    ready: false,
    available: false,
    path: null,
    version: null,
    authentication: null,
  };
}
