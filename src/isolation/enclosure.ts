import { rm } from 'node:fs/promises';
import { KnownError } from '../domain/common/known-error.js';
import type { ContainerScope, Isolation } from '../domain/evidence/isolation.js';
import type { Lane } from '../domain/vocabulary.js';
import { bwrapLaunch, probeBwrap } from './bwrap/bwrap.js';
import { writeCallFilter } from './bwrap/call-filter.js';
import { findOverlayTools, withOverlays } from './bwrap/overlay-launch.js';
import { prepareDocker } from './docker/docker.js';
import { openExchangeFolder, sweepExchanges } from './exchange.js';
import type { Enclosure, RunPlace } from './launch.js';
import { describeWritten, type Layers, openLayers } from './layers.js';
import { planMounts } from './mounts.js';
import type { Mount } from './places/mount.js';
import { programPlaces } from './places/programs.js';
import { openSandbox } from './sandbox.js';

export interface EnclosureOptions {
  readonly isolation?: Isolation;
  readonly container?: ContainerScope | null;
  readonly lane: Lane;
  /** The user's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where agent CLIs keep their logins in the user's home. Programs inside must not read them. */
  readonly logins: readonly string[];
}

/**
 * Checks that the requested isolation works, and throws if not. Returns a function that sets it up once we hold the
 * folder of the run; for the host, which needs nothing, that function returns undefined.
 */
export async function prepareEnclosure(
  options: EnclosureOptions,
): Promise<(place: RunPlace) => Promise<Enclosure | undefined>> {
  const { isolation = 'host', lane, env, logins } = options;
  if (isolation === 'host') return async () => undefined;
  if (lane === 'live') {
    throw new KnownError(
      `--isolation ${isolation} blocks the network, but the live lane must reach a model service.`,
      { hint: 'Use --lane scripted or --lane sim, or --isolation host.' },
    );
  }
  await sweepExchanges();
  switch (isolation) {
    case 'bwrap':
      return prepareBwrap({ env, logins });
    case 'docker':
      return prepareDocker({ env, logins, scope: options.container ?? 'per-test' });
    default:
      return isolation satisfies never;
  }
}

async function prepareBwrap({
  env,
  logins,
}: Pick<EnclosureOptions, 'env' | 'logins'>): Promise<(place: RunPlace) => Promise<Enclosure>> {
  const health = await probeBwrap(env.PATH);
  if (!health.ok) throw new KnownError(`--isolation bwrap: ${health.detail}.`, { hint: health.fix });
  const tools = await findOverlayTools(env.PATH);
  const { HOME: home } = env;
  return async (place) => {
    const folder = await openExchangeFolder();
    const filter = await writeCallFilter(folder);
    return {
      kind: 'bwrap',
      open: async (site) => {
        const starts: { readonly layers: Layers; readonly mounts: readonly Mount[] }[] = [];
        return openSandbox(site, {
          kind: 'bwrap',
          passSignals: false,
          wrap: async (warden, exchange, program) => {
            const around = [...(site.around ?? []), place.folder];
            const programs = programPlaces(program, [place.program], { home, around });
            const layers = tools === null ? undefined : await openLayers();
            const mounts = planMounts(site, { home, logins, programs, exchange, layers });
            const launch = bwrapLaunch(health.program, warden, mounts, filter);
            if (tools === null || layers === undefined) return launch;
            starts.push({ layers, mounts });
            return withOverlays(tools, launch, mounts);
          },
          written: () => starts.flatMap(({ layers, mounts }) => describeWritten(layers.written(mounts))),
          close: async () => {
            await Promise.all(starts.map(({ layers }) => layers.close()));
          },
        });
      },
      close: () => rm(folder, { recursive: true, force: true }),
    };
  };
}
