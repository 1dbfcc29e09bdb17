import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Launch, Site } from './launch.js';

/** The folders of an overlay: what is written to the place inside stays in `upper`, and the machine never sees it. */
export interface Layer {
  readonly upper: string;
  readonly work: string;
  /** Where both are put together, before a sandbox takes it. */
  readonly merged: string;
}

/** A place inside: a place of this machine, with a layer over it or without, or nothing. */
export type Mount =
  | {
      readonly path: string;
      readonly mode: 'read-only' | 'read-write' | 'empty-folder' | 'empty-file';
      /** The place of this machine, where it is not the same path. */
      readonly source?: string;
    }
  | { readonly path: string; readonly mode: 'layered'; readonly layer: Layer };

/**
 * Places where other programs of this machine listen on sockets or leave files: a connection to a socket is no write, so
 * read-only would not close them. Inside they are empty, and what is written there goes with the sandbox.
 */
const CLOSED_PLACES = ['/tmp', '/var/tmp', '/run'];

/**
 * What logs people in, by its path in their home, besides the logins of agent CLIs. The rest of the home can be read:
 * programs are installed there.
 */
const SECRETS =
  `
  .ssh .gnupg .aws .azure .kube .docker .config/gcloud .config/gh .config/git/credentials .netrc .git-credentials
  .npmrc .pypirc .cargo/credentials.toml .bash_history .zsh_history
`.match(/\S+/g) ?? [];

/** Everything that differs inside from this machine, in the order in which it must be laid out. */
export function planMounts(
  site: Site,
  host: {
    readonly home: string | undefined;
    /** The logins of agent CLIs, by their path in the home. */
    readonly logins: readonly string[];
    readonly programs: readonly string[];
    /** Whether the rest of the machine is there, read-only; if not, programs are laid out one by one. */
    readonly rest: boolean;
    readonly exchange: { readonly folder: string; readonly resolverFile: string };
    /** Where writes outside are to be seen. */
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

/** One for each place, the last that was named; what lies deeper comes later, or the place above would cover it. */
export function orderMounts(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  const ordered = [...byPath.values()].sort((a, b) => depth(a.path) - depth(b.path));
  return ordered.filter((mount) => mount.mode !== 'layered' || above(mount, ordered)?.mode !== 'layered');
}

/** The place that shows this one already: a layer below a layer costs time and shows nothing more. */
function above({ path }: Mount, ordered: readonly Mount[]): Mount | undefined {
  return ordered.findLast((other) => isBelow(path, other.path));
}

/** The folders without which a program does not run: its own, and those on its PATH with what they link to. */
export function programFolders(launch: Pick<Launch, 'command' | 'env'>, more: readonly string[]): string[] {
  const named = [...(launch.env.PATH ?? '').split(':'), ...more]
    .filter((folder) => isAbsolute(folder) && existsSync(folder))
    .map(installationOf);
  const own = isAbsolute(launch.command) && existsSync(launch.command) ? [launch.command] : [];
  const folders = [...named, ...own.flatMap((path) => [dirname(path), dirname(realpathSync(path))])];
  return [...new Set(folders)].filter((folder) => folder !== '/');
}

/** `…/bin` is one part of an installation, and the links in it lead to the others. */
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

/** The real place of the file: a link to a closed place would lead nowhere. Without one, programs ask 127.0.0.1. */
function resolver(source: string): Mount[] {
  if (!existsSync('/etc/resolv.conf')) return [];
  return [{ path: realpathSync('/etc/resolv.conf'), mode: 'read-only', source }];
}

/** Folders that sandboxes fill themselves, or that hold no files. */
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
