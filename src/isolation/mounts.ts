import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Launch, Site } from './launch.js';

/** The folders of an overlay. What is written inside stays in `upper`, and the machine never sees it. */
export interface Layer {
  readonly upper: string;
  readonly work: string;
  /** Where both are merged, before a sandbox uses it. */
  readonly merged: string;
}

/** A path inside: a path of this machine, with or without a layer over it, or something empty. */
export type Mount =
  | {
      readonly path: string;
      readonly mode: 'read-only' | 'read-write' | 'empty-folder' | 'empty-file';
      /** The path on this machine, if it differs. */
      readonly source?: string;
    }
  | { readonly path: string; readonly mode: 'layered'; readonly layer: Layer };

/**
 * Places where other programs of this machine listen on sockets or leave files. Read-only would not close them, because
 * connecting to a socket is not a write. Inside they are empty, and what is written there is removed with the sandbox.
 */
const CLOSED_PLACES = ['/tmp', '/var/tmp', '/run'];

/**
 * Credentials of the user, relative to the home, in addition to the logins of agent CLIs. The rest of the home can be
 * read: programs are installed there.
 */
const SECRETS =
  `
  .ssh .gnupg .aws .azure .kube .docker .config/gcloud .config/gh .config/git/credentials .netrc .git-credentials
  .npmrc .pypirc .cargo/credentials.toml .bash_history .zsh_history
`.match(/\S+/g) ?? [];

/** Lists everything that differs inside from this machine, in the order in which it must be mounted. */
export function planMounts(
  site: Site,
  host: {
    readonly home: string | undefined;
    /** The logins of agent CLIs, relative to the home. */
    readonly logins: readonly string[];
    readonly programs: readonly string[];
    /** Whether the rest of the machine is visible, read-only. If not, programs are mounted one by one. */
    readonly rest: boolean;
    readonly exchange: { readonly folder: string; readonly resolverFile: string };
    /** Set if writes outside should be recorded. */
    readonly layers?: { readonly cover: (path: string) => Mount } | undefined;
  },
): Mount[] {
  const closed = CLOSED_PLACES.filter(isRealFolder);
  const asked = [...host.programs, ...site.readable].filter((path) => path !== '/' && !closed.includes(path));
  const laidOut = host.rest ? asked.filter((path) => closed.some((place) => isBelow(path, place))) : asked;
  const secrets = secretsIn(host.home, host.logins).filter(
    ({ path }) => host.rest || laidOut.some((folder) => isBelow(path, folder)),
  );
  const cover = host.layers?.cover ?? readOnly;
  const layered = host.rest && host.layers !== undefined ? topFolders().map(cover) : [];
  const mounts: Mount[] = [
    ...layered.filter(({ mode }) => mode === 'layered'),
    ...closed.map((path): Mount => ({ path, mode: 'empty-folder' })),
    ...laidOut.map((path) => (isRealFolder(path) ? cover(path) : readOnly(path))),
    ...secrets,
    readOnly(host.exchange.folder),
    ...resolver(host.exchange.resolverFile),
    ...[...site.folders, ...site.files].map((path): Mount => ({ path, mode: 'read-write' })),
  ];
  return orderMounts(mounts);
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

/** Lists the folders that a program needs to run: its own, and those on its PATH with what they link to. */
export function programFolders(launch: Pick<Launch, 'command' | 'env'>, more: readonly string[]): string[] {
  const named = [...(launch.env.PATH ?? '').split(':'), ...more]
    .filter((folder) => isAbsolute(folder) && existsSync(folder))
    .map(installationOf);
  const own = isAbsolute(launch.command) && existsSync(launch.command) ? [launch.command] : [];
  const folders = [...named, ...own.flatMap((path) => [dirname(path), dirname(realpathSync(path))])];
  return [...new Set(folders)].filter((folder) => folder !== '/');
}

/** Returns the parent of `…/bin`: it is only one part of an installation, and its links lead to the others. */
function installationOf(folder: string): string {
  return ['bin', '.bin'].includes(basename(folder)) ? dirname(folder) : folder;
}

function secretsIn(home: string | undefined, logins: readonly string[]): Mount[] {
  if (home === undefined || !isAbsolute(home)) return [];
  return [...SECRETS, ...logins]
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
    .filter((path) => !OWN.includes(path) && isRealFolder(path));
}

function readOnly(path: string): Mount {
  return { path, mode: 'read-only' };
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
