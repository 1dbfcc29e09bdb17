import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { packageRoot } from '../../exec/files/package-root.js';
import type { Launch } from '../launch.js';
import { isOfSystem, listOrNone } from './system.js';

/** Where not to mount a whole folder for the sake of one program in it. */
export interface ProgramSurroundings {
  readonly home: string | undefined;
  /** The folders around the workspace. */
  readonly around: readonly string[];
}

/** Folders in a home that many programs share. `.docker/bin` is a folder of programs next to a login. */
const SHARED = '.local .local/share .config .cache .docker .ssh .aws .azure .kube .gnupg Library'.split(' ');

/** Parts of an installation, next to its `bin`. */
const PARTS = ['lib', 'lib64', 'libexec'];
const MAX_LINKS = 5_000;

/**
 * Lists what programs need outside the system folders: those on PATH with what they link to, the program itself, Node,
 * and ralph-e2e. The rest of a home is not theirs.
 */
export function programPlaces(
  launch: Pick<Launch, 'command' | 'env'>,
  more: readonly string[],
  surroundings: ProgramSurroundings,
): string[] {
  const folders = (launch.env.PATH ?? '')
    .split(':')
    .filter((folder) => isAbsolute(folder) && existsSync(folder));
  const files = [launch.command, process.execPath, ...more].filter(
    (file) => isAbsolute(file) && existsSync(file),
  );
  const places = [
    ...folders.flatMap((folder) => placesOf(resolve(folder), surroundings)),
    ...folders.flatMap(linkedFrom).flatMap((file) => placesOfFile(file, surroundings)),
    ...files
      .flatMap((file) => [file, realpathSync(file)])
      .flatMap((file) => placesOfFile(file, surroundings)),
    ...ownPlaces(),
  ];
  return [...new Set(places)].filter((place) => place !== '/' && !isOfSystem(place));
}

/** Returns the parent of `…/bin`: it is only one part of an installation, and its links lead to the others. */
function placesOf(folder: string, surroundings: ProgramSurroundings): string[] {
  if (!['bin', '.bin'].includes(basename(folder))) return isShared(folder, surroundings) ? [] : [folder];
  const installation = dirname(folder);
  if (!isShared(installation, surroundings)) return [installation];
  return [folder, ...PARTS.map((part) => join(installation, part)).filter((part) => existsSync(part))];
}

/** Returns what belongs to a program: its packages, its installation, or the folder that it is in. */
function placesOfFile(file: string, surroundings: ProgramSurroundings): string[] {
  const packages = /^.*?\/node_modules(?=\/)/.exec(file)?.[0];
  if (packages !== undefined) return [packages];
  const folder = dirname(file);
  if (basename(folder) === 'bin') return placesOf(folder, surroundings);
  return [isShared(folder, surroundings) ? file : folder];
}

/** Whether a folder also holds what is none of a program's business. */
function isShared(folder: string, { home, around }: ProgramSurroundings): boolean {
  const contains = (path: string) => folder === '/' || path === folder || path.startsWith(`${folder}/`);
  if (around.some(contains)) return true;
  return home !== undefined && (contains(home) || SHARED.some((name) => folder === join(home, name)));
}

/** Lists the files that links in a folder lead to, outside of the system folders. */
function linkedFrom(folder: string): string[] {
  return listOrNone(() => readdirSync(folder, { withFileTypes: true }))
    .filter((entry) => entry.isSymbolicLink())
    .slice(0, MAX_LINKS)
    .map(({ name }) => join(folder, name))
    .filter((link) => !isOfSystem(resolve(folder, readlinkSync(link))) && existsSync(link))
    .map((link) => realpathSync(link));
}

/** Lists the parts of ralph-e2e that run inside. A checkout also holds what is nobody's business. */
function ownPlaces(): string[] {
  const root = packageRoot();
  const packages = /^.*?\/node_modules(?=\/)/.exec(root)?.[0];
  if (packages !== undefined) return [packages];
  return ['package.json', 'dist', 'node_modules']
    .map((name) => join(root, name))
    .filter((path) => existsSync(path));
}
