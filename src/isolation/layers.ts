import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stopped } from '../domain/evidence/isolation.js';
import { openExchangeFolder } from './exchange.js';
import type { Layer, Mount } from './mounts.js';

/** Layers over the folders of this machine that one start can see. */
export interface Layers {
  /** A layer over the folder, or read-only where there can be none. */
  readonly cover: (path: string) => Mount;
  /** What was written so far. */
  readonly written: () => Written[];
  readonly close: () => Promise<void>;
}

/** A write outside, which no program can hide: the file lies in the layer. */
export interface Written {
  readonly path: string;
  readonly how: 'created' | 'changed' | 'deleted';
}

const MAX_WRITTEN = 50;

/** Caches that Python makes beside whatever it imports: no try to get out. */
const UNASKED = new Set(['__pycache__']);

/** Opens layers; the folders of each are made when it is asked for. */
export async function openLayers(): Promise<Layers> {
  const folder = await openExchangeFolder();
  const mounts = readMountPoints();
  const covered = new Map<string, Layer>();
  return {
    cover: (path) => {
      if (!canBeCovered(path, mounts)) return { path, mode: 'read-only' };
      const layer = covered.get(path) ?? makeLayer(join(folder, `${covered.size}`), path);
      covered.set(path, layer);
      return { path, mode: 'layered', layer };
    },
    written: () =>
      [...covered].flatMap(([path, { upper }]) => listWritten(upper, path)).slice(0, MAX_WRITTEN),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** What was written, in the words of the report. */
export function describeWritten(written: readonly Written[]): Stopped[] {
  return written.map(({ path, how }) => ({ kind: 'write', message: path, from: how }));
}

/** The options of `mount -t overlay`. */
export function overlayOptions(path: string, { upper, work }: Layer): string {
  return `lowerdir=${path},upperdir=${upper},workdir=${work}`;
}

/**
 * An overlay shows one file system: what is mounted below the folder would be missing in it. Commas and colons have a
 * meaning in its options.
 */
function canBeCovered(path: string, mounts: readonly string[]): boolean {
  return (
    !/[,:\\"]/.test(path) && !mounts.some((mount) => isBelow(mount, path)) && statSync(path).isDirectory()
  );
}

function isBelow(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder === '/' ? folder : `${folder}/`);
}

function readMountPoints(): string[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '');
}

/** The place inside has the owner and the mode of the upper folder, so that one is made like the folder below. */
function makeLayer(folder: string, path: string): Layer {
  const layer = { upper: join(folder, 'upper'), work: join(folder, 'work'), merged: join(folder, 'merged') };
  const { uid, gid, mode } = statSync(path);
  for (const part of [folder, layer.work, layer.merged]) mkdirSync(part);
  mkdirSync(layer.upper);
  chownSync(layer.upper, uid, gid);
  chmodSync(layer.upper, mode & 0o7777);
  return layer;
}

/** An overlay marks what was deleted by a device without a number; folders that were there before only lead further. */
function listWritten(upper: string, lower: string): Written[] {
  return readdirSync(upper)
    .sort()
    .filter((name) => !UNASKED.has(name))
    .flatMap((name): Written[] => {
      const [above, path] = [join(upper, name), join(lower, name)];
      const stat = lstatSync(above);
      if (stat.isCharacterDevice()) return [{ path, how: 'deleted' }];
      if (!existsSync(path)) return [{ path, how: 'created' }];
      return stat.isDirectory() ? listWritten(above, path) : [{ path, how: 'changed' }];
    });
}
