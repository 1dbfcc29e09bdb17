// Builds what `node dist/cli.js` needs, at once and again whenever a source changes, until Ctrl-C. Types stay as they
// are, and so does the bytecode of programs that did not change: others start from their text.
//   --once  build and end
import { EventEmitter, once } from 'node:events';
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { FOLDERS } from './backends.mjs';
import { BrokenSources, openBundles, writeFiles } from './dist-files.mjs';
import { beginDist } from './dist-folder.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const WATCHED = ['src', 'scenarios'];
/** An editor or git changes several files at a time: one build is enough for them. */
const SETTLE_MS = 30;

// A dist is written and put in place without a pause: nothing is left half done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(0));

const bundles = openBundles(esbuild, root);
if (process.argv.includes('--once')) {
  process.exitCode = (await build()) ? 0 : 1;
  await bundles.dispose();
} else {
  await buildAgainAndAgain();
}

async function buildAgainAndAgain() {
  const changes = new EventEmitter();
  let watchers = [];
  let built;
  for (;;) {
    // New watchers first, so that no change is missed; a folder that was made again needs a new one.
    const last = watchers;
    watchers = WATCHED.flatMap(listFolders).flatMap((folder) => watchFolder(folder, changes));
    for (const watcher of last) watcher.close();
    const sources = describeSources();
    if (sources === built) {
      await once(changes, 'change');
      await wait(SETTLE_MS);
    } else {
      await build();
      if (built === undefined) process.stdout.write('Watching src/ and scenarios/. Stop with Ctrl-C.\n');
      built = sources;
    }
  }
}

async function build() {
  const begun = performance.now();
  try {
    const changed = putInPlace(await bundles.make());
    const seconds = ((performance.now() - begun) / 1000).toFixed(2);
    process.stdout.write(`Built dist in ${seconds} s${changed ? '' : ', and nothing changed'}.\n`);
    return true;
  } catch (error) {
    // Sources that come and go while they are read are a matter of the next build.
    if (!(error instanceof BrokenSources) && error.code === undefined) throw error;
    process.stderr.write(`${error.message.trimEnd()}\n`);
    process.stdout.write('Not built: dist is what it was.\n');
    return false;
  }
}

/** Makes these files the new dist, unless the one in place has them all and no others. */
function putInPlace(files) {
  if (isInPlace(files)) return false;
  const next = beginDist(root);
  try {
    writeFiles(next.path, files);
    keepBytecode(files, next.path);
    const types = join(dist, 'types');
    if (existsSync(types)) cpSync(types, join(next.path, 'types'), { recursive: true });
    next.finish();
  } catch (error) {
    next.discard();
    throw error;
  }
  return true;
}

function isInPlace(files) {
  if (!existsSync(dist)) return false;
  const added = /^types\/|^\.inputs$|\.bytecode$/;
  const there = listFiles(dist).map((path) => relative(dist, path));
  return (
    there.filter((path) => !added.test(path)).every((path) => files.has(path)) &&
    [...files].every(([path, { contents }]) => readOrNull(join(dist, path)) === contents)
  );
}

/** Bytecode has the name of its text: what is there for the new text was made of the same. */
function keepBytecode(files, folder) {
  for (const [program, { contents, started }] of files) {
    if (!started) continue;
    const [, name] = /^\/\/(\w+)\n/.exec(contents);
    const from = join(dist, dirname(program));
    for (const file of existsSync(from) ? readdirSync(from) : [])
      if (file.startsWith(`${basename(program)}.${name}.`) && file.endsWith('.bytecode'))
        copyFileSync(join(from, file), join(folder, dirname(program), file));
  }
}

/** Says when something in a folder changes; a folder that is gone by now has changed. */
function watchFolder(folder, changes) {
  const tell = () => changes.emit('change');
  try {
    return watch(folder, tell).on('error', tell);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    setImmediate(tell);
    return [];
  }
}

/** Which sources there are, and of when, but for the one that a build writes itself. */
function describeSources() {
  return WATCHED.flatMap((folder) => listFiles(join(root, folder)))
    .filter((path) => path !== join(root, FOLDERS))
    .map((path) => {
      const { ino, size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return [path, ino, size, mtimeMs].join(' ');
    })
    .join('\n');
}

function listFolders(name) {
  const folder = join(root, name);
  return [folder, ...listEntries(folder, (entry) => entry.isDirectory())];
}

function listFiles(folder) {
  return listEntries(folder, (entry) => entry.isFile()).sort();
}

function listEntries(folder, isWanted) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(isWanted)
    .map((entry) => join(entry.parentPath, entry.name));
}

function readOrNull(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
