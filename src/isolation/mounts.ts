import { existsSync, lstatSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { makeFolderSync } from '../exec/files/make-folder.js';
import type { Site } from './launch.js';
import { hiddenAmongPrograms, hiddenListeners, hiddenSockets } from './places/hidden.js';
import type { Mount } from './places/mount.js';
import { isOfSystem, privateParts, systemFolders } from './places/system.js';

/**
 * Where every program may write temporary files, and where other programs of this machine listen on sockets. Inside they
 * are empty, and what is written there is removed with the sandbox.
 */
const CLOSED_PLACES = ['/tmp', '/var/tmp', '/run'];

/** The user of this machine, and what programs need. */
interface Host {
  readonly home: string | undefined;
  /** The logins of agent CLIs, relative to the home. */
  readonly logins: readonly string[];
  /** Folders and files outside the system folders. */
  readonly programs: readonly string[];
  readonly exchange: { readonly folder: string; readonly resolverFile: string };
  /** Set if writes outside should be recorded. */
  readonly layers?:
    | { readonly cover: (path: string) => Mount; readonly blank: (path: string) => Mount }
    | undefined;
}

/**
 * Lists everything that is inside, in the order in which it must be mounted. What is not listed is missing: the home of
 * the user, other projects, other tests.
 */
export function planMounts(site: Site, host: Host): Mount[] {
  const closed = CLOSED_PLACES.filter(isRealFolder);
  const visible = (path: string) => existsSync(path) && path !== '/' && !closed.includes(path);
  const programs = host.programs.filter(visible);
  const readable = site.readable.filter(visible);
  const cover = (path: string) =>
    isRealFolder(path) ? (host.layers?.cover(path) ?? readOnly(path)) : readOnly(path);
  const mounts: Mount[] = [
    ...blanks(site, host, closed),
    ...systemFolders().map((path) => host.layers?.cover(path) ?? readOnly(path)),
    ...privateParts(),
    ...closed.map((path): Mount => ({ path, mode: 'empty-folder' })),
    ...[...programs, ...readable].map(cover),
    ...programs.filter((path) => isInHome(path, host) && isRealFolder(path)).flatMap(hiddenAmongPrograms),
    ...loginsIn(host).filter(({ path }) =>
      [...programs, ...readable].some((folder) => isBelow(path, folder)),
    ),
    ...readable.filter(isRealFolder).flatMap(hiddenSockets),
    ...hiddenListeners([...systemFolders(), ...programs, ...readable]),
    readOnly(host.exchange.folder),
    ...resolver(host.exchange.resolverFile),
    ...[...site.folders, ...site.files].map((path): Mount => ({ path, mode: 'read-write' })),
  ];
  return orderMounts([...hollows(site, host, closed, mounts), ...mounts]);
}

/** Lists read-only folders around a workspace in a closed place, if writes are not recorded. */
function hollows(
  site: Site,
  { layers, exchange }: Host,
  closed: readonly string[],
  mounts: readonly Mount[],
): Mount[] {
  if (layers !== undefined) return [];
  const inClosed = (site.around ?? []).filter((path) => closed.some((place) => isBelow(path, place)));
  const outermost = inClosed.filter((path) => !inClosed.some((other) => isBelow(path, other)));
  return hollowFolders(outermost, mounts, exchange.folder);
}

/**
 * Lists empty folders in which writes are recorded: where the rest of the machine would be, and around the workspace.
 * Without layers these places are missing, and a write to them fails.
 */
function blanks(site: Site, { layers }: Host, closed: readonly string[]): Mount[] {
  if (layers === undefined) return [];
  const around = (site.around ?? []).filter(
    (path) => path !== '/' && !closed.includes(path) && !isOfSystem(path),
  );
  return [...topFolders(), ...around.filter(isRealFolder)].map((path) => layers.blank(path));
}

/** Keeps the last mount for each path. Deeper paths come later; otherwise the path above would cover them. */
export function orderMounts(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  const ordered = [...byPath.values()].sort((a, b) => depth(a.path) - depth(b.path));
  return ordered.filter((mount) => mount.mode !== 'layered' || above(mount, ordered)?.mode !== 'layered');
}

/** Finds the mount above this one: a layer below a layer costs time and shows nothing more. */
function above({ path }: Mount, ordered: readonly Mount[]): Mount | undefined {
  return ordered.findLast((other) => isBelow(path, other.path));
}

function loginsIn({ home, logins }: Host): Mount[] {
  if (home === undefined || !isAbsolute(home)) return [];
  return logins
    .map((name) => join(home, name))
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
    .map((path) => ({ path, mode: statSync(path).isDirectory() ? 'empty-folder' : 'empty-file' }));
}

/** Mounts the resolver file at its real path: a link to a closed place would dangle. Without it, programs ask 127.0.0.1. */
function resolver(source: string): Mount[] {
  if (!existsSync('/etc/resolv.conf')) return [];
  return [{ path: realpathSync('/etc/resolv.conf'), mode: 'read-only', source }];
}

/** Folders that sandboxes fill themselves, or that contain no files. */
const OWN = ['/dev', '/proc', '/sys', '/lost+found', ...CLOSED_PLACES];

function topFolders(): string[] {
  return readdirSync('/')
    .sort()
    .map((name) => `/${name}`)
    .filter((path) => !OWN.includes(path) && !isOfSystem(path) && isRealFolder(path));
}

function readOnly(path: string): Mount {
  return { path, mode: 'read-only' };
}

function isInHome(path: string, { home }: Host): boolean {
  return home !== undefined && isBelow(path, home);
}

function isRealFolder(path: string): boolean {
  return existsSync(path) && lstatSync(path).isDirectory();
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

function depth(path: string): number {
  return path.split('/').filter((part) => part !== '').length;
}

/**
 * Makes read-only folders that contain only the places where something is mounted. Around a workspace in a folder for
 * temporary files they make a write fail, which would otherwise succeed unseen.
 */
function hollowFolders(paths: readonly string[], mounts: readonly Mount[], aside: string): Mount[] {
  return paths.map((path, index) => {
    const source = join(aside, `around-${index}`);
    makeFolderSync(source);
    for (const below of mounts.filter((mount) => mount.path.startsWith(`${path}/`))) {
      const point = join(source, relative(path, below.path));
      const isFolder = below.mode === 'empty-folder' || willBeFolder(below.path);
      makeFolderSync(isFolder ? point : dirname(point));
      if (!isFolder) writeFileSync(point, '');
    }
    return { path, mode: 'read-only', source };
  });
}

/** Whether it is or will be a folder: a workspace is made after its sandbox. */
function willBeFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
}
