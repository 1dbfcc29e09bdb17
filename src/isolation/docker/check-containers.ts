import { randomUUID } from 'node:crypto';
import { KnownError } from '../../domain/common/known-error.js';
import { type Layers, openLayers } from '../layers.js';
import { orderMounts } from '../mounts.js';
import type { Mount } from '../places/mount.js';
import { programPlaces } from '../places/programs.js';
import { systemFolders } from '../places/system.js';
import { containerArgs } from './args.js';
import { type Engine, lastLine } from './engine.js';
import { IMAGE } from './image.js';

/** How long it may take until a program runs in a container. */
export const HEALTH_MS = 30_000;

/**
 * Checks within the time limit that a container runs Node, and returns whether it can have layers. Only root gets them:
 * only root could remove files of other owners afterwards.
 */
export async function checkContainers(engine: Engine, limitMs = HEALTH_MS): Promise<boolean> {
  const until = Date.now() + limitMs;
  if (process.getuid?.() === 0) {
    const layers = await openLayers();
    const { healthy, answer } = await runNode(engine, limitMs, layers);
    await layers.close();
    if (healthy) return true;
    // An engine that does not answer would not answer without layers either.
    if (answer.timedOut) throw notHealthy(`no answer within ${limitMs / 1000} s`);
  }
  const { healthy, answer } = await runNode(engine, Math.max(1, until - Date.now()));
  if (healthy) return false;
  throw notHealthy(answer.timedOut ? `no answer within ${limitMs / 1000} s` : lastLine(answer.stderr));
}

function notHealthy(why: string): KnownError {
  return new KnownError(`--isolation docker: a container cannot run Node: ${why}.`, {
    hint: 'Check `docker info`. `ralph-e2e doctor` shows the other kinds of isolation.',
  });
}

async function runNode(engine: Engine, limitMs: number, layers?: Layers) {
  const name = `ralph-e2e-${randomUUID()}`;
  const cover = layers?.cover ?? ((path: string): Mount => ({ path, mode: 'read-only' }));
  const places = programPlaces({ command: process.execPath, env: {} }, [], { home: undefined, around: [] });
  const mounts = orderMounts([...systemFolders(), ...places].map(cover));
  const container = containerArgs({ name, folder: 'health-check', mounts });
  const args = ['run', '--rm', ...container, IMAGE, process.execPath, '--version'];
  const answer = await engine.call(args, limitMs);
  const healthy = answer.ok && answer.stdout.trim() === process.version;
  if (!healthy) await engine.call(['rm', '--force', '--volumes', name]);
  return { healthy, answer };
}
