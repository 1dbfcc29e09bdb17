import { randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import type { ContainerScope } from '../../domain/evidence/isolation.js';
import { openExchangeFolder, writeResolver } from '../exchange.js';
import type { Enclosure, Launch, RunPlace, Site } from '../launch.js';
import { describeWritten, type Layers, openLayers } from '../layers.js';
import { orderMounts, planMounts } from '../mounts.js';
import { hiddenSockets } from '../places/hidden.js';
import type { Mount } from '../places/mount.js';
import { programPlaces } from '../places/programs.js';
import { openSandbox } from '../sandbox.js';
import { containerArgs, FOLDER_LABEL, programArgs } from './args.js';
import { callOptions } from './call-profile.js';
import { checkContainers, HEALTH_MS } from './check-containers.js';
import { type Engine, lastLine, probeDocker } from './engine.js';
import { IMAGE, provideImage } from './image.js';

/** The user of this machine. */
interface User {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where agent CLIs keep their logins, relative to the home. */
  readonly logins: readonly string[];
}

/** Finds an engine and checks that our container can run Node; throws if not. */
export async function prepareDocker({
  scope,
  ...user
}: User & { readonly scope: ContainerScope }): Promise<(place: RunPlace) => Promise<Enclosure>> {
  const health = await probeDocker(user.env);
  if (!health.ok) throw new KnownError(`--isolation docker: ${health.detail}.`, { hint: health.fix });
  const { engine } = health;
  await provideImage(engine);
  const layered = await checkContainers(engine);
  return async (place) => {
    await removeContainers(engine, place.folder);
    return scope === 'per-test' ? perTest(engine, place, user, layered) : perSuite(engine, place, user);
  };
}

/** Uses a container for each launch: it ends with the program. */
async function perTest(engine: Engine, place: RunPlace, user: User, layered: boolean): Promise<Enclosure> {
  const { folder } = place;
  const own = await openExchangeFolder();
  const calls = await callOptions(engine, own);
  return {
    kind: 'docker',
    open: (site) => {
      const names: string[] = [];
      const starts: { readonly layers: Layers; readonly mounts: readonly Mount[] }[] = [];
      return openSandbox(site, {
        kind: 'docker',
        passSignals: true,
        wrap: async (warden, exchange, program) => {
          const name = `ralph-e2e-${randomUUID()}`;
          names.push(name);
          const layers = layered ? await openLayers() : undefined;
          const around = [...(site.around ?? []), folder];
          const programs = programPlaces(program, [place.program], { home: user.env.HOME, around });
          const mounts = planMounts(site, { ...homeOf(user), programs, exchange, layers });
          if (layers !== undefined) starts.push({ layers, mounts });
          const container = containerArgs({ name, folder, mounts });
          return callDocker(engine, warden, [
            'run',
            '--rm',
            '--interactive',
            ...calls,
            ...container,
            ...programArgs(warden),
            IMAGE,
          ]);
        },
        written: () => starts.flatMap(({ layers, mounts }) => describeWritten(layers.written(mounts))),
        close: async () => {
          // Ended containers are gone, but one whose client was killed may still run.
          if (names.length > 0) await engine.call(['rm', '--force', '--volumes', ...names]);
          await Promise.all(starts.map(({ layers }) => layers.close()));
        },
      });
    },
    close: () => rm(own, { recursive: true, force: true }),
  };
}

/**
 * Uses one container for the whole run, one attempt at a time, so that everything that is seen belongs to one attempt.
 * It has no layers: the next attempt would read or run what the previous one wrote into them. An attempt that must read
 * something else, such as the folder of a plugin, gets a new container with that.
 */
async function perSuite(engine: Engine, place: RunPlace, user: User): Promise<Enclosure> {
  const exchanges = await openExchangeFolder();
  const resolverFile = await writeResolver(exchanges);
  const exchange = { folder: exchanges, resolverFile };
  let container = await startShared(engine, place, user, exchange, []);
  let turn: Promise<void> = Promise.resolve();
  return {
    kind: 'docker',
    open: async (attempt) => {
      const before = turn;
      let done = () => {};
      turn = new Promise((resolve) => {
        done = resolve;
      });
      await before;
      const missing = attempt.readable.filter((path) => !container.shows(path));
      if (missing.length > 0) {
        await engine.call(['rm', '--force', '--volumes', container.name]);
        container = await startShared(engine, place, user, exchange, [...container.readable, ...missing]);
      }
      const { name } = container;
      return openSandbox(attempt, {
        kind: 'docker',
        passSignals: false,
        place: exchanges,
        wrap: (warden) => callDocker(engine, warden, ['exec', '--interactive', ...programArgs(warden), name]),
        close: async () => {
          // Kills everything except the first process and this one.
          await engine.call(['exec', name, '/bin/sh', '-c', 'kill -9 -1']);
          done();
        },
      });
    },
    close: async () => {
      await engine.call(['rm', '--force', '--volumes', container.name]);
      await rm(exchanges, { recursive: true, force: true });
    },
  };
}

/** Starts the container for the whole run. */
async function startShared(
  engine: Engine,
  { folder, run, journal, program }: RunPlace,
  user: User,
  exchange: { readonly folder: string; readonly resolverFile: string },
  readable: readonly string[],
) {
  const name = `ralph-e2e-${randomUUID()}`;
  const launch = { command: program, env: { PATH: user.env.PATH ?? '' } };
  const around = [dirname(folder), folder];
  const programs = programPlaces(launch, [], { home: user.env.HOME, around });
  const site: Site = { folders: [folder, run], files: [], readable, around, ports: [] };
  // The marks of the folder say what we may delete and who holds it.
  const marks = (await readdir(folder))
    .filter((name) => name.startsWith('.'))
    .map((name) => join(folder, name));
  const protectedPlaces = [dirname(run), journal, ...marks.filter((path) => !lstatSync(path).isSocket())].map(
    (path): Mount => ({ path, mode: 'read-only' }),
  );
  const planned = planMounts(site, { ...homeOf(user), programs, exchange });
  const args = containerArgs({
    name,
    folder,
    mounts: orderMounts([...planned, ...protectedPlaces, ...hiddenSockets(folder)]),
  });
  const calls = await callOptions(engine, exchange.folder);
  const started = await engine.call(
    ['run', '--detach', ...calls, ...args, IMAGE, 'sleep', 'infinity'],
    HEALTH_MS,
  );
  if (!started.ok) throw new KnownError(`The container did not start: ${lastLine(started.stderr)}.`);
  const shown = [folder, run, ...readable];
  const shows = (path: string) => shown.some((place) => path === place || path.startsWith(`${place}/`));
  return { name, readable, shows };
}

function homeOf({ env, logins }: User) {
  return { home: env.HOME, logins };
}

/** Builds a launch of the client, with its own variables and those that it passes on by name. */
function callDocker(engine: Engine, warden: Launch, args: readonly string[]): Launch {
  return {
    command: engine.program,
    args: [...args, warden.command, ...warden.args],
    cwd: warden.cwd,
    env: { ...warden.env, ...clientOnly(engine) },
  };
}

/** Returns the variables for the client only. PATH is for the program: the client is started by its full path. */
function clientOnly({ env }: Engine): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('DOCKER_')));
}

/** Removes the containers that a killed run left for this folder. We hold the folder, so no other run uses them. */
async function removeContainers(engine: Engine, folder: string): Promise<void> {
  const found = await engine.call(['ps', '--all', '--quiet', '--filter', `label=${FOLDER_LABEL}=${folder}`]);
  const ids = found.stdout.split('\n').filter((id) => id !== '');
  if (ids.length > 0) await engine.call(['rm', '--force', '--volumes', ...ids]);
}
