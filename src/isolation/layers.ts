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
import { join } from 'node:path';
import type { Stopped } from '../domain/evidence/isolation.js';
import { removeTree } from '../exec/files/remove-tree.js';
import { openExchangeFolder } from './exchange.js';
import type { Layer, Mount } from './places/mount.js';

/** Layers over the folders of this machine for one launch. */
export interface Layers {
  /** Covers a folder with a layer, or makes it read-only if that is not possible. */
  readonly cover: (path: string) => Mount;
  /** Puts an empty folder in the place of a folder, to record what is written there. */
  readonly blank: (path: string) => Mount;
  /** Lists what was written so far, except what the mounts themselves needed. */
  readonly written: (mounts?: readonly Mount[]) => Written[];
  readonly close: () => Promise<void>;
}

/** A write outside. No program can hide it: the file is in the layer. */
export interface Written {
  readonly path: string;
  readonly how: 'created' | 'changed' | 'deleted';
}

const MAX_WRITTEN = 50;
const SLASH = Buffer.from('/');

/** Caches that Python writes next to everything it imports. They do not count as writes outside. */
const UNASKED = new Set(['__pycache__']);

/** Opens layers. The folders of each layer are created when it is used. */
export async function openLayers(): Promise<Layers> {
  const folder = await openExchangeFolder();
  const mounts = readMountPoints();
  const covered = new Map<string, Layer>();
  const layerFor = (path: string) => {
    const layer = covered.get(path) ?? makeLayer(join(folder, `${covered.size}`), path);
    covered.set(path, layer);
    return layer;
  };
  return {
    cover: (path) => {
      if (!canBeCovered(path, mounts)) return { path, mode: 'read-only' };
      return { path, mode: 'layered', layer: layerFor(path) };
    },
    blank: (path) => ({ path, mode: 'read-write', source: layerFor(path).upper }),
    written: (used = []) => {
      const points = new Set(used.map(({ path }) => path));
      return [...covered]
        .flatMap(([path, { upper }]) => listWritten(Buffer.from(upper), Buffer.from(path), points))
        .slice(0, MAX_WRITTEN);
    },
    close: () => removeTree(folder),
  };
}

/** Turns writes into evidence. */
export function describeWritten(written: readonly Written[]): Stopped[] {
  return written.map(({ path, how }) => ({ kind: 'write', message: path, from: how }));
}

/** Builds the options of `mount -t overlay`. */
export function overlayOptions(path: string, { upper, work }: Layer): string {
  return `lowerdir=${path},upperdir=${upper},workdir=${work}`;
}

/**
 * Whether an overlay can cover a folder. It shows only one file system: anything mounted below the folder would be
 * missing. Commas and colons have a special meaning in its options.
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

/** Creates the folders of a layer. Programs see the owner and mode of the upper folder, so it copies the lower one's. */
function makeLayer(folder: string, path: string): Layer {
  const layer = { upper: join(folder, 'upper'), work: join(folder, 'work'), merged: join(folder, 'merged') };
  const { uid, gid, mode } = statSync(path);
  for (const part of [folder, layer.work, layer.merged]) mkdirSync(part);
  mkdirSync(layer.upper);
  chownSync(layer.upper, uid, gid);
  chmodSync(layer.upper, mode & 0o7777);
  return layer;
}

/**
 * Lists what was written. An overlay marks a deleted file by a device without a number; existing folders are searched.
 * Names are bytes, and not all UTF-8.
 */
function listWritten(upper: Buffer, lower: Buffer, points: ReadonlySet<string>): Written[] {
  return readdirSync(upper, 'buffer')
    .sort((a, b) => a.compare(b))
    .filter((name) => !UNASKED.has(name.toString()))
    .flatMap((name): Written[] => {
      const above = Buffer.concat([upper, SLASH, name]);
      const below = Buffer.concat([lower, SLASH, name]);
      const path = below.toString();
      if (points.has(path)) return [];
      const stat = lstatSync(above);
      if (stat.isCharacterDevice()) return [{ path, how: 'deleted' }];
      if (!existsSync(below)) return [{ path, how: 'created' }];
      return stat.isDirectory() ? listWritten(above, below, points) : [{ path, how: 'changed' }];
    });
}
