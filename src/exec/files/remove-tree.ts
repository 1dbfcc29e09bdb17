import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { statOrNull } from './stat-or-null.js';

/** Deletes a file, a link or a folder with everything in it. Deletes links, never follows them. */
export async function removeTree(path: string): Promise<void> {
  // Do this first, not after a failure: a failed `rm` still deletes in the background while it reports.
  if ((await statOrNull(path))?.isDirectory())
    await emptyFolder(Buffer.from(path), { top: path, deleted: 0 });
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Linux takes paths of up to 4095 bytes, and names of up to 255. */
const MAX_PATH_BYTES = 3_500;

/** Other attempts get their turn after so many deletions. */
const IN_ONE_TURN = 200;

/**
 * Deletes what is in a folder, each in one step: git makes a folder for nearly every object, and `rm` takes six turns of
 * a thread for each. What cannot be deleted is left to `rm`, which tries again and reports. Makes folders writable:
 * agents leave write-protected ones (such as Go's module cache). Moves up those whose path is too long for the system;
 * an agent gets there step by step. Names are bytes, and not all UTF-8.
 */
async function emptyFolder(folder: Buffer, state: { readonly top: string; deleted: number }): Promise<void> {
  const found = lstatSync(folder);
  // Something that still runs may have put a link here since its parent was listed. `rm` deletes it.
  if (!found.isDirectory()) return;
  if ((found.mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
    state.deleted += 1;
    if (state.deleted % IN_ONE_TURN === 0) await setImmediate();
    const path = Buffer.concat([folder, Buffer.from('/'), entry.name]);
    if (!entry.isDirectory()) {
      tryTo(() => unlinkSync(path));
    } else if (path.length <= MAX_PATH_BYTES) {
      await emptyFolder(path, state);
      tryTo(() => rmdirSync(path));
    } else {
      const higher = Buffer.from(join(state.top, randomUUID()));
      chmodSync(path, 0o700);
      renameSync(path, higher);
      await emptyFolder(higher, state);
      tryTo(() => rmdirSync(higher));
    }
  }
}

function tryTo(act: () => void): void {
  try {
    act();
  } catch {
    // It may be gone already.
  }
}
