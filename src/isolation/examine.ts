import type { Isolation } from '../domain/evidence/isolation.js';
import { probeBwrap } from './bwrap/bwrap.js';
import { probeDocker } from './docker/engine.js';
import type { IsolationHealth } from './launch.js';

/** What `doctor` reports about one kind of isolation. */
export interface IsolationFinding {
  readonly kind: Isolation;
  readonly health: IsolationHealth;
}

/** Finds out which kinds of isolation work on this machine. */
export async function examineIsolations(
  env: Readonly<Record<string, string | undefined>>,
): Promise<IsolationFinding[]> {
  const [bwrap, docker] = await Promise.all([probeBwrap(env.PATH), probeDocker(env)]);
  return [
    { kind: 'host', health: HOST },
    { kind: 'bwrap', health: bwrap },
    { kind: 'docker', health: docker.ok ? { ok: true, detail: docker.detail } : docker },
  ];
}

const HOST: IsolationHealth = {
  ok: true,
  detail: 'own process tree and repository, private home in offline lanes; files and network are open',
};
