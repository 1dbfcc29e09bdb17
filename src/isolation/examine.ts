import type { Isolation } from '../domain/evidence/isolation.js';
import { probeBwrap } from './bwrap/bwrap.js';
import { probeDocker } from './docker/engine.js';
import type { IsolationHealth } from './health.js';

/** What `doctor` says of one kind of isolation. */
export interface IsolationFinding {
  readonly kind: Isolation;
  readonly health: IsolationHealth;
}

/** Which kinds of isolation work on this machine. */
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
  detail: 'process tree, private home in offline lanes, a repository of its own; files and network are open',
};
