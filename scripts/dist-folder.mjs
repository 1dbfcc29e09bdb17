// Replaces dist/ with a new one: it is built in its own folder and renamed when it is complete. A build that fails, is
// interrupted or is killed leaves dist/ unchanged.
//   .dist/new-*   unfinished builds
//   .dist/done-*  complete, and about to be moved into place
//   .dist/old-*   the previous dist/
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';

/** What programs look for next to dist/, wherever it is. */
const PACKAGE_FILES = ['package.json', '.e2e-tests.gitignore'];
/** No build takes this long: killed builds left older folders. */
const HOUR_MS = 3_600_000;

/** Starts a new dist in a folder that looks like the package, so that its programs can run there. */
export function beginDist(root) {
  const places = { dist: join(root, 'dist'), beside: join(root, '.dist') };
  mkdirSync(places.beside, { recursive: true });
  finishKilled(places);
  sweep(places.beside, (path) => !basename(path).startsWith('old-') && ageOf(path) > HOUR_MS);
  const folder = mkdtempSync(join(places.beside, 'new-'));
  const path = join(folder, 'dist');
  mkdirSync(path);
  for (const name of PACKAGE_FILES) copyFileSync(join(root, name), join(folder, name));
  return {
    /** Where to build it. */
    path,
    /** Moves it into place. */
    finish() {
      const done = join(places.beside, basename(folder).replace('new-', 'done-'));
      renameSync(folder, done);
      swap(join(done, 'dist'), places);
      rmSync(done, { recursive: true, force: true });
    },
    /** Removes it. A program that still runs in it may leave a file. */
    discard: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Node cannot swap two folders in one step: between the two renames there is no dist/ for a few microseconds. */
function swap(fresh, { dist, beside }) {
  const old = mkdtempSync(join(beside, 'old-'));
  renameIfThere(dist, old);
  try {
    // Missing: another build found it complete and moved it into place for us.
    renameIfThere(fresh, dist);
  } catch (error) {
    // Another build ended at the same time. The later one wins.
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return swap(fresh, { dist, beside });
    renameIfThere(old, dist);
    throw error;
  }
  // Keep the last one until the next build: sandboxes that have it mounted still start programs from it.
  sweep(beside, (path) => basename(path).startsWith('old-') && path !== old);
}

/** A build that was killed between its two renames left no dist/, but its own is complete. */
function finishKilled({ dist, beside }) {
  if (existsSync(dist)) return;
  for (const name of readdirSync(beside).filter((name) => name.startsWith('done-')))
    if (!existsSync(dist)) renameIfThere(join(beside, name, 'dist'), dist);
}

function renameIfThere(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** Cleans up. Another build may remove the same folders at the same time. */
function sweep(folder, isDone) {
  for (const path of readdirSync(folder).map((name) => join(folder, name))) {
    try {
      if (isDone(path)) rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTEMPTY') throw error;
    }
  }
}

function ageOf(path) {
  return Date.now() - statSync(path).mtimeMs;
}
