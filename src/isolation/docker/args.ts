import type { Launch } from '../launch.js';
import { overlayOptions } from '../layers.js';
import type { Mount } from '../places/mount.js';

/** The label with which a later run finds the containers that a killed run left, but only those of its own folder. */
export const FOLDER_LABEL = 'ralph-e2e.folder';

/** Markers that are set after the launch is built. For a name without a value, docker takes the client's, if any. */
const MARKERS = ['RALPH_E2E_ATTEMPT', 'RALPH_E2E_COMMAND'];

/** No network, no privileges except the port of our own name server, and nothing writable except writable mounts. */
const CLOSED =
  `
  --network none --read-only --cap-drop ALL --cap-add NET_BIND_SERVICE --security-opt no-new-privileges
`.match(/\S+/g) ?? [];

/** Builds the arguments of `docker run` for a container with these mounts, up to its command. */
export function containerArgs(container: {
  readonly name: string;
  readonly folder: string;
  readonly mounts: readonly Mount[];
}): string[] {
  return [
    ...['--name', container.name, '--label', `${FOLDER_LABEL}=${container.folder}`, ...CLOSED],
    // The same user as outside, so that files have the same owner inside and outside.
    ...['--user', `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`],
    ...container.mounts.flatMap(mountArgs),
  ];
}

/** Builds the arguments for a program's folder and environment. Values stay out of the command line, which all users see. */
export function programArgs({ cwd, env }: Pick<Launch, 'cwd' | 'env'>): string[] {
  const names = [...Object.keys(env), ...MARKERS];
  return ['--workdir', cwd, ...names.flatMap((name) => ['--env', name])];
}

function mountArgs(mount: Mount): string[] {
  const { path, mode } = mount;
  switch (mode) {
    case 'read-only':
      return ['--mount', `type=bind,"src=${mount.source ?? path}","dst=${path}",readonly`];
    case 'read-write':
      return ['--mount', `type=bind,"src=${mount.source ?? path}","dst=${path}"`];
    case 'layered': {
      const overlay = 'volume-driver=local,volume-opt=type=overlay,volume-opt=device=overlay,volume-nocopy';
      const options = `"volume-opt=o=${overlayOptions(path, mount.layer)}"`;
      return ['--mount', `type=volume,"dst=${path}",${overlay},${options}`];
    }
    case 'empty-folder':
      return ['--tmpfs', `${path}:exec,mode=1777`];
    case 'empty-file':
      return ['--mount', `type=bind,src=/dev/null,"dst=${path}",readonly`];
    default:
      return mode satisfies never;
  }
}
