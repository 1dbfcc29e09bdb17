import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecutable } from '../../exec/find-executable.js';
import { runCommand } from '../../exec/process/run-command.js';
import type { Launch } from '../launch.js';
import { openLayers, overlayOptions } from '../layers.js';
import type { Mount } from '../places/mount.js';

/** The programs that mount layers over folders. Both are part of every Linux. */
export interface OverlayTools {
  readonly unshare: string;
  readonly mount: string;
}

/**
 * Mounts the overlays, only for this process and its children, and then becomes the program. A folder that cannot have
 * an overlay (not every file system can be below one) is read-only, as it would be without layers.
 */
const SCRIPT = `
mount=$1; shift
while [ "$1" != -- ]; do
  "$mount" -t overlay ralph-e2e -o "$1" "$3" 2>/dev/null ||
    { "$mount" --bind "$2" "$3" && "$mount" -o remount,bind,ro "$3"; } || exit 125
  shift 3
done
shift
exec "$@"`;

/** Builds a launch that first mounts the layers. */
export function withOverlays(tools: OverlayTools, launch: Launch, mounts: readonly Mount[]): Launch {
  const overlays = mounts.flatMap((mount) =>
    mount.mode === 'layered' ? [overlayOptions(mount.path, mount.layer), mount.path, mount.layer.merged] : [],
  );
  return {
    ...launch,
    command: tools.unshare,
    args: [
      '--mount',
      '/bin/sh',
      '-c',
      SCRIPT,
      'sh',
      tools.mount,
      ...overlays,
      '--',
      launch.command,
      ...launch.args,
    ],
  };
}

/** Finds the tools and tries them; null if they are missing or do not work, or if we are not root, who alone may mount. */
export async function findOverlayTools(path: string | undefined): Promise<OverlayTools | null> {
  const [unshare, mount] = ['unshare', 'mount'].map((name) => findExecutable(name, path));
  if (process.getuid?.() !== 0 || !unshare || !mount) return null;
  const folder = await mkdtemp(join(tmpdir(), 'ralph-e2e-overlay-'));
  const layers = await openLayers();
  try {
    const covered = layers.cover(folder);
    if (covered.mode !== 'layered') return null;
    const write: Launch = {
      ...{ command: '/bin/sh', args: ['-c', 'echo > "$0/written"', covered.layer.merged] },
      ...{ cwd: '/', env: {} },
    };
    const { command, args } = withOverlays({ unshare, mount }, write, [covered]);
    await runCommand(command, args, { cwd: '/', env: {}, timeoutMs: 10_000 });
    return layers.written().length === 1 ? { unshare, mount } : null;
  } finally {
    await layers.close();
    await rm(folder, { recursive: true, force: true });
  }
}
