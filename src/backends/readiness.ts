import { join } from 'node:path';
import type { Readiness } from '../domain/evidence/readiness.js';
import { STAND_IN_MARK, standInVersion } from '../domain/stand-ins.js';
import type { Lane } from '../domain/vocabulary.js';
import { packageRoot } from '../exec/files/package-root.js';
import { findExecutable } from '../exec/find-executable.js';
import type { Backend } from './backend.js';
import { type ProbeOptions, probeBackend, probeProgram } from './probe.js';

/** Checks whether a backend is ready in a lane; if not, says why and what to do. */
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

/** The real CLI must be installed, but needs no login, because it asks our server. */
async function assessScripted(backend: Backend, options: ProbeOptions): Promise<Readiness> {
  const { scripted } = backend;
  if (!scripted.possible) return { ...nothingKnown(backend), reason: scripted.reason, fix: 'use --lane sim' };
  const found = await probeProgram(backend, options);
  if (!found.ready) return found;
  if (found.version?.includes(STAND_IN_MARK)) {
    const reason = `the ${backend.command} on PATH is our stand-in; this lane needs the real CLI`;
    return { ...found, ready: false, reason, fix: backend.installHint };
  }
  return {
    ...found,
    authentication: { authenticated: true, source: 'scripted model', detail: 'needs no login' },
  };
}

/** Returns the folder to put first on PATH, so that Ralph finds our stand-ins under the names of the real CLIs. */
export function standInFolder(): string {
  return join(packageRoot(), 'dist', 'agent', 'bin');
}

/** Reports on our own stand-in, whose version is known without starting it. */
function assessStandIn(backend: Backend): Readiness {
  const path = join(standInFolder(), backend.command);
  if (findExecutable(path, undefined) === null) {
    return {
      ...nothingKnown(backend),
      reason: `the stand-in for ${backend.command} is missing at ${path}`,
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
