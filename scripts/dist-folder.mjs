// How a new dist/ takes the place of the old one: it is made in a folder of its own and renamed when it is complete. A
// build that breaks, is interrupted or killed leaves dist/ as it was.
//   .dist/new-*   builds that are under way
//   .dist/done-*  complete, and about to be put in place
//   .dist/old-*   what was in place before
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

/** What programs look for beside dist/, wherever it is. */
const PACKAGE_FILES = ['package.json', '.e2e-tests.gitignore'];
/** No build takes so long: older folders are what killed ones left. */
const HOUR_MS = 3_600_000;

/** Begins a new dist, in a folder that looks like the package: its programs can be started there. */
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
    /** Where to make it. */
    path,
    /** Puts it in place. */
    finish() {
      const done = join(places.beside, basename(folder).replace('new-', 'done-'));
      renameSync(folder, done);
      swap(join(done, 'dist'), places);
      rmSync(done, { recursive: true, force: true });
    },
    /** Removes it. What runs in it may still leave a file. */
    discard: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Node cannot exchange two folders in one step: between the two renames there is no dist/, for some microseconds. */
function swap(fresh, { dist, beside }) {
  const old = mkdtempSync(join(beside, 'old-'));
  renameIfThere(dist, old);
  try {
    // Not there: another build has found it complete, and put it in place for us.
    renameIfThere(fresh, dist);
  } catch (error) {
    // Another build ended at the same time. The later one stays.
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return swap(fresh, { dist, beside });
    renameIfThere(old, dist);
    throw error;
  }
  // The last one stays until the next build: sandboxes that have it mounted still start programs from it.
  sweep(beside, (path) => basename(path).startsWith('old-') && path !== old);
}

/** A build that was killed between its two renames left no dist/: its own is complete. */
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

/** Tidies up. What another build removes at the same time is gone in any case. */
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
